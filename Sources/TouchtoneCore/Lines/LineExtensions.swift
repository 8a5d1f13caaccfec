// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of an extension of a telephone system, as far as a line knows.
public enum ExtensionState: Hashable, Sendable, CaseIterable {
    case unknown
    case free
    /// Somebody calls it.
    case ringing
    case busy
}

/// The extensions of a line's telephone system, which the line can watch; a change is reported as `.stateChanged` of the line.
@MainActor
public protocol LineExtensions: AnyObject {
    /// The numbers and addresses that the user wants to be watched.
    var wanted: [CallTarget] { get }

    /// Saves whether the user wants a number or an address to be watched.
    func setWanted(_ isWanted: Bool, _ target: CallTarget)

    /// The contents of the memory keys: of what is wanted, only this is watched.
    var onKeys: [CallTarget] { get set }

    func state(of target: CallTarget) -> ExtensionState

    /// Returns what begins a call that takes over the one that rings at an extension, and calls nobody if that is over; nil if
    /// none can be picked up.
    func pickup(at target: CallTarget) -> (@MainActor () -> any LineCall)?
}

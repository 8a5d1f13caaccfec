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
    /// The numbers that the user wants to be watched.
    var wanted: [DialledNumber] { get }

    /// Saves whether the user wants a number to be watched.
    func setWanted(_ isWanted: Bool, _ number: DialledNumber)

    /// The numbers on the memory keys: of those that are wanted, only they are watched.
    var onKeys: [DialledNumber] { get set }

    func state(of number: DialledNumber) -> ExtensionState

    /// Returns what begins a call that takes over the one that rings at an extension, and calls nobody if that is over; nil if
    /// none can be picked up.
    func pickup(at number: DialledNumber) -> (@MainActor () -> any LineCall)?
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Extensions whose states the test chooses.
@MainActor
public final class FakeExtensions: LineExtensions {
    /// The numbers and addresses that the user wants to be watched.
    public private(set) var wanted: [CallTarget]
    /// The contents of the memory keys.
    public var onKeys: [CallTarget] = []
    /// The states, by the numbers and addresses.
    public var states: [String: ExtensionState] = [:] { didSet { onChange?() } }
    /// Begins the call that picks up another; nil if none can be picked up.
    public var begin: (@MainActor (CallTarget) -> any LineCall)?
    /// Called after each change, as a line reports it.
    public var onChange: (@MainActor () -> Void)?

    /// Creates extensions that are watched.
    public init(_ wanted: [String]) { self.wanted = wanted.compactMap { CallTarget(kept: $0) } }

    /// Saves whether the user wants a number or an address to be watched.
    public func setWanted(_ isWanted: Bool, _ target: CallTarget) {
        wanted = wanted.filter { $0 != target } + (isWanted ? [target] : [])
        onChange?()
    }

    /// Returns what an extension does.
    public func state(of target: CallTarget) -> ExtensionState { states[target.kept] ?? .unknown }

    /// Returns what picks up the call that rings at an extension.
    public func pickup(at target: CallTarget) -> (@MainActor () -> any LineCall)? {
        guard let begin else { return nil }
        return { begin(target) }
    }
}

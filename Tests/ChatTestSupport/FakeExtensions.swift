// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Extensions whose states the test chooses.
@MainActor
public final class FakeExtensions: LineExtensions {
    /// The numbers that the user wants to be watched.
    public private(set) var wanted: [DialledNumber]
    /// The numbers on the memory keys.
    public var onKeys: [DialledNumber] = []
    /// The states, by the numbers.
    public var states: [String: ExtensionState] = [:] { didSet { onChange?() } }
    /// Begins the call that picks up another; nil if none can be picked up.
    public var begin: (@MainActor (DialledNumber) -> any LineCall)?
    /// Called after each change, as a line reports it.
    public var onChange: (@MainActor () -> Void)?

    /// Creates extensions that are watched.
    public init(_ wanted: [String]) { self.wanted = wanted.compactMap { DialledNumber($0) } }

    /// Saves whether the user wants a number to be watched.
    public func setWanted(_ isWanted: Bool, _ number: DialledNumber) {
        wanted = wanted.filter { $0 != number } + (isWanted ? [number] : [])
        onChange?()
    }

    /// Returns what an extension does.
    public func state(of number: DialledNumber) -> ExtensionState { states[number.text] ?? .unknown }

    /// Returns what picks up the call that rings at an extension.
    public func pickup(at number: DialledNumber) -> (@MainActor () -> any LineCall)? {
        guard let begin else { return nil }
        return { begin(number) }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// What the MEM key waits for: MEM and a digit dial what that memory key holds, MEM held and a digit store.
///
/// There is no clock inside, as in `KeyPressTracker`: each event comes with its time, and the owner sets a one-shot timer for
/// `nextDeadline`.
///
///     var memory = MemoryDialling()
///     memory.press(at: now)                  // asks which key to dial
///     memory.take(.three, at: later)         // .dial(3)
public struct MemoryDialling: Hashable, Sendable {
    /// What is asked for.
    public enum Question: Hashable, Sendable {
        /// Which memory key to dial.
        case dial
        /// Which memory key is to hold the number in the display.
        case store
    }

    /// What came of a key of the keypad.
    public enum Answer: Hashable, Sendable {
        /// The memory key of this digit, 1 to 9, is to be dialled.
        case dial(Int)
        /// The memory key of this digit, 1 to 9, is to hold the number.
        case store(Int)
        /// There is no such memory key: the question stays.
        case again
    }

    /// How long MEM is held to store.
    public static let hold: Duration = .milliseconds(500)
    /// How long a question stays without a key.
    public static let timeout: Duration = .seconds(5)

    /// What is asked for; nil at rest.
    public private(set) var question: Question?
    /// When MEM has been held long enough, while it is held.
    private var holdEnd: Duration?
    /// When the question has stayed long enough, once MEM is up.
    private var end: Duration?

    /// Creates the state at rest.
    public init() {}

    /// Whether MEM is still down.
    public var isHeld: Bool { question != nil && end == nil }

    /// When `advance(to:)` has something to do; nil at rest, and while MEM is held to store.
    public var nextDeadline: Duration? { holdEnd ?? end }
}

extension MemoryDialling {
    /// MEM goes down: it asks which key to dial, or takes the question back.
    public mutating func press(at time: Duration) {
        advance(to: time)
        guard question == nil else { return leave() }
        question = .dial
        holdEnd = time + Self.hold
    }

    /// MEM comes up, or the pointer slides off it.
    public mutating func release(at time: Duration) {
        advance(to: time)
        guard isHeld else { return }
        holdEnd = nil
        end = time + Self.timeout
    }

    /// Asks as if MEM had been pressed, or held, already.
    public mutating func ask(_ question: Question, at time: Duration) {
        self.question = question
        holdEnd = nil
        end = time + Self.timeout
    }

    /// A key of the keypad goes down; nil at rest, where the key is none of this.
    public mutating func take(_ key: DTMFKey, at time: Duration) -> Answer? {
        advance(to: time)
        guard let question else { return nil }
        guard let digit = key.character.wholeNumberValue, digit > 0 else {
            if end != nil { end = time + Self.timeout }
            return .again
        }
        leave()
        return question == .dial ? .dial(digit) : .store(digit)
    }

    /// Takes the question back.
    public mutating func leave() { self = MemoryDialling() }

    /// Time has passed: MEM held long enough asks where to store, and nobody is waited for longer than `timeout`.
    public mutating func advance(to time: Duration) {
        if let holdEnd, holdEnd <= time {
            self.holdEnd = nil
            question = .store
        }
        if let end, end <= time { leave() }
    }
}

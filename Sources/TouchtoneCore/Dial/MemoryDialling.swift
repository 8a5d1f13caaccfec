// SPDX-License-Identifier: GPL-3.0-or-later

/// The state machine of the MEM key: tap to dial, hold to store.
///
/// It has no clock, like `KeyPressTracker`: each event comes with its time, and the owner sets a one-shot timer for
/// `nextDeadline`.
///
///     var memory = MemoryDialling()
///     memory.press(at: now)                  // asks which key to dial
///     memory.take(.three, at: later)         // .dial(3)
public struct MemoryDialling: Hashable, Sendable {
    /// A prompt for the digit of a memory key.
    public enum Question: Hashable, Sendable {
        case dial
        case store

        /// The caption of the display while it waits.
        var caption: String {
            switch self {
            case .dial: localizedIn("segment display", "PRESS A NAME")
            case .store: localizedIn("segment display", "STORE HERE?")
            }
        }
    }

    /// The result of a key of the keypad.
    public enum Answer: Hashable, Sendable {
        /// The memory key of this digit, 1 to 9, is dialled.
        case dial(Int)
        /// The number is stored in the memory key of this digit, 1 to 9.
        case store(Int)
        case again
    }

    /// How long MEM must be held to enter store mode.
    public static let hold: Duration = .milliseconds(500)
    /// The time for which a prompt waits for a digit.
    public static let timeout: Duration = .seconds(5)

    /// The present prompt; nil at rest.
    public private(set) var question: Question?
    /// The time at which a held MEM begins to store; nil if it is not held, or if it stores already.
    private var holdEnd: Duration?
    /// The time at which the prompt expires; nil while MEM is held.
    private var end: Duration?

    public init() {}

    public var isHeld: Bool { question != nil && end == nil }

    /// The time of the next call of `advance(to:)`; nil at rest, and while MEM is held to store.
    public var nextDeadline: Duration? { holdEnd ?? end }
}

extension MemoryDialling {
    /// Presses MEM, which shows the prompt for dialling, or cancels the present prompt.
    public mutating func press(at time: Duration) {
        advance(to: time)
        guard question == nil else { return leave() }
        question = .dial
        holdEnd = time + Self.hold
    }

    /// Releases MEM; sliding off it releases it too.
    public mutating func release(at time: Duration) {
        advance(to: time)
        guard isHeld else { return }
        holdEnd = nil
        end = time + Self.timeout
    }

    /// Shows a prompt, as if MEM had been pressed or held.
    public mutating func ask(_ question: Question, at time: Duration) {
        self.question = question
        holdEnd = nil
        end = time + Self.timeout
    }

    /// Handles a key of the keypad; returns nil at rest, when the key has its usual meaning.
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

    public mutating func leave() { self = MemoryDialling() }

    /// Begins to store if MEM has been held long enough, and cancels a prompt after `timeout`.
    public mutating func advance(to time: Duration) {
        if let holdEnd, holdEnd <= time {
            self.holdEnd = nil
            question = .store
        }
        if let end, end <= time { leave() }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A tracker that turns presses and releases of keys, from any number of sources at once, into effects on the phone.
///
/// It has no clock: each event comes with its time since an epoch that the owner chooses, and times never decrease. A
/// long press takes effect with the first event at or after its deadline, so the owner sets a one-shot timer for
/// `nextDeadline` and calls `advance(to:)` when it fires; a late timer changes no outcome.
///
///     var keys = KeyPressTracker()
///     keys.press(.tone(.five), by: .pointer, at: now)   // [.keyDown(5), .sound(5), .enter(5)]
///     keys.release(by: .pointer, at: later)             // [.keyUp(5), .silence]
public struct KeyPressTracker: Sendable {
    /// An effect that the owner performs.
    public enum Effect: Hashable, Sendable {
        /// A digit, `*` or `#` is appended.
        case enter(DTMFKey)
        case enterPlus
        /// The 0 just entered becomes `+`.
        case zeroBecomesPlus
        /// The 1 just entered calls the voicemail if the number was empty.
        case oneHeld
        case deleteLast
        case clear
        case dial
        /// This tone starts, in place of the previous one.
        case sound(DTMFKey)
        case silence
        case keyDown(KeypadKey)
        case keyUp(KeypadKey)
    }

    /// The time after which a held key has its second meaning: `+` for 0, the voicemail for 1, and clearing for DEL.
    public static let longPress: Duration = .milliseconds(500)

    private struct Press {
        let key: KeypadKey
        let source: KeySource
        var deadline: Duration?
    }

    /// The held keys, in the order of their presses.
    private var held: [Press] = []

    public init() {}

    /// The time of the next long press; nil if none is pending.
    public var nextDeadline: Duration? { held.lazy.compactMap(\.deadline).first }

    public var keysDown: Set<KeypadKey> { Set(held.map(\.key.onScreen)) }

    /// The tone that sounds: that of the held key with a tone that was pressed last.
    public var sounding: DTMFKey? { held.lazy.compactMap(\.key.tone).last }
}

extension KeyPressTracker {
    /// Presses a key, which takes effect at once and not at the release.
    ///
    /// A source that presses the key it holds is repeating it, and a keyboard key that produces another character was
    /// shifted in the meantime: neither has an effect. A pointer or finger that presses a second key has lost the
    /// release of the first, which is then released.
    public mutating func press(_ key: KeypadKey, by source: KeySource, at time: Duration) -> [Effect] {
        var effects = advance(to: time)
        if let earlier = held.first(where: { $0.source == source }) {
            if earlier.key == key { return effects }
            if case .keyboard = source { return effects }
            effects += release(by: source, at: time)
        }
        cancelLongPresses()
        let deadline = key.hasLongPress ? time + Self.longPress : nil
        effects += changing { $0.append(Press(key: key, source: source, deadline: deadline)) }
        effects.append(key.action)
        // An assistive tool's click ends as it begins; the tone still has its minimum length.
        return source == .accessibility ? effects + release(by: source, at: time) : effects
    }

    /// Releases the key that a source holds, if any; sliding off a key releases it too.
    public mutating func release(by source: KeySource, at time: Duration) -> [Effect] {
        advance(to: time) + changing { $0.removeAll { $0.source == source } }
    }

    /// Releases all keys, because the window lost the focus or was hidden.
    public mutating func releaseAll(at time: Duration) -> [Effect] {
        advance(to: time) + changing { $0.removeAll() }
    }

    /// Releases a key on the screen that was hidden or destroyed, and cancels its long press.
    public mutating func keyGone(_ key: KeypadKey) -> [Effect] {
        changing { $0.removeAll { $0.key.onScreen == key.onScreen } }
    }

    /// Performs the long press that is due, if any, once; a press cancels those before it.
    public mutating func advance(to time: Duration) -> [Effect] {
        guard let index = held.firstIndex(where: { $0.deadline.map { $0 <= time } ?? false }) else {
            return []
        }
        held[index].deadline = nil
        return held[index].key.longPressAction.map { [$0] } ?? []
    }

    /// Cancels long presses: nothing may come between the beginning and the end of one.
    public mutating func cancelLongPresses() {
        for index in held.indices { held[index].deadline = nil }
    }

    /// Changes the held keys, and returns the effects on the keys on the screen and on the tone.
    private mutating func changing(_ change: (inout [Press]) -> Void) -> [Effect] {
        let (downBefore, soundingBefore) = (keysDown, sounding)
        let order = held.map(\.key.onScreen)
        change(&held)
        var effects: [Effect] = keysDown.subtracting(downBefore).map(Effect.keyDown)
        for key in order where !keysDown.contains(key) && !effects.contains(.keyUp(key)) {
            effects.append(.keyUp(key))
        }
        if sounding != soundingBefore { effects.append(sounding.map(Effect.sound) ?? .silence) }
        return effects
    }
}

extension KeypadKey {
    fileprivate var action: KeyPressTracker.Effect {
        switch self {
        case .tone(let key): .enter(key)
        case .plus: .enterPlus
        case .delete: .deleteLast
        case .dial: .dial
        }
    }

    /// Whether the key has a second meaning when it is held.
    fileprivate var hasLongPress: Bool { longPressAction != nil }

    fileprivate var longPressAction: KeyPressTracker.Effect? {
        switch self {
        case .tone(.zero): .zeroBecomesPlus
        case .tone(.one): .oneHeld
        case .delete: .clear
        case .tone, .plus, .dial: nil
        }
    }
}

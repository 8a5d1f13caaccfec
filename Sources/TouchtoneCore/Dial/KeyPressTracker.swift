// SPDX-License-Identifier: GPL-3.0-or-later

/// Turns presses and releases of keys, from however many sources at once, into what the phone does.
///
/// There is no clock inside: each event comes with its time since an epoch that the owner chooses, never going
/// back. A long press takes effect with the first event at or after its deadline, so the owner sets a one-shot timer
/// for `nextDeadline` and calls `advance(to:)` when it fires; a late timer changes no outcome.
///
///     var keys = KeyPressTracker()
///     keys.press(.tone(.five), by: .pointer, at: now)   // [.keyDown(5), .sound(5), .enter(5)]
///     keys.release(by: .pointer, at: later)             // [.keyUp(5), .silence]
public struct KeyPressTracker: Sendable {
    /// Something for the owner to do.
    public enum Effect: Hashable, Sendable {
        /// A digit, `*` or `#` is appended.
        case enter(DTMFKey)
        /// A `+` is appended.
        case enterPlus
        /// The 0 just entered becomes `+`.
        case zeroBecomesPlus
        /// The last character goes.
        case deleteLast
        /// All characters go.
        case clear
        /// The number is called.
        case dial
        /// This tone sounds now, in place of the one that did.
        case sound(DTMFKey)
        /// No tone sounds any more.
        case silence
        /// The key on the screen goes down.
        case keyDown(KeypadKey)
        /// The key on the screen comes up.
        case keyUp(KeypadKey)
    }

    /// How long a key is held for its second meaning: the `+` of 0, and the clearing of DEL.
    public static let longPress: Duration = .milliseconds(500)

    private struct Press {
        let key: KeypadKey
        let source: KeySource
        var deadline: Duration?
    }

    /// The keys held, the one pressed last at the end.
    private var held: [Press] = []

    /// Creates the state in which no key is held.
    public init() {}

    /// When `advance(to:)` has something to do; nil while no long press is on its way.
    public var nextDeadline: Duration? { held.lazy.compactMap(\.deadline).first }

    /// The keys on the screen that are down.
    public var keysDown: Set<KeypadKey> { Set(held.map(\.key.onScreen)) }

    /// The tone that sounds: of the keys still down that have one, the key pressed last.
    public var sounding: DTMFKey? { held.lazy.compactMap(\.key.tone).last }
}

extension KeyPressTracker {
    /// A key goes down, and what it does is done now, not at the release.
    ///
    /// A source that presses the key it holds is repeating itself, and so is a keyboard key that has become another
    /// character because shift went down meanwhile: neither changes anything. A pointer or finger that presses a
    /// second key has lost the release of the first, which is made up for.
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
        // The click of an assistive tool is over as it begins; the tone lasts its minimum all the same.
        return source == .accessibility ? effects + release(by: source, at: time) : effects
    }

    /// A source lets go of its key, or slides off it; one that holds none changes nothing.
    public mutating func release(by source: KeySource, at time: Duration) -> [Effect] {
        advance(to: time) + changing { $0.removeAll { $0.source == source } }
    }

    /// Every source lets go: the window lost the focus, or is hidden.
    public mutating func releaseAll(at time: Duration) -> [Effect] {
        advance(to: time) + changing { $0.removeAll() }
    }

    /// A key on the screen is hidden or destroyed: whoever held it holds nothing, and its long press is off.
    public mutating func keyGone(_ key: KeypadKey) -> [Effect] {
        changing { $0.removeAll { $0.key.onScreen == key.onScreen } }
    }

    /// Time has passed: a key held long enough gets its second meaning, once.
    ///
    /// There is one such key at most, since a press ends the wait of those before it.
    public mutating func advance(to time: Duration) -> [Effect] {
        guard let index = held.firstIndex(where: { $0.deadline.map { $0 <= time } ?? false }) else {
            return []
        }
        held[index].deadline = nil
        return held[index].key == .delete ? [.clear] : [.zeroBecomesPlus]
    }

    /// The number has changed otherwise, so a key held down no longer stands for its last character.
    ///
    /// A press of another key does the same: a long press is one that nothing came between.
    public mutating func cancelLongPresses() {
        for index in held.indices { held[index].deadline = nil }
    }

    /// Changes the keys held, and says what became of keys on the screen and of the tone by that.
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
    /// What a press of the key does to the number.
    fileprivate var action: KeyPressTracker.Effect {
        switch self {
        case .tone(let key): .enter(key)
        case .plus: .enterPlus
        case .delete: .deleteLast
        case .dial: .dial
        }
    }

    /// Whether holding the key means something of its own.
    fileprivate var hasLongPress: Bool { self == .tone(.zero) || self == .delete }
}

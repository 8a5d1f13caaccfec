// SPDX-License-Identifier: GPL-3.0-or-later

/// A key outside the window, of a headset or a shortcut of the whole desktop; none of them dials.
public enum OutsideKey: String, Hashable, Sendable, CaseIterable {
    case answer
    case hangUp = "hang-up"
    case mute
    /// Answers and hangs up in turn.
    case hook
}

extension Phone {
    /// Does what a key outside the window asks for, also while the phone is locked.
    public func press(_ key: OutsideKey) {
        switch key {
        case .answer: answer()
        case .hangUp: if calls.current != nil || calls.answerable != nil { hangUp() }
        case .mute: if let current = calls.current { calls.setMuted(!current.isMuted) }
        case .hook: press(calls.answerable == nil ? .hangUp : .answer)
        }
    }
}

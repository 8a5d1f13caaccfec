// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A message of a headset: a key that was pressed, or its state.
enum HeadsetKey: Hashable, Sendable {
    /// The key that answers and hangs up in turn.
    case hook
    /// The headset is off the hook, or on it again: by its key, or because its lamp was lit or put out.
    case offHook(Bool)
    case hangUp
    /// The key that mutes and unmutes in turn.
    case mute
    /// The microphone is switched off, or on again.
    case muted(Bool)
}

extension HIDDescriptor {
    /// Returns what the change of a key's state means; nil for nothing.
    static func key(_ field: Field, isPressed: Bool) -> HeadsetKey? {
        switch field.usage {
        case .hookSwitch where !field.isRelative: .offHook(isPressed)
        case .hookSwitch: isPressed ? .hook : nil
        case .drop: isPressed ? .hangUp : nil
        case .phoneMute where field.isSwitch: .muted(isPressed)
        case .phoneMute: isPressed ? .mute : nil
        case .muteLamp, .offHookLamp, .ringLamp: nil
        }
    }
}

extension Phone {
    /// Does what a headset's key asks for; none of them dials.
    func take(_ key: HeadsetKey) {
        switch key {
        case .hook: press(.hook)
        case .offHook(true): if calls.answerable != nil { press(.answer) }
        // A headset whose lamp goes out reports it too, and declines nobody by that.
        case .offHook(false): if calls.hasLiveCall { press(.hangUp) }
        case .hangUp: press(.hangUp)
        case .mute: press(.mute)
        case .muted(let isMuted): if calls.current?.isMuted != isMuted { press(.mute) }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension PhoneWindow {
    /// The actions of calls that the lock takes away: whoever is locked out answers, declines, mutes and hangs up.
    private static let openActions = ["flash", "hold", "speaker", "keypad", "join", "transfer"]

    /// Adds what can be done with calls, for the keys of the keyboard.
    func addCallActions() {
        let actions = ActionMap(window)
        let calls = phone.calls
        actions.add("take") { [weak self] in
            if calls.incoming != nil { calls.answer() } else if self?.cover.isOn == false { calls.sendRest() }
        }
        actions.add("decline") { calls.decline() }
        actions.add("flash") { calls.flash() }
        actions.add("mute") { calls.setMuted(calls.current?.isMuted != true) }
        actions.add("hold") { calls.setHeld(calls.current?.phase != .held) }
        actions.add("speaker") { [weak self] in self?.call.chooseSpeaker() }
        actions.add("keypad") { [weak self] in self?.call.toggleKeypad() }
        actions.add("join") { calls.join() }
        actions.add("transfer") { calls.transfer() }
        setCallActions(isOpen: !cover.isOn)
    }

    /// Has the actions be those of a phone that is open, or locked.
    func setCallActions(isOpen: Bool) {
        for name in Self.openActions { ActionMap(window).setEnabled(name, isOpen) }
    }
}

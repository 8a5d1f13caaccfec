// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The keys of a call: FLASH, MUTE, HOLD, SPKR in the place of the soft keys, and those in the place of DEL.
///
/// A key is lit while the model says that it is on, whoever did it.
@MainActor
final class CallKeys {
    /// FLASH, MUTE, HOLD, SPKR.
    let soft: Widget
    /// Shows the keypad, or the card.
    let keypad: Widget
    /// Declines who calls.
    let decline: Widget
    /// Sends what was dialled behind the number.
    let send: Widget
    /// The menu of SPKR.
    let speakers: SpeakerMenu
    /// Called when the keypad key was pressed.
    var onKeypad: (@MainActor () -> Void)?

    private let builder: Builder
    private let calls: CallManager
    private let flash: Widget
    private let mute: Widget
    private let hold: Widget
    private let speaker: Widget
    private var isShowing = false

    /// - Parameter devices: what the menu of SPKR offers.
    init(resources: Resources, calls: CallManager, devices: SpeakerMenu.Source) throws(GLibError) {
        self.calls = calls
        builder = try Builder(file: resources.layout("call"))
        soft = try builder.object("call-keys")
        keypad = try builder.object("keys")
        decline = try builder.object("decline")
        send = try builder.object("send")
        flash = try builder.object("flash")
        mute = try builder.object("mute")
        hold = try builder.object("hold")
        speaker = try builder.object("speaker")
        speakers = SpeakerMenu(at: speaker, of: calls, from: devices)
        for key in [flash, mute, hold, speaker, keypad, decline, send] { FittedLabel(wordOf: key) }
        // As the keypad: the same everywhere.
        gtk_widget_set_direction(soft, GTK_TEXT_DIR_LTR)
        Signal.connect(flash, "clicked") { [calls] in calls.flash() }
        Signal.connect(decline, "clicked") { [calls] in calls.decline() }
        Signal.connect(send, "clicked") { [calls] in calls.sendPostDialDigits() }
        onToggle(mute) { [calls] in calls.setMuted($0) }
        onToggle(hold) { [calls] in calls.setHeld($0) }
        Signal.connect(speaker, "clicked") { [speakers] in speakers.open() }
        onToggle(keypad) { [weak self] _ in self?.onKeypad?() }
    }

    /// Shows what is on, and what can be done.
    func show(_ calls: CallManager, showsKeypad: Bool) {
        let current = calls.current
        isShowing = true
        defer { isShowing = false }
        set(mute, isOn: current?.isMuted == true, can: current?.state.isLive == true)
        set(
            hold, isOn: current?.state == .held,
            can: current.map { $0.state.isConversation && $0.canHold } == true)
        gtk_widget_set_sensitive(speaker, speakers.hasChoice ? 1 : 0)
        speaker.set(style: "lit", speakers.isOn)
        set(keypad, isOn: showsKeypad, can: true)
        gtk_widget_set_sensitive(flash, calls.canFlash ? 1 : 0)
        flash.set(style: "lit", calls.isTakingNumber)
        tip(speaker, speakers.tip)
        tip(flash, flashTip)
    }

    private var flashTip: String {
        if calls.incoming != nil {
            return localized("Answer the new call, and put this one on hold (Ctrl+S)")
        }
        if calls.isTakingNumber { return localized("Return to the call (Ctrl+S)") }
        guard let other = calls.other else {
            return localized("Put the call on hold, and dial another number (Ctrl+S)")
        }
        return other.state == .joined
            ? localized("Separate the calls (Ctrl+S)") : localized("Switch to the other call (Ctrl+S)")
    }

    /// A key that is pressed shows what the model makes of it, which may be nothing.
    private func onToggle(_ key: Widget, _ body: @escaping @MainActor (Bool) -> Void) {
        Signal.connect(key, "toggled") { [weak self] in
            guard let self, !isShowing else { return }
            let isOn = gtk_toggle_button_get_active(key.cast()) != 0
            body(isOn)
        }
    }

    private func set(_ key: Widget, isOn: Bool, can: Bool) {
        if (gtk_toggle_button_get_active(key.cast()) != 0) != isOn {
            gtk_toggle_button_set_active(key.cast(), isOn ? 1 : 0)
        }
        if (gtk_widget_get_sensitive(key) != 0) != can { gtk_widget_set_sensitive(key, can ? 1 : 0) }
    }

    /// What the key is for, to who points at it and to who hears the screen.
    private func tip(_ key: Widget, _ text: String) {
        let before = gtk_widget_get_tooltip_text(key)
        defer { g_free(before) }
        guard before.map({ String(cString: $0) }) != text else { return }
        gtk_widget_set_tooltip_text(key, text)
        key.setAccessible(description: text)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The keys of a call: FLASH, MUTE, HOLD and SPKR in place of the soft keys, and the keys in place of DEL.
///
/// The light of a key follows the model, also if the change did not come from the key.
@MainActor
final class CallKeys {
    /// The box with FLASH, MUTE, HOLD and SPKR.
    let soft: Widget
    /// The key that switches between the keypad and the card.
    let keypad: Widget
    let decline: Widget
    /// The key that sends the remaining digits of the dialled number.
    let send: Widget
    let speakers: SpeakerMenu
    var onKeypad: (@MainActor () -> Void)?

    private let builder: Builder
    private let calls: CallManager
    private let flash, mute, hold, speaker: Widget
    /// Whether the toggle keys are being set from the model, and are not to change it.
    private var isShowing = false

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
        FittedLabel.fit(wordsOf: [flash, mute, hold, speaker])
        for key in [keypad, decline, send] { FittedLabel.fit(wordsOf: [key]) }
        // Like the keypad, the keys are not mirrored in right-to-left languages.
        gtk_widget_set_direction(soft, GTK_TEXT_DIR_LTR)
        Signal.connect(flash, "clicked") { [calls] in calls.flash() }
        Signal.connect(decline, "clicked") { [calls] in calls.decline() }
        Signal.connect(send, "clicked") { [calls] in calls.sendPostDialDigits() }
        onToggle(mute) { [calls] in calls.setMuted($0) }
        onToggle(hold) { [calls] in calls.setHeld($0) }
        Signal.connect(speaker, "clicked") { [speakers] in speakers.open() }
        onToggle(keypad) { [weak self] _ in self?.onKeypad?() }
    }

    func show(_ calls: CallManager, showsKeypad: Bool) {
        let current = calls.current
        isShowing = true
        defer { isShowing = false }
        let canMute = current.map { $0.state.isLive && $0.canMute } == true
        set(mute, isOn: current?.isMuted == true, can: canMute)
        set(hold, isOn: current?.state == .held, can: calls.canHoldCurrent)
        let canChoose = speakers.hasChoice && current?.features.contains(.onPhone) != true
        gtk_widget_set_sensitive(speaker, canChoose ? 1 : 0)
        speaker.set(style: "lit", speakers.isOn)
        set(keypad, isOn: showsKeypad, can: true)
        gtk_widget_set_sensitive(flash, calls.canFlash ? 1 : 0)
        flash.set(style: "lit", calls.isTakingNumber)
        speaker.setTip(speakers.tip)
        flash.setTip(flashTip)
    }

    private var flashTip: String {
        if calls.incoming != nil {
            return localized("Answer the new call, and put this one on hold (Ctrl+S)")
        }
        if calls.isTakingNumber { return localized("Return to the call (Ctrl+S)") }
        guard let other = calls.other else {
            return CallStrings.transferObstacle(of: calls) == nil
                ? localized("Put the call on hold, to call or transfer it to another number (Ctrl+S)")
                : localized("Put the call on hold, to call another number (Ctrl+S)")
        }
        return other.state == .joined
            ? localized("Separate the calls (Ctrl+S)") : localized("Switch to the other call (Ctrl+S)")
    }

    /// Connects a toggle key to an action on the model, which may refuse the change.
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
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The call on the lock screen, with its number but without a name, and the keys to act on it.
@MainActor
final class LockedCall {
    /// The widget to be placed on the lock screen; hidden while there is no call.
    let widget: Widget
    private let builder: Builder
    private let phone: Phone
    private let number, decline, answer, mute, hangUp: Widget
    /// Whether the mute key is being set from the model, and is not to change it.
    private var isShowing = false

    init(resources: Resources, phone: Phone) throws(GLibError) {
        self.phone = phone
        builder = try Builder(file: resources.layout("locked-call"))
        widget = try builder.object("locked-call")
        number = try builder.object("number")
        decline = try builder.object("decline")
        answer = try builder.object("answer")
        mute = try builder.object("mute")
        hangUp = try builder.object("hang-up")
        gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
        gtk_widget_set_direction(number, GTK_TEXT_DIR_LTR)
        let calls = phone.calls
        Signal.connect(decline, "clicked") { calls.decline() }
        Signal.connect(answer, "clicked") { calls.answer() }
        Signal.connect(hangUp, "clicked") { [phone] in phone.hangUp() }
        Signal.connect(mute, "toggled") { [weak self] in
            guard let self, !isShowing else { return }
            calls.setMuted(gtk_toggle_button_get_active(mute.cast()) != 0)
        }
        show()
    }

    /// Updates the widget from the calls; an incoming call takes precedence over the current one.
    func show() {
        let calls = phone.calls
        let state = CallStrings.state(of: calls)
        let current = calls.current
        widget.isVisible = state != nil
        guard let state, let shown = calls.answerable ?? current else {
            number.text = ""
            return
        }
        isShowing = true
        defer { isShowing = false }
        widget.setAccessible(name: localizedIn("noun", "Call"))
        widget.setAccessible(description: state)
        number.text = CallStrings(number: phone.text, contactName: { _ in nil }).numberOrNone(shown.remote)
        let isIncoming = shown.state == .incoming || shown.state == .machine
        let (hadFocus, before) = (widget.holdsFocus, answer.isVisible)
        for key in [decline, answer] { key.isVisible = isIncoming }
        hangUp.isVisible = !isIncoming
        mute.isVisible = !isIncoming && shown.state.isLive && shown.canMute
        gtk_toggle_button_set_active(mute.cast(), shown.isMuted ? 1 : 0)
        // After Answer is pressed by keyboard, the focus moves to Hang up, which replaces it.
        if hadFocus, before != isIncoming { gtk_widget_grab_focus(isIncoming ? answer : hangUp) }
    }
}

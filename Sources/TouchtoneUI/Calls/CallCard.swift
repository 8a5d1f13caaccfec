// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Who is in the call, in the place of the digits while those are put away.
@MainActor
final class CallCard {
    /// The card, to be placed in the keypad.
    let widget: Widget
    private let builder: Builder
    private let initial: Widget
    private let name: Widget
    private let number: Widget
    private let state: Widget
    private let digits: Widget

    init(resources: Resources) throws(GLibError) {
        builder = try Builder(file: resources.layout("call-card"))
        widget = try builder.object("card")
        initial = try builder.object("initial")
        name = try builder.object("name")
        number = try builder.object("number")
        state = try builder.object("state")
        digits = try builder.object("digits")
        for label in [number, state, digits] { gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR) }
    }

    /// Shows a call.
    func show(_ call: OngoingCall, _ calls: CallKeeper, _ words: CallWords) {
        let known = words.name(call.number)
        name.text = known ?? words.numberOrNone(call.number)
        number.text = known == nil ? "" : words.numberOrNone(call.number)
        number.isVisible = known != nil
        initial.text = known?.first.map { String($0).uppercased() } ?? ""
        initial.isVisible = known?.isEmpty == false
        // Assistive tools have the name beside it.
        atk_object_set_role(gtk_widget_get_accessible(initial), ATK_ROLE_IMAGE)
        state.text = Self.sentence(call, calls)
        digits.text = call.digits
        digits.isVisible = !call.digits.isEmpty
        digits.setAccessible(description: "Keys sent")
    }

    /// What the call is at, and what is the matter with the microphone.
    private static func sentence(_ call: OngoingCall, _ calls: CallKeeper) -> String {
        let state = CallWords.state(of: call, calls)
        var text = state.prefix(1).uppercased() + state.dropFirst()
        if call.isMuted { text += ", muted" } else if call.lacksMicrophone { text += ", no microphone" }
        return text
    }
}

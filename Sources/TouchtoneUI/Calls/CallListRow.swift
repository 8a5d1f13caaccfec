// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A call in the list of all calls, with its keys.
@MainActor
final class CallListRow {
    let id: Call.ID
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 3, style: "call-row")
    private let who = Widget.wrappedLabel(style: "call-who")
    private let state = Widget.wrappedLabel(style: "call-state")
    private let hear = Widget.button("")
    private let join = Widget.button(localizedIn("verb", "Join"))
    private let end = Widget.button("")
    /// The name and the key words that are shown.
    private var shown: [String] = []

    init(_ id: Call.ID, _ calls: CallManager) {
        self.id = id
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
        gtk_box_set_homogeneous(keys.cast(), 1)
        for key in [hear, join, end] {
            keys.add(key, grows: true)
            gtk_widget_set_no_show_all(key, 1)
        }
        for part in [who, state, keys] { widget.add(part) }
        Signal.connect(hear, "clicked") {
            switch calls.calls.first(where: { $0.id == id })?.state {
            case .incoming: try? calls.answerCall(id)
            case .held: try? calls.resumeCall(id)
            default: try? calls.holdCall(id)
            }
        }
        Signal.connect(join, "clicked") { calls.join(id) }
        Signal.connect(end, "clicked") { calls.hangUp(id) }
    }

    func show(_ call: Call, _ calls: CallManager, _ strings: CallStrings) {
        let name = strings.who(call.remote)
        // A number is written from left to right, whatever the language.
        who.text = isolatedText(DirectionControls.contained(name))
        state.text = CallStrings.state(of: call, calls)
        let isRinging = call.state == .incoming
        let hearing =
            isRinging
            ? localizedIn("verb", "Answer")
            : call.state == .held ? localizedIn("verb", "Resume") : localizedIn("verb", "Hold")
        let ending = isRinging ? localizedIn("verb", "Decline") : localizedIn("verb", "End")
        let canHold = call.state.isConversation && call.state != .held && calls.canHold(call)
        set(hear, can: isRinging || canHold || calls.canResume(call))
        set(join, can: calls.canJoin(id))
        set(end, can: true)
        for key in [hear, join, end] { key.setAccessible(description: state.text) }
        guard shown != [name, hearing, ending] else { return }
        shown = [name, hearing, ending]
        gtk_button_set_label(hear.cast(), hearing)
        gtk_button_set_label(end.cast(), ending)
        let joining = localizedIn("verb", "Join")
        for (key, verb) in [(hear, hearing), (join, joining), (end, ending)] {
            key.setAccessible(name: localized("{action}: {name}", ["action": verb, "name": name]))
        }
    }

    /// Moves the focus to the first of its keys.
    func focus() { gtk_widget_grab_focus(hear.isVisible ? hear : end) }

    func remove() { gtk_widget_destroy(widget) }

    private func set(_ key: Widget, can: Bool) {
        if key.isVisible != can { key.isVisible = can }
    }
}

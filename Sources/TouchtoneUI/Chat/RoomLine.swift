// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The line above the conversation of a room: its topic and the number of people or, outside the room, the reason, with
/// a button to enter again.
@MainActor
final class RoomLine {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL)
    /// Called when the user wants to enter the room again.
    var onJoin: (@MainActor (ChatAddress) -> Void)?
    private let label = Widget.label(isCut: true, style: "typing-line")
    private let banner = PanelBanner()

    init() {
        gtk_widget_set_no_show_all(label, 1)
        widget.add(label)
        widget.add(banner.widget)
        cgtk_widget_set_accessible(label, nil, localized("Topic"))
    }

    /// Shows the state of a room, or nothing if it is nil.
    func show(_ room: Room?) {
        label.isVisible = room?.standing == .joined
        switch room?.standing {
        case .joined?:
            banner.show(nil)
            showTopic(room)
        case .joining?: banner.show(.init(text: localized("Joining…"), isFailure: false))
        case .outside(let reason)?:
            let text = reason?.text ?? localized("You are not in this room.")
            banner.show(
                .init(
                    text: PlainText.line(text, maximum: 400), verb: localizedIn("button", "Join"),
                    isFailure: reason != nil)
            ) { [weak self] in if let room { self?.onJoin?(room.address) } }
        case nil: banner.show(nil)
        }
    }

    private func showTopic(_ room: Room?) {
        let count = localizedPlural("{count} person", "{count} people", room?.peopleCount ?? 0)
        let topic = PlainText.line(room?.topic ?? "", maximum: 300)
        label.text =
            topic.isEmpty ? count : localized("{topic} — {people}", ["topic": topic, "people": count])
        gtk_widget_set_tooltip_text(label, topic.isEmpty ? nil : topic)
    }
}

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
    /// Called when a visitor of a moderated room wants to speak.
    var onRequestVoice: (@MainActor (ChatAddress) -> Void)?
    /// The room whose moderators were asked.
    private var asked: ChatAddress?
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
            showTopic(room)
            showVoice(room)
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

    private func showVoice(_ room: Room?) {
        guard let room, room.peopleCount > 0, !room.rights.contains(.speak) else {
            if asked == room?.address { asked = nil }
            return banner.show(nil)
        }
        guard asked != room.address else {
            return banner.show(
                .init(text: localized("The moderators were asked to let you speak."), isFailure: false))
        }
        banner.show(
            .init(
                text: localized("You can read in this room, but only others may speak."),
                verb: localized("Ask to Speak"), isFailure: false)
        ) { [weak self] in
            guard let self else { return }
            asked = room.address
            show(room)
            onRequestVoice?(room.address)
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

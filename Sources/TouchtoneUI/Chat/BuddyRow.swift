// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A row of the buddy list: presence light, name, status text, unread count and picture.
@MainActor
final class BuddyRow: ListRow {
    let ref = BuddyRow.makeBox(style: "buddy")
    private let light = Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "light")
    private let name = Widget.label(isCut: true, style: "buddy-name")
    private let words = Widget.label(isCut: true, style: "buddy-words")
    private let unread = Widget.label(style: "badge")
    private let avatar = Avatar(side: 22, growsWithText: true)
    private var lightStyle = ""

    init() {
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10)
        gtk_container_add(box.cast(), line)
        gtk_widget_set_valign(light, GTK_ALIGN_CENTER)
        line.add(light)
        line.add(name)
        line.add(words, grows: true)
        gtk_box_pack_end(line.cast(), avatar.widget, 0, 0, 0)
        gtk_widget_set_valign(unread, GTK_ALIGN_CENTER)
        gtk_box_pack_end(line.cast(), unread, 0, 0, 0)
        for part in [unread, avatar.widget, words] { gtk_widget_set_no_show_all(part, 1) }
    }

    func show(
        _ buddy: BuddyList.Row, of id: ConversationID, isSelected: Bool,
        pictures: AvatarLoader<ConversationID>
    ) {
        let shownName = PlainText.line(buddy.name)
        name.text = shownName
        let own = PlainText.line(buddy.status)
        // A conversation with a number is not at the name of its contact alone.
        let number = buddy.person.numberText == buddy.name ? "" : buddy.person.numberText
        words.text = Self.state(of: buddy) ?? (own.isEmpty && !number.isEmpty ? isolatedText(number) : own)
        words.isVisible = !words.text.isEmpty
        words.set(style: "typing", buddy.isTyping)
        let count = localizedBadge(buddy.unread)
        // Translators: the number of unread messages in a room, some of which mention the user.
        unread.text = buddy.isMentioned ? localized("@ {count}", ["count": count]) : count
        unread.isVisible = buddy.unread > 0
        box.set(style: "selected", isSelected)
        box.set(style: "offline", buddy.availability == .offline)
        if lightStyle != buddy.availability.style {
            light.set(style: lightStyle, false)
            lightStyle = buddy.availability.style
            light.set(style: lightStyle, true)
        }
        avatar.show(pictures, of: id)
        let room = buddy.isMentioned ? localized("room, mentions you") : localized("room")
        let presence = buddy.room == nil ? buddy.availability.text : room
        box.setAccessible(
            name: buddy.unread > 0
                ? localizedPlural(
                    "{name}, {presence}, {count} unread", "{name}, {presence}, {count} unread", buddy.unread,
                    ["name": shownName, "presence": presence])
                : localized("{name}, {presence}", ["name": shownName, "presence": presence]))
        box.setAccessible(description: words.text)
        let tip = [buddy.id == .operatorAddress ? "" : PlainText.line(buddy.id.text), own].filter {
            !$0.isEmpty
        }
        gtk_widget_set_tooltip_text(box, tip.isEmpty ? nil : tip.joined(separator: "\n"))
    }

    /// Returns the text that replaces the buddy's status, or nil to show the status.
    private static func state(of buddy: BuddyList.Row) -> String? {
        switch buddy.room?.standing {
        case .joining?: return localized("joining…")
        case .outside?: return localized("not in the room")
        case .joined?, nil: break
        }
        if buddy.isTyping { return localized("typing…") }
        if buddy.isBlocked { return localizedIn("buddy", "blocked") }
        return buddy.isAsked ? localized("request sent") : nil
    }
}

extension Availability {
    var style: String {
        switch self {
        case .chat, .online: "online"
        case .away, .extendedAway: "away"
        case .busy: "busy"
        case .offline: "offline"
        }
    }
}

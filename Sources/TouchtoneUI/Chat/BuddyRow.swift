// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A row of the list of conversations and people.
@MainActor
final class BuddyRow: ListRow {
    /// The contents of a row.
    struct Content {
        let buddy: BuddyList.Row
        let isSelected: Bool
        /// Whether the title of the people without a conversation is above the row.
        let isFirstPerson: Bool
        /// The name of the account; empty if there is only one.
        let account: String
        let picture: Picture?
        let now: ChatTime
    }

    let ref = BuddyRow.makeBox(style: "buddy", "conversation-row")
    private let section = Widget.label(localized("PEOPLE"), style: "section")
    private let avatar = Avatar(side: 40, growsWithText: true)
    private let name = Widget.label(isCut: true, style: "buddy-name")
    private let account = Widget.label(isCut: true, style: "buddy-time")
    private let pin = BuddyRow.mark("view-pin-symbolic")
    private let mute = BuddyRow.mark("notifications-disabled-symbolic")
    private let time = Widget.label(style: "buddy-time")
    private let kind = BuddyRow.mark("text-x-generic-symbolic")
    private var kindIcon = ""
    private let words = Widget.label(isCut: true, style: "buddy-words")
    private let unread = Widget.label(style: "badge")
    private let mention = Widget.label("@", style: "badge", "mention")

    init() {
        let column = Widget.box(GTK_ORIENTATION_VERTICAL)
        gtk_container_add(box.cast(), column)
        column.add(section)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, style: "buddy-line")
        column.add(line, grows: true)
        line.add(avatar.widget)
        let texts = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
        line.add(texts, grows: true)
        let (title, preview) = (
            Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4),
            Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        )
        for part in [title, preview] { texts.add(part) }
        for part in [name, account, pin, mute] { title.add(part) }
        gtk_box_pack_end(title.cast(), time, 0, 0, 0)
        preview.add(kind)
        preview.add(words, grows: true)
        for badge in [mention, unread] {
            gtk_widget_set_valign(badge, GTK_ALIGN_CENTER)
            gtk_box_pack_end(preview.cast(), badge, 0, 0, 0)
        }
        for part in [section, account, pin, mute, time, kind, unread, mention] {
            gtk_widget_set_no_show_all(part, 1)
        }
    }

    private static func mark(_ icon: String) -> Widget {
        let image: Widget = gtk_image_new_from_icon_name(icon, GTK_ICON_SIZE_MENU)
        gtk_image_set_pixel_size(image.cast(), 12)
        image.growIconWithText()
        // GTK would name it after its picture, and the words beside it say the same.
        cgtk_widget_set_accessible(image, "", nil)
        image.set(style: "buddy-mark", true)
        return image
    }

    func show(_ content: Content) {
        let buddy = content.buddy
        let preview = PreviewLine(of: buddy)
        section.isVisible = content.isFirstPerson
        name.text = PlainText.line(buddy.name)
        account.text = content.account
        account.isVisible = !content.account.isEmpty
        (pin.isVisible, mute.isVisible) = (buddy.isPinned, buddy.isMuted)
        time.text = buddy.last.map { LocaleStamps().short($0.time, now: content.now) } ?? ""
        time.isVisible = !time.text.isEmpty
        show(preview)
        unread.text = localizedBadge(buddy.unread)
        unread.isVisible = buddy.unread > 0
        unread.set(style: "quiet", buddy.isMuted)
        mention.isVisible = buddy.isMentioned && buddy.unread > 0
        box.set(style: "selected", content.isSelected)
        box.set(style: "unread", buddy.unread > 0 && !buddy.isMuted)
        avatar.show(content.picture, Self.face(of: buddy))
        tell(buddy, preview)
    }

    private func show(_ preview: PreviewLine) {
        words.text = preview.text
        words.set(style: "typing", preview.isTyping)
        kind.isVisible = preview.icon != nil
        guard let icon = preview.icon, icon != kindIcon else { return }
        kindIcon = icon
        gtk_image_set_from_icon_name(kind.cast(), icon, GTK_ICON_SIZE_MENU)
    }

    static func face(of buddy: BuddyList.Row) -> Avatar.Face {
        guard buddy.room == nil else { return Avatar.Face(kind: .room, name: buddy.name) }
        guard buddy.person.numberText.isEmpty || buddy.person.name != nil else {
            return Avatar.Face(kind: .number, name: buddy.name)
        }
        return Avatar.Face(name: buddy.name, presence: buddy.availability)
    }

    /// Sets what assistive tools and the tooltip say.
    private func tell(_ buddy: BuddyList.Row, _ preview: PreviewLine) {
        let shownName = PlainText.line(buddy.name)
        let room = buddy.isMentioned ? localized("room, mentions you") : localized("room")
        let presence = buddy.room == nil ? buddy.availability.text : room
        box.setAccessible(
            name: buddy.unread > 0
                ? localizedPlural(
                    "{name}, {presence}, {count} unread", "{name}, {presence}, {count} unread", buddy.unread,
                    ["name": shownName, "presence": presence])
                : localized("{name}, {presence}", ["name": shownName, "presence": presence]))
        let told = [
            preview.text == presence ? "" : preview.text, time.text, account.text,
            buddy.isPinned ? localizedIn("conversation", "pinned") : "",
            buddy.isMuted ? localizedIn("conversation", "muted") : "",
        ]
        box.setAccessible(description: localizedList(told.filter { !$0.isEmpty }))
        let tip = [
            buddy.id == .operatorAddress ? "" : PlainText.line(buddy.id.text), PlainText.line(buddy.status),
        ].filter { !$0.isEmpty }
        gtk_widget_set_tooltip_text(box, tip.isEmpty ? nil : tip.joined(separator: "\n"))
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

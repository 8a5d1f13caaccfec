// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A row of the list of conversations and people, or of what a search has found.
@MainActor
final class BuddyRow: ListRow {
    /// The contents of the row of a conversation or a person.
    struct Content {
        let buddy: BuddyList.Row
        let isSelected: Bool
        /// The title above the row; empty for none.
        let section: String
        /// The name of the account; empty if there is only one.
        let account: String
        let picture: Picture?
        let now: ChatTime
    }

    /// The contents of the row of a message that a search has found.
    struct Found {
        let section: String
        let title, account, time: String
        let words: [FoundMessage.Piece]
        /// The picture of the conversation; nil for none.
        let avatar: (picture: Picture?, face: Avatar.Face)?
    }

    let ref = BuddyRow.makeBox(style: "buddy", "conversation-row")
    private let section = Widget.label(style: "section")
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
        for part in [section, avatar.widget, account, pin, mute, time, words, kind, unread, mention] {
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
        show(
            section: content.section, title: PlainText.line(buddy.name), account: content.account,
            time: buddy.last.map { LocaleStamps().short($0.time, now: content.now) } ?? "")
        (pin.isVisible, mute.isVisible) = (buddy.isPinned, buddy.isMuted)
        show(preview)
        unread.text = localizedBadge(buddy.unread)
        unread.isVisible = buddy.unread > 0
        unread.set(style: "quiet", buddy.isMuted)
        mention.isVisible = buddy.isMentioned && buddy.unread > 0
        box.set(style: "selected", content.isSelected)
        box.set(style: "unread", buddy.unread > 0 && !buddy.isMuted)
        avatar.show(content.picture, Self.face(of: buddy))
        avatar.widget.isVisible = true
        tell(buddy, preview)
    }

    /// Shows a message, with what was looked for in bold.
    func show(_ found: Found) {
        showPlain(section: found.section, title: found.title, account: found.account, time: found.time)
        words.isVisible = true
        // The rest is as pale as a contrast of 4.5:1 allows, and 7:1 in high contrast.
        let markup = found.words.map { piece in
            let text = Markup.escaped(piece.text)
            return piece.isHit ? "<b>\(text)</b>" : "<span alpha=\"80%\">\(text)</span>"
        }
        gtk_label_set_markup(words.cast(), markup.joined())
        words.set(style: "found", true)
        avatar.widget.isVisible = found.avatar != nil
        if let (picture, face) = found.avatar { avatar.show(picture, face) }
        let text = found.words.map(\.text).joined()
        box.setAccessible(
            name: localized(
                "{sender}, {time}: {text}", ["sender": found.title, "time": found.time, "text": text]))
        box.setAccessible(description: found.account)
    }

    /// Shows a row that leads to more results.
    func show(more title: String) {
        showPlain(section: "", title: title, account: "", time: "")
        (words.isVisible, avatar.widget.isVisible) = (false, false)
        box.setAccessible(name: title)
        box.setAccessible(description: "")
    }

    /// Shows what all rows have.
    private func show(section: String, title: String, account: String, time: String) {
        self.section.text = section
        self.section.isVisible = !section.isEmpty
        name.text = title
        self.account.text = account
        self.account.isVisible = !account.isEmpty
        self.time.text = time
        self.time.isVisible = !time.isEmpty
    }

    /// Shows what all rows have, and nothing that only conversations have.
    private func showPlain(section: String, title: String, account: String, time: String) {
        show(section: section, title: title, account: account, time: time)
        for part in [pin, mute, kind, unread, mention] { part.isVisible = false }
        for style in ["selected", "unread"] { box.set(style: style, false) }
        words.set(style: "typing", false)
        gtk_widget_set_tooltip_text(box, nil)
    }

    private func show(_ preview: PreviewLine) {
        words.text = preview.text
        words.isVisible = true
        words.set(style: "found", false)
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

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A contact in the list: its picture or initial, name and company, and an icon if the desktop provides it.
@MainActor
final class ContactRow: ListRow {
    let ref = ContactRow.makeBox(style: "buddy", "contact")
    private let avatar = Avatar(side: 26, growsWithText: true)
    private let name = Widget.label(isCut: true, style: "buddy-name")
    private let company = Widget.label(isCut: true, style: "buddy-words")
    private let mark = Widget.icon("x-office-address-book-symbolic")

    init() {
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10)
        gtk_container_add(box.cast(), line)
        line.add(avatar.widget)
        line.add(name)
        line.add(company, grows: true)
        mark.set(style: "contact-mark", true)
        gtk_box_pack_end(line.cast(), mark, 0, 0, 0)
        for part in [mark, company] { gtk_widget_set_no_show_all(part, 1) }
        // The name is more important, so the company gets only the remaining width.
        gtk_label_set_width_chars(company.cast(), 0)
    }

    /// `origin` is the phrase that names its address book on the desktop; nil for one of the phone's own.
    func show(
        _ contact: Contact, pictures: AvatarLoader<Contact.ID>, place: (index: Int, count: Int),
        origin: String?
    ) {
        let card = contact.card
        let shownName = PlainText.line(card.name)
        let organization = PlainText.line(card.organization)
        name.text = shownName
        company.text = organization == shownName ? "" : organization
        company.isVisible = !company.text.isEmpty
        mark.isVisible = origin != nil
        avatar.show(pictures, of: contact.id, name: shownName)
        let parts = [shownName, company.text, origin ?? ""]
        box.setAccessible(name: localizedList(parts.filter { !$0.isEmpty }))
        box.setAccessible(
            description: localized(
                "{position} of {count}",
                ["position": localizedNumber(place.index + 1), "count": localizedNumber(place.count)]))
        gtk_widget_set_tooltip_text(box, origin.map { "\(shownName)\n\($0)" } ?? shownName)
    }
}

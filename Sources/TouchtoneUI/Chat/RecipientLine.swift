// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The line above a conversation that is not encrypted: the number that messages go to, and a warning.
@MainActor
final class RecipientLine {
    let widget = Widget.label(isCut: true, style: "typing-line")

    init() { gtk_widget_set_no_show_all(widget, 1) }

    /// Shows the number of a conversation, or nothing if it has none.
    func show(_ buddy: BuddyList.Row?) {
        let number = PlainText.line(buddy?.person.numberText ?? "")
        widget.isVisible = !number.isEmpty
        widget.text =
            number.isEmpty ? "" : localized("{number} — not encrypted", ["number": number])
        gtk_widget_set_tooltip_text(
            widget,
            localized("The gateway and the phone networks can read these messages."))
    }

    /// Returns the placeholder of the message field, which says where a message goes.
    static func hint(_ buddy: BuddyList.Row?, name: String) -> String {
        guard let person = buddy?.person else { return localized("Message {name}", ["name": name]) }
        if !person.numberText.isEmpty {
            return localized("To {number} — not encrypted", ["number": PlainText.line(person.numberText)])
        }
        // A contact may have several conversations under one name.
        guard person.contact != nil, let buddy else { return localized("Message {name}", ["name": name]) }
        return localized("To {address}", ["address": PlainText.line(buddy.id.text)])
    }
}

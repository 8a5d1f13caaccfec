// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
package import TouchtoneCore

// What the bench does and looks at.
extension ContactsPage {
    /// A page in a panel of the bench's own.
    package static func measured(
        resources: Resources, settings: Settings, book: ContactBook, vCards: any VCardCoding, phone: Phone,
        toast: Toast
    ) -> ContactsPage {
        ContactsPage(
            book: book, vCards: vCards,
            environment: ContactsPageEnvironment(
                phone: phone, showPhone: {}, message: nil, toast: toast,
                pad: NumberPad(resources: resources, settings: settings), askFile: { _ in nil }))
    }

    /// How many rows of contacts are built.
    package var shownContacts: Int { view.list.builtIDs.count }

    /// How many contacts are found.
    package var foundContacts: Int { view.list.ids.count }

    /// Types into the field that finds.
    package func find(_ text: String) { view.find(text) }

    /// Moves the contacts as the wheel does, by so many pixels.
    package func scroll(by pixels: Double) {
        let adjustment = view.list.adjustment
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + pixels)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The picture of the contact who calls, in the display while ANSWER would answer the call.
@MainActor
final class CallerPortrait {
    private let phone: Phone
    private let contacts: ContactBook
    private let display: DisplayView
    /// The contact whose picture is shown or read.
    private var caller: Contact.ID?

    init(_ phone: Phone, _ contacts: ContactBook, on display: DisplayView) {
        (self.phone, self.contacts, self.display) = (phone, contacts, display)
    }

    func show() {
        let ringing = phone.dialKey == .answer ? phone.calls.incoming : nil
        show(ringing.flatMap { contacts.contact(for: $0.remote) }.flatMap { $0.card.hasPhoto ? $0.id : nil })
    }

    func hide() { show(nil) }

    private func show(_ new: Contact.ID?) {
        guard new != caller else { return }
        caller = new
        // The rows make room at once, and do not move when the picture has been read.
        display.show(portrait: nil, hasPlace: new != nil)
        guard let new else { return }
        Task { [weak self, contacts] in
            guard let file = await contacts.photo(of: new), self?.caller == new else { return }
            Picture.read(file, side: DotPortrait.dots, scale: 1) { picture in
                guard let self, self.caller == new else { return }
                self.display.show(portrait: picture, hasPlace: true)
            }
        }
    }
}

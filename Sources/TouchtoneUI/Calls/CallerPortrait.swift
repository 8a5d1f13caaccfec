// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The picture of the contact or buddy who calls, in the display while ANSWER would answer the call.
@MainActor
final class CallerPortrait {
    private let phone: Phone
    private let contacts: ContactBook
    private let display: DisplayView
    /// Whose picture is shown or read.
    private var caller: Caller?

    private enum Caller: Hashable {
        case contact(Contact.ID)
        /// A buddy who publishes a picture.
        case buddy(ChatAddress)
    }

    init(_ phone: Phone, _ contacts: ContactBook, on display: DisplayView) {
        (self.phone, self.contacts, self.display) = (phone, contacts, display)
    }

    func show() {
        let ringing = phone.dialKey == .answer ? phone.calls.incoming : nil
        show(ringing.flatMap { caller(of: $0.remote) })
    }

    func hide() { show(nil) }

    /// Returns whose picture there is: as with the name, that of the contact comes before that of the buddy.
    private func caller(of remote: RemoteParty) -> Caller? {
        if let contact = contacts.contact(for: remote), contact.card.hasPhoto { return .contact(contact.id) }
        guard let person = remote.jabberAddress, phone.jabber?.picture(of: person) != nil else { return nil }
        return .buddy(person)
    }

    private func picture(of caller: Caller) async -> [UInt8]? {
        switch caller {
        case .contact(let id): await contacts.photo(of: id)
        case .buddy(let person): phone.jabber?.picture(of: person)
        }
    }

    private func show(_ new: Caller?) {
        guard new != caller else { return }
        caller = new
        // The rows make room at once, and do not move when the picture has been read.
        display.show(portrait: nil, hasPlace: new != nil)
        guard let new else { return }
        Task { [weak self] in
            guard let file = await self?.picture(of: new), self?.caller == new else { return }
            Picture.read(file, side: DotPortrait.dots, scale: 1) { picture in
                guard let self, self.caller == new else { return }
                self.display.show(portrait: picture, hasPlace: true)
            }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The pictures of the people who call: as with names, that of the contact comes before that of the buddy.
@MainActor
struct CallerPictures {
    enum Source: Hashable {
        case contact(Contact.ID)
        /// A buddy who publishes a picture.
        case buddy(ChatAddress)
    }

    let phone: Phone
    let contacts: ContactBook

    /// Returns where the picture of a caller is; nil if there is none.
    func source(of remote: RemoteParty) -> Source? {
        if let contact = contacts.contact(for: remote), contact.card.hasPhoto { return .contact(contact.id) }
        guard let person = remote.jabberAddress, phone.jabber?.picture(of: person) != nil else { return nil }
        return .buddy(person)
    }

    /// Returns the image file, which anybody may have made; nil if it is gone.
    func file(_ source: Source) async -> [UInt8]? {
        switch source {
        case .contact(let id): await contacts.photo(of: id)
        case .buddy(let person): phone.jabber?.picture(of: person)
        }
    }
}

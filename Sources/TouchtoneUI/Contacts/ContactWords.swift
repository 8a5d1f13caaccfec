// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What is said of contacts, in words.
enum ContactWords {
    /// Where a way reaches; nothing where that is not said.
    static func place(_ place: ContactWay.Place) -> String {
        switch place {
        case .other: ""
        case .home: "home"
        case .work: "work"
        case .mobile: "mobile"
        case .fax: "fax"
        }
    }

    /// What a way is: `mobile`, `number`, `Jabber`, `SIP, work`.
    static func label(_ way: ContactWay) -> String {
        let place = place(way.place)
        switch way.kind {
        case .number: return place.isEmpty ? "number" : place
        case .sip: return place.isEmpty ? "SIP" : "SIP, \(place)"
        case .xmpp: return place.isEmpty ? "Jabber" : "Jabber, \(place)"
        }
    }

    /// What a field for a way is for.
    static func field(_ kind: ContactWay.Kind) -> String {
        switch kind {
        case .number: "Number"
        case .sip: "SIP address"
        case .xmpp: "Jabber address"
        }
    }

    /// Which of the desktop's books a contact is from; nil for one of the phone's own.
    @MainActor
    static func origin(of id: Contact.ID, in book: ContactBook) -> String? {
        book.bookName(of: id).map { $0.isEmpty ? "the desktop’s contacts" : PlainText.line($0, most: 60) }
    }

    /// A number of things.
    static func count(_ number: Int) -> String { localizedNumber(number) }

    /// A number of contacts.
    static func contacts(_ number: Int) -> String {
        localizedPlural("{count} contact", "{count} contacts", number)
    }

    /// Why a draft can't be kept.
    static func text(_ mistake: ContactDraft.Mistake, in draft: ContactDraft) -> String {
        func typed(_ index: Int) -> String { PlainText.line(draft.ways[index].text, most: 60) }
        switch mistake {
        case .empty: return "Give a name, or a number."
        case .tooLong(let field, let most):
            let name =
                switch field {
                case .name: "The name"
                case .organization: "The company"
                case .note: "The note"
                }
            return "\(name) is longer than \(count(most)) characters."
        case .tooManyWays: return "A contact has \(ContactCard.mostWays) numbers and addresses at most."
        case .notANumber(let index): return "There is no number in “\(typed(index))”."
        case .numberTooLong: return "A number has \(DialledNumber.capacity) digits at most."
        case .notASIPAddress(let index):
            return "“\(typed(index))” is no SIP address; one looks like sip:grace@example.org."
        case .notAJabberAddress(let index):
            return "“\(typed(index))” is no Jabber address; one looks like grace@example.org."
        case .wayTooLong: return "An address has \(ContactCard.longestText) characters at most."
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What is said of contacts, in words.
enum ContactStrings {
    /// Where a way reaches; nothing where that is not said.
    static func label(_ label: ContactMethod.Label) -> String {
        switch label {
        case .other: ""
        case .home: "home"
        case .work: "work"
        case .mobile: "mobile"
        case .fax: "fax"
        }
    }

    /// What a way is: `mobile`, `number`, `Jabber`, `SIP, work`.
    static func label(_ method: ContactMethod) -> String {
        let label = label(method.label)
        switch method.kind {
        case .number: return label.isEmpty ? "number" : label
        case .sip: return label.isEmpty ? "SIP" : "SIP, \(label)"
        case .xmpp: return label.isEmpty ? "Jabber" : "Jabber, \(label)"
        }
    }

    /// What a field for a way is for.
    static func field(_ kind: ContactMethod.Kind) -> String {
        switch kind {
        case .number: "Number"
        case .sip: "SIP address"
        case .xmpp: "Jabber address"
        }
    }

    /// Which of the desktop's books a contact is from; nil for one of the phone's own.
    @MainActor
    static func origin(of id: Contact.ID, in book: ContactBook) -> String? {
        book.bookName(of: id).map { $0.isEmpty ? "the desktop’s contacts" : PlainText.line($0, maximum: 60) }
    }

    /// A number of things.
    static func count(_ number: Int) -> String { localizedNumber(number) }

    /// A number of contacts.
    static func contacts(_ number: Int) -> String {
        localizedPlural("{count} contact", "{count} contacts", number)
    }

    /// Why a draft can't be kept.
    static func text(_ mistake: ContactDraft.ValidationError, in draft: ContactDraft) -> String {
        func typed(_ index: Int) -> String { PlainText.line(draft.methods[index].text, maximum: 60) }
        switch mistake {
        case .empty: return "Give a name, or a number."
        case .tooLong(let field, let maximum):
            let name =
                switch field {
                case .name: "The name"
                case .organization: "The company"
                case .note: "The note"
                }
            return "\(name) is longer than \(count(maximum)) characters."
        case .tooManyMethods:
            return "A contact has \(ContactCard.maximumMethods) numbers and addresses at most."
        case .notANumber(let index): return "There is no number in “\(typed(index))”."
        case .numberTooLong: return "A number has \(DialledNumber.capacity) digits at most."
        case .notASIPAddress(let index):
            return "“\(typed(index))” is no SIP address; one looks like sip:grace@example.org."
        case .notAJabberAddress(let index):
            return "“\(typed(index))” is no Jabber address; one looks like grace@example.org."
        case .methodTooLong: return "An address has \(ContactCard.maximumTextLength) characters at most."
        }
    }
}

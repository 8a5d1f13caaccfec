// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// User-visible texts about contacts.
enum ContactStrings {
    /// Returns the text for a label; empty for `other`.
    static func label(_ label: ContactMethod.Label) -> String {
        switch label {
        case .other: ""
        case .home: localizedIn("kind of number or address", "home")
        case .work: localizedIn("kind of number or address", "work")
        case .mobile: localizedIn("kind of number or address", "mobile")
        case .fax: localizedIn("kind of number or address", "fax")
        }
    }

    /// Returns the text for the type of a method, such as “mobile”, “number”, “Jabber” or “SIP, work”.
    static func label(_ method: ContactMethod) -> String {
        let label = label(method.label)
        switch method.kind {
        case .number: return label.isEmpty ? localizedIn("kind of number or address", "number") : label
        case .sip: return label.isEmpty ? localized("SIP") : localized("SIP, {kind}", ["kind": label])
        case .xmpp: return label.isEmpty ? localized("Jabber") : localized("Jabber, {kind}", ["kind": label])
        }
    }

    static func field(_ kind: ContactMethod.Kind) -> String {
        switch kind {
        case .number: localized("Number")
        case .sip: localized("SIP address")
        case .xmpp: localized("Jabber address")
        }
    }

    /// Returns the accessible name of the button that removes a field.
    static func removal(of kind: ContactMethod.Kind) -> String {
        switch kind {
        case .number: localized("Remove Number")
        case .sip: localized("Remove SIP address")
        case .xmpp: localized("Remove Jabber address")
        }
    }

    static var emptyMemoryKey: String { localizedIn("memory key", "empty") }

    /// Returns the phrase that names a contact's address book on the desktop; nil for one of the phone's own contacts.
    @MainActor
    static func origin(of id: Contact.ID, in book: ContactBook) -> String? {
        book.bookName(of: id).map {
            $0.isEmpty
                ? localized("from the desktop’s address book")
                : localized("from {book}", ["book": PlainText.line($0, maximum: 60)])
        }
    }

    static func text(_ error: ContactDraft.ValidationError, in draft: ContactDraft) -> String {
        func typed(_ index: Int) -> String { PlainText.line(draft.methods[index].text, maximum: 60) }
        switch error {
        case .empty: return localized("Enter a name or a number.")
        case .tooLong(.name, let maximum):
            return localizedPlural(
                "The name is longer than {count} character.", "The name is longer than {count} characters.",
                maximum)
        case .tooLong(.organization, let maximum):
            return localizedPlural(
                "The company is longer than {count} character.",
                "The company is longer than {count} characters.",
                maximum)
        case .tooLong(.note, let maximum):
            return localizedPlural(
                "The note is longer than {count} character.", "The note is longer than {count} characters.",
                maximum)
        case .tooManyMethods:
            return localizedPlural(
                "A contact can have at most {count} number or address.",
                "A contact can have at most {count} numbers and addresses.", ContactCard.maximumMethods)
        case .notANumber(let index):
            return localized("“{text}” is not a phone number.", ["text": typed(index)])
        case .numberTooLong:
            return localizedPlural(
                "A number can have at most {count} digit.", "A number can have at most {count} digits.",
                DialledNumber.capacity)
        case .notASIPAddress(let index):
            return localized(
                "“{text}” is not a SIP address. Example: sip:grace@example.org", ["text": typed(index)])
        case .notAJabberAddress(let index):
            return localized(
                "“{text}” is not a Jabber address. Example: grace@example.org", ["text": typed(index)])
        case .methodTooLong:
            return localizedPlural(
                "An address can have at most {count} character.",
                "An address can have at most {count} characters.",
                ContactCard.maximumTextLength)
        }
    }
}

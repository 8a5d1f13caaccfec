// SPDX-License-Identifier: GPL-3.0-or-later

/// A contact in the editor's fields, before it is saved.
public struct ContactDraft: Hashable, Sendable {
    /// The name, as typed.
    public var name: String
    /// The company, as typed.
    public var organization: String
    /// The numbers and addresses, as typed; empty ones are ignored.
    public var methods: [ContactMethod]
    public var note: String
    public var photo: PhotoChange
    public let hadPhoto: Bool
    private let rest: String

    public init(_ card: ContactCard = ContactCard(name: "")) {
        (name, organization, methods, note) = (card.name, card.organization, card.methods, card.note)
        (photo, hadPhoto, rest) = (.kept, card.hasPhoto, card.rest)
    }

    /// Whether the contact has a picture after the draft is saved.
    public var hasPhoto: Bool {
        switch photo {
        case .kept: hadPhoto
        case .removed: false
        case .set: true
        }
    }

    /// Returns whether saving the draft would change a card.
    public func differs(from card: ContactCard) -> Bool {
        var plain = self
        plain.methods.removeAll { $0.text.trimmed.isEmpty }
        return plain != ContactDraft(card)
    }

    public enum ValidationError: Error, Hashable, Sendable {
        /// The draft has neither a name, a company, a number nor an address.
        case empty
        /// The field is too long; it can have `maximum` characters.
        case tooLong(Field, maximum: Int)
        case tooManyMethods
        case notANumber(Int)
        /// The method with that index has too many digits for a number.
        case numberTooLong(Int)
        case notASIPAddress(Int)
        case notAJabberAddress(Int)
        case methodTooLong(Int)
    }

    public enum Field: Hashable, Sendable {
        case name
        case organization
        case note
    }
}

extension ContactDraft {
    /// Returns the trimmed card to save; the company, or else the first number or address, replaces a missing
    /// name.
    public func card() throws(ValidationError) -> ContactCard {
        let (name, organization) = (self.name.trimmed, self.organization.trimmed)
        guard name.count <= ContactCard.maximumTextLength else {
            throw .tooLong(.name, maximum: ContactCard.maximumTextLength)
        }
        guard organization.count <= ContactCard.maximumTextLength else {
            throw .tooLong(.organization, maximum: ContactCard.maximumTextLength)
        }
        guard note.count <= ContactCard.maximumNoteLength else {
            throw .tooLong(.note, maximum: ContactCard.maximumNoteLength)
        }
        var methods: [ContactMethod] = []
        for (index, method) in self.methods.enumerated() where !method.text.trimmed.isEmpty {
            methods.append(try Self.checked(method, at: index))
        }
        guard methods.count <= ContactCard.maximumMethods else { throw .tooManyMethods }
        guard let called = [name, organization, methods.first?.text ?? ""].first(where: { !$0.isEmpty })
        else {
            throw .empty
        }
        return ContactCard(
            name: called, organization: organization, methods: methods, note: note, hasPhoto: hasPhoto,
            rest: rest)
    }

    private static func checked(_ method: ContactMethod, at index: Int) throws(ValidationError)
        -> ContactMethod
    {
        var method = method
        method.text = method.text.trimmed
        guard method.text.count <= ContactCard.maximumTextLength else { throw .methodTooLong(index) }
        switch method.kind {
        case .number:
            switch DialledNumber.read(method.text) {
            case .number(let number) where number.isDialable: break
            case .number, .noDigits: throw .notANumber(index)
            case .tooLong: throw .numberTooLong(index)
            }
        case .sip:
            if !SIPURI.hasScheme(method.text) { method.text = "sip:\(method.text)" }
            guard isAddress(method.text.drop { $0 != ":" }.dropFirst()) else { throw .notASIPAddress(index) }
        case .xmpp:
            if XMPPURI.hasScheme(method.text) {
                guard let link = try? XMPPURI(method.text) else { throw .notAJabberAddress(index) }
                method.text = link.address
            }
            guard isAddress(method.text[...]) else { throw .notAJabberAddress(index) }
        }
        return method
    }

    /// Whether the text has the form `user@host`; only its service can tell whether the address exists.
    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains { $0.isWhitespace }
    }
}

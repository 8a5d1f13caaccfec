// SPDX-License-Identifier: GPL-3.0-or-later

/// What somebody types of a contact, as it stands in the fields, before it is kept.
public struct ContactDraft: Hashable, Sendable {
    /// The name, as it was typed.
    public var name: String
    /// The company, as it was typed.
    public var organization: String
    /// The ways, as they were typed; those without a text count for nothing.
    public var methods: [ContactMethod]
    /// The note.
    public var note: String
    /// What becomes of the picture.
    public var photo: PhotoChange
    /// Whether there was a picture before.
    public let hadPhoto: Bool
    /// What the card has besides, that nobody types.
    private let rest: String

    /// A draft that says what a card does, or nothing.
    public init(_ card: ContactCard = ContactCard(name: "")) {
        (name, organization, methods, note) = (card.name, card.organization, card.methods, card.note)
        (photo, hadPhoto, rest) = (.kept, card.hasPhoto, card.rest)
    }

    /// Whether the contact has a picture, if the draft is kept.
    public var hasPhoto: Bool {
        switch photo {
        case .kept: hadPhoto
        case .removed: false
        case .set: true
        }
    }

    /// Whether it would change anything of a card.
    public func differs(from card: ContactCard) -> Bool {
        var plain = self
        plain.methods.removeAll { Self.trimmed($0.text).isEmpty }
        return plain != ContactDraft(card)
    }

    /// Why a draft can't be kept.
    public enum ValidationError: Error, Hashable, Sendable {
        /// There is neither a name nor anything else to call the contact by.
        case empty
        /// The name, the company or the note is too long: which, and how many characters there are at most.
        case tooLong(Field, maximum: Int)
        /// There are more ways than a card has.
        case tooManyMethods
        /// A way, by its index, says no number or address.
        case notANumber(Int)
        /// A way, by its index, has more digits than a number can.
        case numberTooLong(Int)
        /// A way, by its index, is no SIP address.
        case notASIPAddress(Int)
        /// A way, by its index, is no Jabber address.
        case notAJabberAddress(Int)
        /// A way, by its index, is too long.
        case methodTooLong(Int)
    }

    /// A field that is no way.
    public enum Field: Hashable, Sendable {
        /// What it is called.
        case name
        /// The company.
        case organization
        /// The note.
        case note
    }
}

extension ContactDraft {
    /// The card that the draft comes to: without spaces at the ends, and called by something.
    ///
    /// Without a name, the company, else the first way, stands for it.
    public func card() throws(ValidationError) -> ContactCard {
        let (name, organization) = (Self.trimmed(self.name), Self.trimmed(self.organization))
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
        for (index, method) in self.methods.enumerated() where !Self.trimmed(method.text).isEmpty {
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
        method.text = trimmed(method.text)
        guard method.text.count <= ContactCard.maximumTextLength else { throw .methodTooLong(index) }
        switch method.kind {
        case .number:
            switch DialledNumber.read(method.text) {
            case .number(let number) where number.isDialable: break
            case .number, .noDigits: throw .notANumber(index)
            case .tooLong: throw .numberTooLong(index)
            }
        case .sip:
            let lower = method.text.lowercased()
            if !lower.hasPrefix("sip:"), !lower.hasPrefix("sips:") { method.text = "sip:\(method.text)" }
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

    /// Whether it looks like `user@host`; whether it is one is for its service to say.
    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains { $0.isWhitespace }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

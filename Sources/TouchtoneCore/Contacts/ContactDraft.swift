// SPDX-License-Identifier: GPL-3.0-or-later

/// What somebody types of a contact, as it stands in the fields, before it is kept.
public struct ContactDraft: Hashable, Sendable {
    /// The name, as it was typed.
    public var name: String
    /// The company, as it was typed.
    public var organization: String
    /// The ways, as they were typed; those without a text count for nothing.
    public var ways: [ContactWay]
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
        (name, organization, ways, note) = (card.name, card.organization, card.ways, card.note)
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
        plain.ways.removeAll { Self.trimmed($0.text).isEmpty }
        return plain != ContactDraft(card)
    }

    /// Why a draft can't be kept.
    public enum Mistake: Error, Hashable, Sendable {
        /// There is neither a name nor anything else to call the contact by.
        case empty
        /// The name, the company or the note is too long: which, and how many characters there are at most.
        case tooLong(Field, most: Int)
        /// There are more ways than a card has.
        case tooManyWays
        /// A way, by its index, says no number or address.
        case notANumber(Int)
        /// A way, by its index, has more digits than a number can.
        case numberTooLong(Int)
        /// A way, by its index, is no SIP address.
        case notASIPAddress(Int)
        /// A way, by its index, is no Jabber address.
        case notAJabberAddress(Int)
        /// A way, by its index, is too long.
        case wayTooLong(Int)
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
    public func card() throws(Mistake) -> ContactCard {
        let (name, organization) = (Self.trimmed(self.name), Self.trimmed(self.organization))
        guard name.count <= ContactCard.longestText else {
            throw .tooLong(.name, most: ContactCard.longestText)
        }
        guard organization.count <= ContactCard.longestText else {
            throw .tooLong(.organization, most: ContactCard.longestText)
        }
        guard note.count <= ContactCard.longestNote else {
            throw .tooLong(.note, most: ContactCard.longestNote)
        }
        var ways: [ContactWay] = []
        for (index, way) in self.ways.enumerated() where !Self.trimmed(way.text).isEmpty {
            ways.append(try Self.checked(way, at: index))
        }
        guard ways.count <= ContactCard.mostWays else { throw .tooManyWays }
        guard let called = [name, organization, ways.first?.text ?? ""].first(where: { !$0.isEmpty }) else {
            throw .empty
        }
        return ContactCard(
            name: called, organization: organization, ways: ways, note: note, hasPhoto: hasPhoto, rest: rest)
    }

    private static func checked(_ way: ContactWay, at index: Int) throws(Mistake) -> ContactWay {
        var way = way
        way.text = trimmed(way.text)
        guard way.text.count <= ContactCard.longestText else { throw .wayTooLong(index) }
        switch way.kind {
        case .number:
            switch DialledNumber.read(way.text) {
            case .number(let number) where number.isDialable: break
            case .number, .noDigits: throw .notANumber(index)
            case .tooLong: throw .numberTooLong(index)
            }
        case .sip:
            let lower = way.text.lowercased()
            if !lower.hasPrefix("sip:"), !lower.hasPrefix("sips:") { way.text = "sip:\(way.text)" }
            guard isAddress(way.text.drop { $0 != ":" }.dropFirst()) else { throw .notASIPAddress(index) }
        case .xmpp:
            if XMPPURI.hasScheme(way.text) {
                guard let link = try? XMPPURI(way.text) else { throw .notAJabberAddress(index) }
                way.text = link.address
            }
            guard isAddress(way.text[...]) else { throw .notAJabberAddress(index) }
        }
        return way
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

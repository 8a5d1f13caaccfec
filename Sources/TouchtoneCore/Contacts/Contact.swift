// SPDX-License-Identifier: GPL-3.0-or-later

/// Somebody who can be called or written to, in a book of contacts.
public struct Contact: Hashable, Sendable, Identifiable {
    /// Which contact it is.
    public enum ID: Hashable, Sendable {
        /// One of the phone's own.
        case own(Int64)
        /// One of the desktop's: the book's id, and the contact's in it.
        case desktop(book: String, uid: String)
    }

    /// Which contact it is.
    public let id: ID
    /// What is told of it.
    public var card: ContactCard

    /// Creates a contact.
    public init(id: ID, card: ContactCard) { (self.id, self.card) = (id, card) }

    /// Whether it can be changed here: the desktop's are read.
    public var isOwn: Bool { if case .own = id { true } else { false } }
}

/// What a book tells of somebody, without the picture.
public struct ContactCard: Hashable, Sendable {
    /// What it is called; never empty in a book.
    public var name: String
    /// The company; empty where there is none.
    public var organization: String
    /// How it can be reached, in order.
    public var methods: [ContactMethod]
    /// What is noted; may have several lines.
    public var note: String
    /// Whether there is a picture.
    public var hasPhoto: Bool
    /// What else the vCard said that it came by: content lines that this program shows nothing of, kept to be written
    /// again (RFC 6350, 3.3); at most `maximumRestLength` bytes.
    public var rest: String

    /// Creates a card.
    public init(
        name: String, organization: String = "", methods: [ContactMethod] = [], note: String = "",
        hasPhoto: Bool = false, rest: String = ""
    ) {
        (self.name, self.organization, self.methods) = (name, organization, methods)
        (self.note, self.hasPhoto, self.rest) = (note, hasPhoto, rest)
    }

    /// How many characters a name, a company or an address has at most.
    public static let maximumTextLength = 200
    /// How many characters a note has at most.
    public static let maximumNoteLength = 10_000
    /// How many ways a card has at most.
    public static let maximumMethods = 50
    /// How many bytes of other lines are kept at most.
    public static let maximumRestLength = 65_536
    /// How many bytes a picture has at most: JPEG or PNG.
    public static let maximumPhotoSize = 2_097_152
}

/// A way in which somebody is reached.
public struct ContactMethod: Hashable, Sendable {
    /// What kind of address it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A telephone number, as it was written.
        case number = "tel"
        /// A SIP address, `sip:user@host` or `sips:…`.
        case sip
        /// A Jabber address, `user@host`.
        case xmpp
    }

    /// Where it reaches.
    public enum Label: String, Hashable, Sendable, CaseIterable {
        /// No place in particular.
        case other
        /// At home.
        case home
        /// At work.
        case work
        /// Wherever they are.
        case mobile
        /// A fax machine.
        case fax
    }

    /// What kind of address it is.
    public var kind: Kind
    /// Where it reaches.
    public var label: Label
    /// The address: as it was written, for a number.
    public var text: String

    /// Creates a way.
    public init(_ kind: Kind, _ text: String, label: Label = .other) {
        (self.kind, self.text, self.label) = (kind, text, label)
    }

    /// The number, where it is one.
    public var number: DialledNumber? {
        guard kind == .number, case .number(let number) = DialledNumber.read(text) else { return nil }
        return number
    }
}

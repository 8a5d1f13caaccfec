// SPDX-License-Identifier: GPL-3.0-or-later

/// A person or organization that can be called or written to.
public struct Contact: Hashable, Sendable, Identifiable {
    public enum ID: Hashable, Sendable {
        /// A contact of the phone's own.
        case own(Int64)
        /// A contact of the desktop: the book's id, and the contact's id in the book.
        case desktop(book: String, uid: String)
    }

    public let id: ID
    public var card: ContactCard

    public init(id: ID, card: ContactCard) { (self.id, self.card) = (id, card) }

    /// Whether the contact can be changed here: those of the desktop are read-only.
    public var isOwn: Bool { if case .own = id { true } else { false } }
}

public struct ContactCard: Hashable, Sendable {
    /// The name; never empty in a contact book.
    public var name: String
    /// The company; empty if there is none.
    public var organization: String
    /// The numbers and addresses, in order.
    public var methods: [ContactMethod]
    /// The note, which may have several lines.
    public var note: String
    public var hasPhoto: Bool
    /// The unsupported content lines of the imported vCard, which are stored for the export (RFC 6350, 3.3); at most
    /// `maximumRestLength` bytes.
    public var rest: String

    public init(
        name: String, organization: String = "", methods: [ContactMethod] = [], note: String = "",
        hasPhoto: Bool = false, rest: String = ""
    ) {
        (self.name, self.organization, self.methods) = (name, organization, methods)
        (self.note, self.hasPhoto, self.rest) = (note, hasPhoto, rest)
    }

    /// The greatest number of characters in a name, a company or an address.
    public static let maximumTextLength = 200
    /// The greatest number of characters in a note.
    public static let maximumNoteLength = 10_000
    /// The greatest number of numbers and addresses on a card.
    public static let maximumMethods = 50
    /// The greatest length of `rest`, in bytes.
    public static let maximumRestLength = 65_536
    /// The greatest size of a picture, JPEG, PNG or GIF, in bytes.
    public static let maximumPhotoSize = 2_097_152
}

public struct ContactMethod: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A telephone number, as it was written.
        case number = "tel"
        /// A SIP address, `sip:user@host` or `sips:…`.
        case sip
        /// A Jabber address, `user@host`.
        case xmpp
    }

    public enum Label: String, Hashable, Sendable, CaseIterable {
        /// No specific place.
        case other
        /// The contact's home.
        case home
        /// The contact's work.
        case work
        /// A mobile phone.
        case mobile
        /// A fax machine.
        case fax
    }

    public var kind: Kind
    public var label: Label
    /// The address; a number is stored as it was written.
    public var text: String

    public init(_ kind: Kind, _ text: String, label: Label = .other) {
        (self.kind, self.text, self.label) = (kind, text, label)
    }

    /// The address to call; nil if the method is a number, or not a valid address.
    public var callAddress: CallAddress? {
        switch kind {
        case .number: nil
        case .sip: (try? SIPURI(entered: text)).map(CallAddress.sip)
        case .xmpp: CallAddress(XMPPURI(text, .open))
        }
    }

    /// The number to dial; nil if the method is not a valid number.
    public var number: DialledNumber? {
        guard kind == .number, case .number(let number) = DialledNumber.read(text) else { return nil }
        return number
    }
}

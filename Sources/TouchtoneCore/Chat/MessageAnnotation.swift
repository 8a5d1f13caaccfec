// SPDX-License-Identifier: GPL-3.0-or-later

/// A reaction to a message, or the retraction of one, by somebody who need not have sent it.
public struct MessageAnnotation: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The sender’s whole set of emoji, which replaces its earlier one (XEP-0444); an empty one removes it.
        case reaction([String])
        /// The sender retracts its own message (XEP-0424).
        case retraction
        /// A moderator of the room retracts the message (XEP-0425), as only the room states; the reason may
        /// be empty. The sender is the moderator, or the room if that names nobody.
        case moderation(reason: String)
    }

    public let buddy: ChatAddress
    public let reference: MessageReference
    public let sender: MessageSender
    /// The proof that the sender of a retraction has sent the message.
    public let proof: SenderProof
    public let kind: Kind
    /// The time of sending, preferably as the archive states it: the last reaction of a sender counts.
    public let time: ChatTime
    /// The ID of the annotation’s own stanza, which decides between two of the same time; empty if it has none.
    public let name: String

    private static let maximumReason = 1000

    public init(
        _ kind: Kind, of reference: MessageReference, buddy: ChatAddress, sender: MessageSender,
        proof: SenderProof = .identity, time: ChatTime, name: String = ""
    ) {
        self.buddy = buddy
        self.reference = reference
        self.sender = sender
        self.proof = proof
        self.kind =
            switch kind {
            case .reaction(let emoji): .reaction(MessageReaction.bounded(emoji))
            case .retraction: .retraction
            case .moderation(let reason): .moderation(reason: String(reason.prefix(Self.maximumReason)))
            }
        self.time = time
        self.name = name
    }

    var reaction: MessageReaction? {
        guard case .reaction(let emoji) = kind else { return nil }
        return MessageReaction(sender: sender, emoji: emoji, time: time, name: name)
    }

    var retraction: MessageRetraction? {
        switch kind {
        case .reaction: nil
        case .retraction: MessageRetraction(time: time, moderation: nil)
        case .moderation(let reason):
            if case .occupant(let moderator) = sender {
                MessageRetraction(time: time, moderation: reason, moderator: moderator.nickname)
            } else {
                MessageRetraction(time: time, moderation: reason)
            }
        }
    }

    /// Returns whether the annotation names a message, regardless of the sender.
    func refers(to message: ChatMessage) -> Bool { reference.names(message) }

    /// Returns whether the annotation may change the message that it refers to.
    func isEntitled(to message: ChatMessage) -> Bool {
        switch kind {
        case .reaction: return true
        // The room knows its messages by the IDs of its archive alone.
        case .moderation:
            guard case .archive = reference else { return false }
            return true
        case .retraction:
            guard sender.identity == message.sender.identity else { return false }
            return switch proof {
            case .identity: true
            case .stay(let time): message.time >= time
            case .address, .nothing: false
            }
        }
    }

    /// Returns whether both say the same kind of thing of the same message, so that only one counts.
    func competes(with other: MessageAnnotation) -> Bool {
        reference == other.reference && (reaction == nil) == (other.reaction == nil)
            && (isModeration && other.isModeration || sender.identity == other.sender.identity)
    }

    private var isModeration: Bool { if case .moderation = kind { true } else { false } }
}

public enum MessageReference: Hashable, Sendable {
    /// The ID that the message’s sender has chosen, as in conversations of two.
    case stanza(String)
    /// The ID of the message in the archive of its room.
    case archive(String)

    /// Returns whether a message of the conversation has the ID.
    public func names(_ message: ChatMessage) -> Bool {
        switch self {
        case .stanza(let name): message.name == name
        case .archive(let name): message.archiveName == name
        }
    }
}

/// The reaction of somebody else to a message of the user.
public struct ReceivedReaction: Hashable, Sendable {
    public let message: ChatMessage
    /// The reaction, with at least one emoji.
    public let reaction: MessageReaction
}

/// The emoji with which somebody reacts to a message (XEP-0444).
public struct MessageReaction: Hashable, Sendable {
    public let sender: MessageSender
    /// The emoji; none after the reaction was withdrawn, so that an earlier one that comes later does not count.
    public let emoji: [String]
    public let time: ChatTime
    public let name: String

    public init(sender: MessageSender, emoji: [String], time: ChatTime, name: String) {
        self.sender = sender
        self.emoji = Self.bounded(emoji)
        self.time = time
        self.name = name
    }

    /// The maximum number of senders whose reactions to one message are stored.
    static let maximumSenders = 200
    private static let maximumEmoji = 16
    fileprivate static let maximumLength = 64

    /// Returns the distinct emoji of a set, without those that are no emoji, within bounds.
    static func bounded(_ emoji: [String]) -> [String] {
        var bounded: [String] = []
        for text in emoji where isPlausible(text) {
            let text = qualified(text)
            guard !bounded.contains(text) else { continue }
            bounded.append(text)
            if bounded.count == maximumEmoji { break }
        }
        return bounded
    }

    /// Returns whether a text is one emoji: words would be a message under that of another person.
    private static func isPlausible(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && text.count == 1 && text.first?.isEmoji == true
    }

    /// Returns an emoji with variation selectors where they are needed, and nowhere else (Unicode Technical Standard 51,
    /// ED-18a): some apps leave them out, others add them to all.
    private static func qualified(_ emoji: String) -> String {
        let selector: Unicode.Scalar = "\u{FE0F}"
        let scalars = emoji.unicodeScalars.filter { $0 != selector }
        var text = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            text.append(scalar)
            let properties = scalar.properties
            guard properties.isEmoji, !properties.isEmojiPresentation else { continue }
            let next = scalars.dropFirst(index + 1).first
            if next?.properties.isEmojiModifier != true { text.append(selector) }
        }
        return String(text)
    }

    /// Returns whether this reaction counts rather than another one by the same sender: the later one does, and of two at
    /// the same time the one with the greater ID.
    func replaces(_ other: MessageReaction) -> Bool {
        (time, name, emoji.joined(separator: " ")) > (
            other.time, other.name, other.emoji.joined(separator: " ")
        )
    }

    public static func isOrdered(_ one: MessageReaction, _ other: MessageReaction) -> Bool {
        (one.time, one.name, one.sender.identity.text) < (other.time, other.name, other.sender.identity.text)
    }
}

/// The end of a message that was retracted.
public struct MessageRetraction: Hashable, Sendable {
    public let time: ChatTime
    /// The reason that a moderator of the room gave, which may be empty; nil if the sender retracted the message.
    public let moderation: String?
    /// The nickname of that moderator; nil if the room did not name one.
    public let moderator: String?
    /// Whether the user deleted the message on this device alone: it is stored only so that no other copy of it is new,
    /// and is never shown.
    public let isHere: Bool

    public init(time: ChatTime, moderation: String?, moderator: String? = nil, isHere: Bool = false) {
        self.time = time
        (self.moderation, self.moderator) = (moderation, moderator)
        self.isHere = isHere
    }

    /// Returns whether this retraction counts rather than another one of the same message: the first one does, unless the
    /// user deleted the message here.
    func replaces(_ other: MessageRetraction) -> Bool {
        guard !other.isHere else { return false }
        return order < other.order
    }

    /// The order of retractions of the same message: of two at the same time, one that names its moderator counts.
    private var order: (ChatTime, String, Int, Int, String) {
        (time, moderation ?? "", moderation == nil ? 0 : 1, moderator == nil ? 1 : 0, moderator ?? "")
    }
}

extension MessageSender.Identity {
    /// A text that differs between the identities, for an order of their own.
    fileprivate var text: String {
        switch self {
        case .me: "me"
        case .buddy: "buddy"
        case .occupant(let id): "occupant \(id)"
        case .nickname(let nickname): "nickname \(nickname)"
        }
    }
}

extension Character {
    /// Whether the character can be shown as an emoji: a digit, for example, can only as a part of one.
    public var isEmoji: Bool {
        guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
        return first.value > 0xFF || unicodeScalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
    }
}

extension String {
    /// Whether the text is one to three emoji, without anything else than white space.
    public var isFewEmoji: Bool {
        // Marks can make one emoji as long as a text.
        guard utf8.count <= 3 * MessageReaction.maximumLength else { return false }
        let shown = filter { !$0.isWhitespace }
        return (1...3).contains(shown.count) && shown.allSatisfy(\.isEmoji)
    }
}

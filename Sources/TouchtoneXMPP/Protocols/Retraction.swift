// SPDX-License-Identifier: GPL-3.0-or-later

/// The retraction of a message by its sender (XEP-0424) or by a moderator of the room (XEP-0425).
///
/// The versions before 2024 put it into an element of XEP-0422, which names the message.
struct Retraction {
    static let namespace = "urn:xmpp:message-retract:1"
    private static let earlier = "urn:xmpp:message-retract:0"
    private static let moderation = "urn:xmpp:message-moderate:1"
    private static let earlierModeration = "urn:xmpp:message-moderate:0"
    private static let fastening = "urn:xmpp:fasten:0"

    /// The ID of the retracted message, which depends on the kind as for `Reactions`.
    let id: String
    /// The moderator’s reason, which may be empty; nil if the sender retracts the message.
    let moderation: String?
    /// The moderator’s address in the room, as the room states it; nil if it does not.
    let moderator: JID?
    /// The identifier that the room assigned to the moderator (XEP-0421); nil if it does not state it.
    let moderatorID: String?

    /// Reads the retraction in a message; returns nil if there is none, or the ID is empty or too long.
    init?(in message: Message) {
        if let element = message.extension(Self.namespace, "retract") {
            let moderated = element.child("moderated", Self.moderation)
            // Prosody names the moderator only in the earlier version, which it sends, too.
            let other = message.extension(Self.fastening, "apply-to")
            let by = other?["id"] == element["id"] ? other?.child("moderated", Self.earlierModeration) : nil
            self.init(
                element["id"], moderated: moderated, reason: Self.reason(in: element),
                by: moderated?["by"] ?? by?["by"])
        } else if let element = message.extension(Self.fastening, "apply-to") {
            let moderated = element.child("moderated", Self.earlierModeration)
            guard (moderated ?? element).child("retract", Self.earlier) != nil else { return nil }
            self.init(
                element["id"], moderated: moderated,
                reason: moderated?.child("reason", Self.earlierModeration))
        } else {
            return nil
        }
    }

    /// Reads what an archive has in place of a retracted message, which the message’s own ID in the archive names.
    ///
    /// - Parameter archiveID: The ID of the message in the archive.
    init?(inPlaceOf message: Message, archiveID: String) {
        if let element = message.extension(Self.namespace, "retracted") {
            self.init(
                archiveID, moderated: element.child("moderated", Self.moderation),
                reason: Self.reason(in: element))
        } else if let moderated = message.extension(Self.earlierModeration, "moderated"),
            moderated.child("retracted", Self.earlier) != nil
        {
            self.init(
                archiveID, moderated: moderated, reason: moderated.child("reason", Self.earlierModeration))
        } else if message.extension(Self.earlier, "retracted") != nil {
            self.init(archiveID, moderated: nil, reason: nil)
        } else {
            return nil
        }
    }

    /// Returns the reason of a moderator; ejabberd puts it into the namespace of the request.
    private static func reason(in element: XMLElement) -> XMLElement? {
        element.child("reason", namespace) ?? element.child("reason", moderation)
    }

    static func element(of id: String) -> XMLElement { XMLElement("retract", namespace, ["id": id]) }

    /// Returns whether a room with these features lets its moderators delete messages.
    static func isModerated(by features: Set<String>) -> Bool {
        features.contains(moderation) || features.contains(earlierModeration)
    }

    /// Creates the request to a room to delete a message, in the version that the room knows.
    static func moderating(_ id: String, reason: String, features: Set<String>) -> XMLElement {
        let isNew = features.contains(moderation)
        let version = isNew ? moderation : earlierModeration
        let why = reason.isEmpty ? [] : [XMLElement("reason", version, text: reason)]
        let parts = [XMLElement("retract", isNew ? namespace : earlier)] + why
        guard !isNew else { return XMLElement("moderate", version, ["id": id], parts) }
        return XMLElement("apply-to", fastening, ["id": id], [XMLElement("moderate", version, [:], parts)])
    }

    private init?(_ id: String?, moderated: XMLElement?, reason: XMLElement?, by: String? = nil) {
        guard let id = id.flatMap(MessageReader.bounded) else { return nil }
        self.id = id
        moderation = moderated.map { _ in reason?.text ?? "" }
        moderator = moderated.flatMap { (by ?? $0["by"]).flatMap { JID($0) } }
        moderatorID = moderated.flatMap { MultiUserChat.occupantID(in: $0.children) }
    }
}

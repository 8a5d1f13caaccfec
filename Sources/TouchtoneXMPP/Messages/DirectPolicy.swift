// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The rules for messages between the account and one other address, also an occupant of a room.
struct DirectPolicy: MessagePolicy {
    /// The bare address of the user's account.
    let own: JID
    /// Whether the server removes forged archive ids from messages (XEP-0359 section 6).
    let trustsArchiveIDs: Bool
    /// The current time; no message is dated later.
    let now: ChatTime
    /// The rooms of the list: messages of their occupants are private conversations.
    var rooms: Set<JID> = []

    func archiveID(of message: Message, _ source: DeliverySource) -> String? {
        if case .archive(let id, _) = source { return id }
        return trustsArchiveIDs
            ? StableIDs.id(in: message, by: own).flatMap(MessageReader.bounded) : nil
    }

    func senders(of message: Message, _ source: DeliverySource) -> [ChatAddress] {
        guard message.kind != .groupchat, let (buddy, sender) = sides(of: message, source) else { return [] }
        if sender == .me { return [ChatAddress(own)] }
        // The own address of an occupant is not known here.
        return buddy.isOccupant ? [] : [buddy]
    }

    func read(_ message: Message, _ source: DeliverySource, into parsed: inout ParsedMessage) {
        // Messages of rooms are not part of a one-to-one conversation.
        guard message.kind != .groupchat, let (buddy, sender) = sides(of: message, source) else { return }
        if message.kind == .error {
            parsed.others = failure(in: message, source)
            return
        }
        let (id, corrected) = (MessageReader.stanzaID(of: message), Correction.corrected(by: message))
        // The body of an annotation or an invitation is for clients that do not know those.
        if let (kind, reference) = annotation(in: message, parsed.archiveID, source) {
            let annotation = MessageAnnotation(
                kind, of: reference, buddy: buddy, sender: sender, time: time(of: message, source),
                name: id ?? "")
            parsed.others.append(.annotated(annotation))
        } else if MultiUserChat.invitation(in: message) == nil, let content = MessageContent(message) {
            parsed.message = ReceivedMessage(
                buddy: buddy, sender: sender, content: content, time: time(of: message, source), name: id,
                archiveName: parsed.archiveID,
                relation: corrected.map { .corrects($0, proof: .identity) } ?? reply(in: message),
                receiptRequests: sender == .me ? [] : MessageReader.receiptRequests(of: message),
                passage: sender == .buddy && isOfGateway(message.from) ? .notice : .direct)
        }
        if sender == .me, case .archive = source, parsed.message != nil, corrected != nil, let id {
            // A correction that was in transit when the connection was lost has arrived.
            parsed.others.append(.acknowledged(buddy: buddy, name: id))
        }
        if let seen = ChatMarkers.displayed(in: message) {
            parsed.others.append(
                sender == .me ? .seen(buddy: buddy, upTo: .name(seen)) : .read(buddy: buddy, name: seen))
        }
        guard sender != .me else { return }
        if let received = Receipts.received(in: message) {
            parsed.others.append(.delivered(buddy: buddy, name: received))
        }
        if case .stream(nil) = source {
            // A message without a chat state ends the typing before it.
            let state = ChatState(in: message).map { Self.typing($0) }
            parsed.typing = (state ?? (parsed.message == nil ? nil : .active)).map { (buddy, $0) }
        }
    }

    /// Returns the conversation's buddy and the sender; nil if neither side is the user's account.
    private func sides(of message: Message, _ source: DeliverySource) -> (ChatAddress, MessageSender)? {
        let (from, to) = (message.from?.bare ?? own, message.to?.bare ?? own)
        switch source {
        case .stream: return (address(message.from), from == own ? .me : .buddy)
        case .sentElsewhere: return (address(message.to), .me)
        case .archive:
            guard from == own || to == own else { return nil }
            return from == own ? (address(message.to), .me) : (address(message.from), .buddy)
        }
    }

    /// Returns whether an address is that of a gateway or, at one to IRC, of a server behind it, which tell of themselves.
    ///
    /// biboumi has the channel `#tea%irc.example.net@gateway` and notices of `irc.example.net@gateway`. What the user's own
    /// server announces may be for people.
    private func isOfGateway(_ jid: JID?) -> Bool {
        guard let jid, jid.domain != own.domain else { return false }
        guard !jid.local.isEmpty else { return true }
        // Only a host's name is compared with each room.
        return jid.local.contains(".")
            && rooms.contains { $0.domain == jid.domain && $0.local.hasSuffix("%" + jid.local) }
    }

    /// Returns what a message says of another one, unless only a room could say it.
    private func annotation(in message: Message, _ archiveID: String?, _ source: DeliverySource)
        -> (MessageAnnotation.Kind, MessageReference)?
    {
        if let reactions = Reactions(in: message) {
            return (.reaction(reactions.emoji), .stanza(reactions.id))
        }
        if let retraction = Retraction(in: message) {
            return retraction.moderation == nil ? (.retraction, .stanza(retraction.id)) : nil
        }
        guard case .archive = source, let archiveID,
            let retraction = Retraction(inPlaceOf: message, archiveID: archiveID),
            retraction.moderation == nil
        else { return nil }
        return (.retraction, .archive(retraction.id))
    }

    private func reply(in message: Message) -> MessageRelation {
        guard let reply = Reply(in: message) else { return .none }
        return .repliesTo(MessageReply(to: .stanza(reply.id), by: reply.author.map { address($0) }))
    }

    /// Returns the conversation with an address; nil is the user's account.
    private func address(_ jid: JID?) -> ChatAddress {
        guard let jid else { return ChatAddress(own) }
        return rooms.contains(jid.bare) ? ChatAddress(full: jid) : ChatAddress(jid)
    }

    /// Returns the failure of a message of mine; the error's sender was its recipient.
    private func failure(in message: Message, _ source: DeliverySource) -> [MessageUpdate] {
        if case .sentElsewhere = source { return [] }
        guard (message.to?.bare ?? own) == own, let id = message.id, let error = message.error else {
            return []
        }
        let buddy = address(message.from)
        let reason = error.isOfAbsence ? buddy.nickname.map(Self.left) : nil
        return [.failed(buddy: buddy, name: id, reason: reason ?? error.reasonForUser)]
    }

    /// Returns the time that the message was sent: the user's server is preferred over the sender.
    private func time(of message: Message, _ source: DeliverySource) -> ChatTime {
        let own = [own.server, own].lazy.compactMap { Delay.stamp(in: message.extensions, by: $0) }.first
        switch source {
        case .archive(_, let stamp): return MessageReader.time(stamp, now: now)
        case .stream(let stamp), .sentElsewhere(let stamp): return MessageReader.time(own ?? stamp, now: now)
        }
    }

    private static func left(_ nickname: String) -> String {
        localized("{name} has left the room.", ["name": PlainText.line(nickname, maximum: 60)])
    }

    private static func typing(_ state: ChatState) -> Typing {
        switch state {
        case .active: .active
        case .composing: .composing
        case .paused: .paused
        case .inactive, .gone: .gone
        }
    }
}

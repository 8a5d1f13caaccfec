// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The rules for the messages of a room to all its occupants.
///
/// The sender is the room's statement, as the resource of the address. Corrections count only from the same occupant,
/// which only an identifier of the room (XEP-0421), an uninterrupted stay, or the address in an archive proves.
struct RoomPolicy: MessagePolicy {
    /// The room when the message came.
    let state: RoomState
    /// The bare address of the user's account.
    let own: JID
    let now: ChatTime
    /// The messages that the sender has sent since it entered the room.
    var correctable: [RoomState.Said] = []
    /// Whether the message is part of the past of a room that is entered for the first time.
    var isPast = false

    func archiveID(of message: Message, _ source: DeliverySource) -> String? {
        guard isOfRoom(message) else { return nil }
        if case .archive(let id, _) = source { return id }
        guard state.hasArchive else { return nil }
        return StableIDs.id(in: message, by: state.room).flatMap(MessageReader.bounded)
    }

    func senders(of message: Message, _ source: DeliverySource) -> [ChatAddress] {
        guard isOfRoom(message), let name = message.from?.resource, !name.isEmpty else { return [] }
        if let address = archivedAddress(in: message, source) { return [address] }
        let id = state.hasIDs ? MultiUserChat.occupantID(in: message.extensions) : nil
        if isMine(name, id) { return [ChatAddress(own)] }
        guard case .stream(nil) = source else { return [] }
        return state.occupants[name]?.item.jid.map { [ChatAddress($0.bare)] } ?? []
    }

    func read(_ message: Message, _ source: DeliverySource, into parsed: inout ParsedMessage) {
        guard isOfRoom(message), let from = message.from else { return }
        let isLive = if case .stream(nil) = source { true } else { false }
        let id = state.hasIDs ? MultiUserChat.occupantID(in: message.extensions) : nil
        let address = archivedAddress(in: message, source)
        let isMine = address.map { $0 == ChatAddress(own) } ?? isMine(from.resource, id)
        parsed.others = confirmations(
            in: message, by: from.resource, isMine: isMine, isProven: id != nil || isLive || address != nil,
            isLive: isLive)
        let sender: MessageSender =
            isMine
            ? .me : from.isBare ? .buddy : .occupant(occupant(from.resource, id, isLive: isLive, address))
        let isIdentified = id != nil || isMine && (isLive || address != nil)
        if let (kind, reference, moderator, isProven) = annotation(in: message, parsed.archiveID, source) {
            // Anybody may have had the nickname in the past.
            guard isProven || isIdentified || isLive else { return }
            let proof: SenderProof =
                isProven || isIdentified
                ? .identity : correctable.map(\.time).min().map { .stay($0) } ?? .nothing
            let annotation = MessageAnnotation(
                kind, of: reference, buddy: ChatAddress(state.room), sender: moderator ?? sender,
                proof: proof,
                time: MessageReader.time(source.stamp, now: now),
                name: MessageReader.stanzaID(of: message, prefersOrigin: isMine) ?? "")
            parsed.others.append(.annotated(annotation))
            return
        }
        guard let content = MessageContent(message) else { return }
        parsed.message = ReceivedMessage(
            buddy: ChatAddress(state.room), sender: sender, content: content,
            time: MessageReader.time(source.stamp, now: now),
            name: MessageReader.stanzaID(of: message, prefersOrigin: isMine),
            archiveName: parsed.archiveID,
            relation: relation(of: message, isIdentified: isIdentified, isMine: isMine, address),
            receiptRequests: isMine || from.isBare ? [] : MessageReader.receiptRequests(of: message),
            passage: passage(sender, source))
        parsed.message?.mayBeChanged = isMine && state.mayChangeMessages
    }

    /// Returns what a message says of another one, as far as its sender may say that, who else than its sender says it, and
    /// whether the room proves that.
    ///
    /// Only the room itself tells that a moderator retracted a message, and which one did.
    private func annotation(in message: Message, _ archiveID: String?, _ source: DeliverySource)
        -> (MessageAnnotation.Kind, MessageReference, moderator: MessageSender?, isProven: Bool)?
    {
        let isByRoom = message.from?.isBare == true
        let reference = { (id: String) in state.hasArchive ? MessageReference.archive(id) : .stanza(id) }
        if !isByRoom, let reactions = Reactions(in: message) {
            return (.reaction(reactions.emoji), reference(reactions.id), nil, false)
        }
        if let retraction = Retraction(in: message) {
            guard let reason = retraction.moderation else {
                return isByRoom ? nil : (.retraction, reference(retraction.id), nil, false)
            }
            guard isByRoom else { return nil }
            return (.moderation(reason: reason), .archive(retraction.id), moderator(in: retraction), true)
        }
        guard case .archive = source, let archiveID,
            let retraction = Retraction(inPlaceOf: message, archiveID: archiveID)
        else { return nil }
        guard let reason = retraction.moderation else {
            return (.retraction, .archive(retraction.id), nil, true)
        }
        return (.moderation(reason: reason), .archive(retraction.id), moderator(in: retraction), true)
    }

    /// Returns the moderator that the room names; the room itself if it names none.
    private func moderator(in retraction: Retraction) -> MessageSender {
        if let moderator = retraction.moderator, moderator.bare == state.room, !moderator.resource.isEmpty {
            return .occupant(RoomOccupant(nickname: moderator.resource))
        }
        guard state.hasIDs, let id = retraction.moderatorID,
            let name = state.occupants.first(where: { $0.value.id == id })?.key
        else { return .buddy }
        return .occupant(RoomOccupant(nickname: name))
    }

    /// Returns the relation to an earlier message: without an identifier, the nickname may be another's now.
    private func relation(
        of message: Message, isIdentified: Bool, isMine: Bool, _ address: ChatAddress?
    ) -> MessageRelation {
        guard let corrected = Correction.corrected(by: message) else { return reply(in: message) }
        let original = correctable.first { $0.name == corrected }
        if isIdentified || isMine && original != nil { return .corrects(corrected, proof: .identity) }
        return .corrects(
            corrected,
            proof: original.map { .stay($0.time) } ?? address.map { .address($0) } ?? .nothing)
    }

    /// Returns the relation of a message to the one that it replies to, by anybody in the room.
    private func reply(in message: Message) -> MessageRelation {
        guard let reply = Reply(in: message) else { return .none }
        let author = reply.author.map { $0.bare == state.room ? ChatAddress(full: $0) : ChatAddress($0) }
        // Senders may choose the same ids, so the room's own id counts where there is one.
        return .repliesTo(
            MessageReply(to: state.hasArchive ? .archive(reply.id) : .stanza(reply.id), by: author))
    }

    private func isOfRoom(_ message: Message) -> Bool {
        message.kind == .groupchat && message.from?.bare == state.room
    }

    /// Parses receipts and markers of an occupant.
    ///
    /// In a room that anybody may enter, nothing is confirmed. A live confirmation counts only from an occupant, and
    /// not from another nickname of the user's.
    ///
    /// - Parameter isProven: Whether the nickname is certainly the sender's: earlier, it may be another's.
    private func confirmations(
        in message: Message, by name: String, isMine: Bool, isProven: Bool, isLive: Bool
    ) -> [MessageUpdate] {
        guard state.isPrivate, !name.isEmpty, !isLive || state.occupants[name] != nil else { return [] }
        let address = ChatAddress(state.room)
        let seen = ChatMarkers.displayed(in: message).flatMap(MessageReader.bounded)
        if isMine || state.occupants[name]?.item.jid?.bare == own {
            guard isProven, state.hasArchive, let seen else { return [] }
            return [.seen(buddy: address, upTo: .archiveName(seen))]
        }
        var updates: [MessageUpdate] = []
        if let seen {
            // Senders may choose the same ids, so the room's own id counts where there is one.
            updates.append(
                state.hasArchive
                    ? .readInRoom(address, archiveName: seen) : .read(buddy: address, name: seen))
        }
        if let name = Receipts.received(in: message).flatMap(MessageReader.bounded) {
            updates.append(.delivered(buddy: address, name: name))
        }
        return updates
    }

    private func isMine(_ name: String, _ id: String?) -> Bool {
        guard !name.isEmpty else { return false }
        if let id, let ownID = state.ownID { return id == ownID }
        return name == state.nickname
    }

    /// Returns the sender's own address, which the archive of a room adds if everybody in it may see it (XEP-0313
    /// section 5.1.3).
    ///
    /// Two statements are one of the sender's beside that of the room.
    private func archivedAddress(in message: Message, _ source: DeliverySource) -> ChatAddress? {
        guard case .archive = source, state.features.contains("muc_nonanonymous") else { return nil }
        let notes = message.extensions.filter { $0.isNamed("x", MultiUserChat.user) }
        let items = notes.flatMap { $0.children("item") }
        guard notes.count == 1, items.count == 1 else { return nil }
        return items[0]["jid"].flatMap { JID($0) }.map { ChatAddress($0.bare) }
    }

    private func occupant(_ name: String, _ id: String?, isLive: Bool, _ archived: ChatAddress?)
        -> RoomOccupant
    {
        // In the past, somebody else may have had the nickname.
        let address = isLive ? state.occupants[name]?.item.jid.map { ChatAddress($0.bare) } : archived
        return RoomOccupant(nickname: name, id: id, address: address)
    }

    private func passage(_ sender: MessageSender, _ source: DeliverySource) -> ReceivedMessage.Passage {
        if isPast { return .past }
        return switch (sender, source) {
        case (.buddy, _): .notice
        case (.me, .stream): .reflected
        default: .direct
        }
    }
}

extension DeliverySource {
    /// The time that the message was sent or archived; nil if it is not known.
    fileprivate var stamp: Timestamp? {
        switch self {
        case .archive(_, let stamp): stamp
        case .stream(let stamp), .sentElsewhere(let stamp): stamp
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The mapping from a room's messages to updates: live, past and archived ones.
///
/// The sender is the room's statement, as the resource of the address. Corrections count only from the same occupant,
/// which only an identifier of the room (XEP-0421) or an uninterrupted stay proves.
struct RoomMapper: MessageReading {
    let room: JID
    /// The user's nickname in the room.
    let nickname: String
    /// The identifier that the room assigned to the user; nil if there is none.
    let ownID: String?
    /// The bare address of the user's account.
    let own: JID
    /// Whether the room assigns identifiers to its occupants.
    let hasIDs: Bool
    /// Whether the room has an archive, and so removes forged archive ids.
    let hasArchive: Bool
    /// Whether only members enter the room and all see each other's addresses, so that confirmations count.
    let isPrivate: Bool
    /// The present occupants.
    let occupants: [String: RoomState.Occupant]
    let now: ChatTime
    /// The messages that the sender has sent since it entered the room.
    var correctable: [RoomState.Said] = []
    /// Whether the message is part of the past of a room that is entered for the first time.
    var isPast = false

    func read(_ message: Message, _ way: MessageMapper.Way) -> MessageMapper.Reading {
        var reading = MessageMapper.Reading()
        guard message.kind == .groupchat, let from = message.from, from.bare == room else { return reading }
        let isLive = if case .stream(nil) = way { true } else { false }
        reading.archiveName = archiveName(of: message, way)
        let id = hasIDs ? MultiUserChat.occupantID(in: message.extensions) : nil
        let isMine = isMine(from.resource, id)
        reading.others = confirmations(
            in: message, by: from.resource, isMine: isMine, isProven: id != nil || isLive, isLive: isLive)
        guard let content = MessageContent(message) else { return reading }
        let sender: MessageSender =
            isMine ? .me : from.isBare ? .buddy : .occupant(occupant(from.resource, id, isLive: isLive))
        let name = name(of: message, isMine: isMine)
        let corrects = Correction.corrected(by: message)
        // Without an identifier, a later occupant may have taken the nickname.
        let original = corrects.flatMap { id in correctable.first { $0.name == id } }
        let isProven = id != nil || isLive && isMine || original != nil
        reading.message = ReceivedMessage(
            buddy: ChatAddress(room), sender: sender, text: content.text, time: time(way), name: name,
            archiveName: reading.archiveName, corrects: isProven ? corrects : nil,
            isUnprovenCorrection: corrects != nil && !isProven,
            originalTime: id == nil && !isMine ? original?.time : nil,
            receiptRequests: isMine || from.isBare ? [] : MessageMapper.receiptRequests(of: message),
            file: content.file, passage: passage(sender, way))
        return reading
    }

    /// Parses receipts and markers of an occupant.
    ///
    /// In a room that anybody may enter, nothing is confirmed. A live confirmation counts only from an occupant, and
    /// not from another nickname of the user's.
    ///
    /// - Parameters:
    ///   - name: The nickname of the sender.
    ///   - isProven: Whether the nickname certainly is that of the sender: in the past, another one may have had it.
    private func confirmations(
        in message: Message, by name: String, isMine: Bool, isProven: Bool, isLive: Bool
    ) -> [MessageUpdate] {
        guard isPrivate, !name.isEmpty, !isLive || occupants[name] != nil else { return [] }
        let address = ChatAddress(room)
        let seen = ChatMarkers.displayed(in: message).flatMap(Self.bounded)
        if isMine || occupants[name]?.item.jid?.bare == own {
            guard isProven, hasArchive, let seen else { return [] }
            return [.seen(buddy: address, upTo: .archiveName(seen))]
        }
        var updates: [MessageUpdate] = []
        if let seen {
            // Senders may choose the same ids, so the room's own id counts where there is one.
            updates.append(
                hasArchive
                    ? .readInRoom(address, archiveName: seen) : .read(buddy: address, name: seen))
        }
        if let name = Receipts.received(in: message).flatMap(Self.bounded) {
            updates.append(.delivered(buddy: address, name: name))
        }
        return updates
    }

    private func isMine(_ name: String, _ id: String?) -> Bool {
        guard !name.isEmpty else { return false }
        if let id, let ownID { return id == ownID }
        return name == nickname
    }

    private func occupant(_ name: String, _ id: String?, isLive: Bool) -> RoomOccupant {
        // In the past, somebody else may have had the nickname.
        let address = isLive ? occupants[name]?.item.jid.map { ChatAddress($0) } : nil
        return RoomOccupant(nickname: name, id: id, address: address)
    }

    private func passage(_ sender: MessageSender, _ way: MessageMapper.Way) -> ReceivedMessage.Passage {
        if isPast { return .past }
        return switch (sender, way) {
        case (.buddy, _): .notice
        case (.me, .stream): .reflected
        default: .direct
        }
    }

    private func archiveName(of message: Message, _ way: MessageMapper.Way) -> String? {
        if case .archive(let name, _) = way { return name }
        return hasArchive ? StableIDs.id(in: message, by: room).flatMap(Self.bounded) : nil
    }

    /// Returns the sender's id of the message: a room may replace the id of the stanza.
    private func name(of message: Message, isMine: Bool) -> String? {
        let (id, origin) = (
            message.id.flatMap(Self.bounded), StableIDs.origin(in: message).flatMap(Self.bounded)
        )
        return isMine ? origin ?? id : id ?? origin
    }

    private static func bounded(_ name: String) -> String? { MessageMapper.bounded(name) }

    private func time(_ way: MessageMapper.Way) -> ChatTime {
        let stamp: Timestamp? =
            switch way {
            case .archive(_, let stamp): stamp
            case .stream(let stamp), .sentElsewhere(let stamp): stamp
            }
        guard let stamp else { return now }
        let time = ChatTime(milliseconds: stamp.microseconds / 1000)
        return time > now || time < MessageMapper.earliest ? now : time
    }
}

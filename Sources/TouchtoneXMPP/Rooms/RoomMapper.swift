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
        guard let content = MessageContent(message) else { return reading }
        let id = hasIDs ? MultiUserChat.occupantID(in: message.extensions) : nil
        let isMine = isMine(from.resource, id)
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
            originalTime: id == nil && !isMine ? original?.time : nil, file: content.file,
            passage: passage(sender, way))
        return reading
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

    private static func bounded(_ name: String) -> String? {
        name.isEmpty || name.utf8.count > MessageMapper.maximumNameLength ? nil : name
    }

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

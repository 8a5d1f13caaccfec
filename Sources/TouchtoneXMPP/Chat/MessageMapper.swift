// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A mapping from message stanzas to updates.
protocol MessageReading {
    func read(_ message: Message, _ way: MessageMapper.Way) -> MessageMapper.Reading
}

/// The mapping from message stanzas to updates: live messages, those of other devices, and archived ones.
struct MessageMapper: MessageReading {
    /// The path by which a message arrived.
    enum Way {
        /// On the stream, or as a copy of a message that another device of mine received, with the time that it was
        /// sent, if known.
        case stream(Timestamp?)
        /// As a copy of a message that another device of mine sent, with its time, if known.
        case sentElsewhere(Timestamp?)
        /// From the account's archive, with its id there and the time that it was archived.
        case archive(String, Timestamp)
    }

    /// The contents of a message stanza.
    struct Reading {
        /// The message to show.
        var message: ReceivedMessage?
        /// The updates of other messages.
        var others: [MessageUpdate] = []
        /// The stanza's id in the account's archive, also without a message to show.
        var archiveName: String?
        /// The sender's typing state.
        var typing: (buddy: ChatAddress, state: Typing)?

        /// All updates of a live message.
        var updates: [MessageUpdate] { (message.map { [.received($0)] } ?? []) + others }
    }

    /// The greatest length of a message's id, in bytes; a longer one is ignored.
    static let maximumNameLength = 1024

    /// The bare address of the user's account.
    let own: JID
    /// Whether the server removes forged archive ids from messages (XEP-0359 section 6).
    let trustsNames: Bool
    /// The current time; no message is dated later.
    let now: ChatTime
    /// The rooms of the list: messages of their occupants are private conversations.
    var rooms: Set<JID> = []

    func read(_ message: Message, _ way: Way) -> Reading {
        var reading = Reading()
        reading.archiveName = archiveName(of: message, way)
        // Messages of rooms are not part of a one-to-one conversation.
        guard message.kind != .groupchat, let (buddy, sender) = sides(of: message, way) else {
            return reading
        }
        if message.kind == .error {
            reading.others = failure(in: message, way)
            return reading
        }
        // The body of an invitation is for clients that do not know invitations.
        if MultiUserChat.invitation(in: message) == nil, let content = MessageContent(message) {
            reading.message = ReceivedMessage(
                buddy: buddy, sender: sender, text: content.text, time: time(of: message, way),
                name: Self.name(of: message), archiveName: reading.archiveName,
                corrects: Correction.corrected(by: message),
                receiptRequests: sender == .me ? [] : Self.receiptRequests(of: message), file: content.file)
        }
        if sender == .me, case .archive = way, let correction = reading.message, correction.corrects != nil,
            let name = correction.name
        {
            // A correction that was in transit when the connection was lost has arrived.
            reading.others.append(.acknowledged(buddy: buddy, name: name))
        }
        if let name = ChatMarkers.displayed(in: message) {
            reading.others.append(
                sender == .me ? .seen(buddy: buddy, upTo: .name(name)) : .read(buddy: buddy, name: name))
        }
        if sender != .me, let name = Receipts.received(in: message) {
            reading.others.append(.delivered(buddy: buddy, name: name))
        }
        if sender != .me, case .stream(let stamp) = way, stamp == nil {
            // A message without a chat state ends the typing before it.
            let state = ChatState(in: message).map { Self.typing($0) }
            reading.typing = (state ?? (reading.message == nil ? nil : .active)).map { (buddy, $0) }
        }
        return reading
    }

    /// Returns the conversation's buddy and the sender; nil if neither side is the user's account.
    private func sides(of message: Message, _ way: Way) -> (ChatAddress, MessageSender)? {
        let (from, to) = (message.from?.bare ?? own, message.to?.bare ?? own)
        switch way {
        case .stream: return (address(message.from), from == own ? .me : .buddy)
        case .sentElsewhere: return (address(message.to), .me)
        case .archive:
            guard from == own || to == own else { return nil }
            return from == own ? (address(message.to), .me) : (address(message.from), .buddy)
        }
    }

    /// Returns the conversation with an address; nil is the user's account.
    private func address(_ jid: JID?) -> ChatAddress {
        guard let jid else { return ChatAddress(own) }
        return rooms.contains(jid.bare) ? ChatAddress(full: jid) : ChatAddress(jid)
    }

    /// Returns the failure of a message of mine; the error's sender was its recipient.
    private func failure(in message: Message, _ way: Way) -> [MessageUpdate] {
        if case .sentElsewhere = way { return [] }
        guard (message.to?.bare ?? own) == own, let name = message.id, let error = message.error else {
            return []
        }
        return [
            .failed(buddy: address(message.from), name: name, reason: error.reasonForUser)
        ]
    }

    private func archiveName(of message: Message, _ way: Way) -> String? {
        if case .archive(let name, _) = way { return name }
        return trustsNames ? StableIDs.id(in: message, by: own).flatMap(Self.bounded) : nil
    }

    /// Returns the stanza's own id, which corrections, receipts and markers refer to.
    private static func name(of message: Message) -> String? {
        (message.id.flatMap(bounded) ?? StableIDs.origin(in: message)).flatMap(bounded)
    }

    /// Returns an id; nil if it is empty or too long.
    static func bounded(_ name: String) -> String? {
        name.isEmpty || name.utf8.count > maximumNameLength ? nil : name
    }

    /// Returns the confirmations that the sender of a message asks for.
    static func receiptRequests(of message: Message) -> ReceiptRequests {
        guard message.kind != .headline, name(of: message) != nil else { return [] }
        var receiptRequests: ReceiptRequests = []
        if message.extension(Receipts.namespace, "request") != nil { receiptRequests.insert(.receipt) }
        if message.extension(ChatMarkers.namespace, "markable") != nil { receiptRequests.insert(.marker) }
        return receiptRequests
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

// MARK: - Time

extension MessageMapper {
    /// Returns the time that the message was sent: the user's server is preferred over the sender, and a future time is
    /// ignored.
    private func time(of message: Message, _ way: Way) -> ChatTime {
        let own = [own.server, own].lazy.compactMap { Delay.stamp(in: message.extensions, by: $0) }.first
        let said: Timestamp? =
            switch way {
            case .archive(_, let stamp): stamp
            case .stream(let stamp), .sentElsewhere(let stamp): own ?? stamp
            }
        guard let said else { return now }
        let time = ChatTime(milliseconds: said.microseconds / 1000)
        return time > now || time < Self.earliest ? now : time
    }

    /// The beginning of 1999, before Jabber existed.
    static let earliest = ChatTime(milliseconds: 915_148_800_000)
}

extension ChatAddress {
    /// Creates the address of the account.
    init(_ jid: JID) { self.init(jid.bare.description) }

    /// Creates the address of an occupant of a room, or of the room.
    init(full jid: JID) { self.init(jid.description) }

    /// The XMPP address; nil if it is not one.
    var jid: JID? { self == .operatorAddress ? nil : JID(text) }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Makes facts of what messages say: those of the stream, of other devices, and of the archive.
struct MessageMapper {
    /// How a message came.
    enum Way {
        /// By the stream, or as a copy of what another device of mine got; and when it was sent, where that is told.
        case stream(Timestamp?)
        /// As a copy of what another device of mine sent; and when.
        case sentElsewhere(Timestamp?)
        /// From the own account's archive, under that name, kept at that moment.
        case archive(String, Timestamp)
    }

    /// What a message says.
    struct Reading {
        /// What is to be shown.
        var message: ReceivedMessage?
        /// What it says of other messages.
        var others: [MessageUpdate] = []
        /// What the own archive names it by; also one that shows nothing.
        var archiveName: String?
        /// What its sender does about an answer.
        var typing: (buddy: ChatAddress, state: Typing)?

        /// All of it, of a message that came by the stream.
        var facts: [MessageUpdate] { (message.map { [.received($0)] } ?? []) + others }
    }

    /// The longest name of a message that is kept, in bytes: a longer one is no name.
    static let maximumNameLength = 1024

    /// The own account.
    let own: JID
    /// Whether the server keeps others from naming messages in its archive's stead (XEP-0359 section 6).
    let trustsNames: Bool
    /// Now: nothing was sent later.
    let now: ChatTime

    /// Reads a message.
    func read(_ message: Message, _ way: Way) -> Reading {
        var reading = Reading()
        reading.archiveName = archiveName(of: message, way)
        // A room's messages are not between two.
        guard message.kind != .groupchat, let (buddy, sender) = sides(of: message, way) else {
            return reading
        }
        if message.kind == .error {
            reading.others = failure(in: message, way)
            return reading
        }
        if let text = message.body, !text.isEmpty {
            reading.message = ReceivedMessage(
                buddy: buddy, sender: sender, text: text, time: time(of: message, way),
                name: name(of: message), archiveName: reading.archiveName,
                corrects: Correction.corrected(by: message),
                receiptRequests: sender == .me ? [] : receiptRequests(of: message))
        }
        if sender == .me, case .archive = way, let correction = reading.message, correction.corrects != nil,
            let name = correction.name
        {
            // One that was on its way when the connection was lost has arrived.
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
            // A message without a state ends the typing before it.
            let state = ChatState(in: message).map { Self.typing($0) }
            reading.typing = (state ?? (reading.message == nil ? nil : .active)).map { (buddy, $0) }
        }
        return reading
    }

    /// The buddy of the conversation and the sender; nil for what is none of my account's.
    private func sides(of message: Message, _ way: Way) -> (ChatAddress, MessageSender)? {
        let (from, to) = (message.from?.bare ?? own, message.to?.bare ?? own)
        switch way {
        case .stream: return (ChatAddress(from), from == own ? .me : .buddy)
        case .sentElsewhere: return (ChatAddress(to), .me)
        case .archive:
            guard from == own || to == own else { return nil }
            return from == own ? (ChatAddress(to), .me) : (ChatAddress(from), .buddy)
        }
    }

    /// A message of mine that came to nothing; of whom it says so, it was to.
    private func failure(in message: Message, _ way: Way) -> [MessageUpdate] {
        if case .sentElsewhere = way { return [] }
        guard (message.to?.bare ?? own) == own, let name = message.id, let error = message.error else {
            return []
        }
        return [
            .failed(buddy: ChatAddress(message.from?.bare ?? own), name: name, reason: error.reasonForUser)
        ]
    }

    private func archiveName(of message: Message, _ way: Way) -> String? {
        if case .archive(let name, _) = way { return name }
        return trustsNames ? StableIDs.id(in: message, by: own).flatMap(Self.bounded) : nil
    }

    /// The stanza's own name: corrections, receipts and markers go by that.
    private func name(of message: Message) -> String? {
        (message.id.flatMap(Self.bounded) ?? StableIDs.origin(in: message)).flatMap(Self.bounded)
    }

    private static func bounded(_ name: String) -> String? {
        name.isEmpty || name.utf8.count > maximumNameLength ? nil : name
    }

    private func receiptRequests(of message: Message) -> ReceiptRequests {
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
    /// When it was sent: the own server's word before the sender's, and nobody's for the future.
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

    /// The beginning of 1999, when there was no Jabber.
    private static let earliest = ChatTime(milliseconds: 915_148_800_000)
}

extension ChatAddress {
    /// The account's address.
    init(_ jid: JID) { self.init(jid.bare.description) }

    /// The address; nil for what is none of Jabber's.
    var jid: JID? { self == .operatorAddress ? nil : JID(text) }
}

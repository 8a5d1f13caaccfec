// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// The requests of `Chat` to the account.
extension XMPPAccountSession: ChatService {
    /// Returns whether an address is an XMPP address.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy.jid != nil }

    /// Pauses or resumes reading from the server.
    public func setPaused(_ isPaused: Bool) { self.isPaused = isPaused }

    /// Returns the account that a text names, without the resource; nil if it is not an XMPP address.
    public func address(_ text: String) -> ChatAddress? { address(text).map { ChatAddress($0) } }
}

// MARK: - Messages

extension XMPPAccountSession {
    /// Returns whether a text is small enough to send, as a message and as a correction.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool { Self.canSend(text, to: buddy) }

    nonisolated static func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        guard text.utf8.count <= SendWindow.maximumStanzaSize, let jid = buddy.jid else { return false }
        // Longer than any id that a message gets.
        let name = String(repeating: "x", count: 64)
        let stanza = Message.own(text, to: jid, name: name, corrected: name).element
        return bytes(of: stanza) <= SendWindow.maximumStanzaSize
    }

    /// Sends a stored message that is waiting.
    public func send(_ message: ChatMessage) {
        guard let name = message.name, let jid = message.buddy.jid else { return }
        submit(message, to: jid, name: name) {
            Message.own(
                message.sentText, to: jid, name: name, file: message.isFileAlone ? message.file : nil,
                way: roomSessions.destination(jid), asks: roomSessions.asksForReceipts(jid))
        }
    }

    /// Sends the new text of a message of mine.
    public func sendCorrection(of message: ChatMessage, name: String) {
        guard let original = message.name, let jid = message.buddy.jid,
            // A message that has not been sent yet is sent with its new text.
            message.state != .waiting || context.outbox.isSent(original)
                || roomSessions.session(jid)?.sent.contains(original) == true
        else { return }
        submit(message, to: jid, name: name) {
            Message.own(
                message.text, to: jid, name: name, corrected: original, way: roomSessions.destination(jid),
                asks: roomSessions.asksForReceipts(jid))
        }
    }

    /// Builds and encrypts a message, and sends it after those that came before: the way of all messages of mine.
    private func submit(_ message: ChatMessage, to jid: JID, name: String, _ build: () -> Message) {
        guard maySend(name, to: jid), !context.outbox.isSent(name) else { return }
        context.outbox.prepares(name)
        let built = build()
        let count = readyCount
        let transmit = { [weak self] (stanza: XMLElement) in
            // If the connection was lost meanwhile, all waiting messages are requested again: none may overtake another.
            guard let self, context.outbox.prepared(name), count == readyCount else { return }
            self.transmit(stanza, of: message, to: jid, name: name)
        }
        if let stanza = context.outbox.returned(built) {
            encryption.whenPassed { transmit(stanza) }
        } else {
            encryption.enter([built]) { for message in $0 { transmit(message.element) } }
        }
    }

    private func maySend(_ name: String, to jid: JID) -> Bool {
        context.isReady && !context.outbox.isStuffed && roomSessions.maySend(name, to: jid)
    }

    private func transmit(_ stanza: XMLElement, of message: ChatMessage, to jid: JID, name: String) {
        // A message that may no longer be sent now is requested again.
        guard maySend(name, to: jid) else { return }
        let bytes = Self.bytes(of: stanza)
        guard bytes <= SendWindow.maximumStanzaSize else {
            return context.emit([.failed(buddy: message.buddy, name: name, reason: Self.tooLong)])
        }
        if roomSessions.destination(jid) == .person { address(message.buddy) }
        guard context.outbox.sends(name, bytes: bytes) else { return }
        roomSessions.sends(name, to: jid)
        context.send(stanza)
    }

    /// Sends the buddy a delivery receipt, if it may know that I am online; in a room, if all know each other.
    public func confirmArrival(of message: ChatMessage) {
        guard message.receiptRequests.contains(.receipt), message.sender != .me,
            let name = message.name, let jid = message.buddy.jid
        else { return }
        if let session = roomSessions.session(jid) {
            roomSessions.confirm(Receipts.receipt(for: name, to: jid), in: session)
        } else if mayKnow(message.buddy) {
            confirm(Receipts.receipt(for: name, to: jid))
        }
    }

    /// Marks the buddy's messages up to this one as seen, for the buddy and my other devices, if it may know that I am
    /// online; in a room, if all know each other.
    public func confirmReading(of message: ChatMessage) {
        guard message.receiptRequests.contains(.marker), message.sender != .me, let jid = message.buddy.jid
        else { return }
        if let session = roomSessions.session(jid) {
            // All occupants know a message by the id that the room assigned, if it assigns any (XEP-0333 section 4.3).
            let name = jid.isBare && session.state.hasArchive ? message.archiveName : message.name
            if let name { roomSessions.confirm(ChatMarkers.displayed(name, to: jid), in: session) }
        } else if mayKnow(message.buddy), let name = message.name {
            confirm(ChatMarkers.displayed(name, to: jid))
        }
    }

    /// Sends the buddy my typing state, if it may know that I am online.
    public func tell(_ typing: Typing, to buddy: ChatAddress) {
        guard context.isReady, mayKnow(buddy), let jid = buddy.jid else { return }
        context.send(ChatState(typing).message(to: jid).element)
    }

    /// Loads older messages from the archive.
    public func loadHistory(
        of buddy: ChatAddress, before archiveName: String?
    ) async throws(ChatServiceError) -> Bool {
        guard client.state == .online else { throw .offline }
        guard let jid = buddy.jid else { throw .unsupported }
        let room = jid.isBare ? roomSessions.session(jid) : nil
        guard room.map(\.state.hasArchive) ?? (hasArchive == true) else { throw .unsupported }
        var query = Archive.Query(.before(archiveName), with: room == nil ? jid : nil)
        // The archive contains receipts and markers, so a page without messages is not the beginning.
        for _ in 0..<Self.maximumHistoryPages {
            let wanted = query
            let page: Archive.Page
            do throws(RequestError) {
                page = try await client.archive(wanted, of: room?.jid)
            } catch .refused(let error) where error.condition == "item-not-found" {
                return false
            } catch {
                throw ChatServiceError(error)
            }
            let account = client.account.jid.bare
            let readings = await context.pipeline.read(
                page, room.map { roomSessions.reader(of: $0) } ?? reader)
            guard account == client.account.jid.bare else { throw .offline }
            let messages = readings.compactMap(\.message).filter { $0.buddy == buddy }
            guard messages.isEmpty else {
                context.emit(
                    [.archived(ArchivePage(.oldest(of: buddy), messages.map(\.past)))]
                        + readings.flatMap(\.others))
                return !page.isComplete
            }
            guard !page.isComplete, let first = page.set.first ?? page.items.first?.id else { return false }
            query.page = .before(first)
        }
        return false
    }

    private static let maximumHistoryPages = 20
    private static var tooLong: String { localized("The message is too long to send.") }

    private nonisolated static func bytes(of stanza: XMLElement) -> Int {
        stanza.serialized(in: Namespace.client).utf8.count
    }
}

// MARK: - Buddies

extension XMPPAccountSession {
    /// Adds a buddy, requests its presence, and approves its own request in advance.
    public func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        guard jid != client.account.jid.bare else { throw .refused(localized("This is your own address.")) }
        let groups = try await groups(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.client.setBuddy(jid, name: name, groups: groups)
        }
        let record = context.roster.record(of: buddy)
        if record?.tellsMe != true {
            client.send(Presence(.subscribe, to: jid).element)
            context.emit(context.roster.setDeclined(false, buddy))
        }
        // A buddy that I add may see my presence, which saves a request to answer (RFC 6121 section 3.4).
        if record?.toldByMe != true, context.roster.isAsking(buddy) || client.hasPreapproval {
            client.send(Presence(.subscribed, to: jid).element)
        }
    }

    /// Renames a buddy.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        let groups = try await groups(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.client.setBuddy(jid, name: name, groups: groups)
        }
    }

    /// Removes a buddy, and ends the presence subscriptions in both directions.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        try await asking { () throws(RequestError) in try await self.client.removeBuddy(jid) }
    }

    /// Blocks or unblocks an address (XEP-0191).
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        try await asking { () throws(RequestError) in
            if isBlocked { try await self.client.block(jid) } else { try await self.client.unblock(jid) }
        }
    }

    /// Answers a subscription request; accepting it requests the buddy's presence as well.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        guard client.state == .online else { throw .offline }
        client.send(Presence(accept ? .subscribed : .unsubscribed, to: jid).element)
        let record = context.roster.record(of: buddy)
        if accept, record?.tellsMe != true, record?.isAsked != true {
            client.send(Presence(.subscribe, to: jid).element)
        }
        context.emit(context.roster.answered(buddy) + context.roster.setDeclined(!accept, buddy))
    }

    /// Returns a buddy's groups, which have to be sent again with each change of the item.
    private func groups(of buddy: ChatAddress) async throws(ChatServiceError) -> [String] {
        if let groups = context.roster.groups(of: buddy) { return groups }
        let list = try await asking { () throws(RequestError) in try await self.client.roster() }
        if let list { context.emit(context.roster.handle(list)) }
        return context.roster.groups(of: buddy) ?? []
    }

    private func address(of buddy: ChatAddress) throws(ChatServiceError) -> JID {
        guard let jid = buddy.jid else { throw .refused(localized("This is not a valid address.")) }
        return jid
    }

    private func asking<Value: Sendable>(
        _ question: @MainActor () async throws(RequestError) -> Value
    ) async throws(ChatServiceError) -> Value {
        do throws(RequestError) {
            return try await question()
        } catch {
            throw ChatServiceError(error)
        }
    }
}

extension ChatState {
    init(_ typing: Typing) {
        self =
            switch typing {
            case .composing: .composing
            case .paused: .paused
            case .active: .active
            case .gone: .inactive
            }
    }
}

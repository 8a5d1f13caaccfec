// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// What `Chat` asks of the account.
extension XMPPChat: ChatService {
    /// Whether it is an address of Jabber's.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy.jid != nil }

    /// Takes nothing more from the server for now, or goes on with it.
    public func setPaused(_ isPaused: Bool) { client.isPaused = isPaused }

    /// The account that a text means, whatever device of it.
    public func address(_ text: String) -> ChatAddress? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let jid = JID(String(words[0])), !jid.local.isEmpty else { return nil }
        return ChatAddress(jid)
    }
}

// MARK: - Messages

extension XMPPChat {
    /// Whether a server takes a text, as a message and as a correction.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool { Self.canSend(text, to: buddy) }

    nonisolated static func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        guard text.utf8.count <= SendWindow.maximumStanzaSize, let jid = buddy.jid else { return false }
        // Longer than any name that is given to a message.
        let name = String(repeating: "x", count: 64)
        let stanza = Message.own(text, to: jid, name: name, corrected: name).element
        return bytes(of: stanza) <= SendWindow.maximumStanzaSize
    }

    /// Sends a message that is kept and waits.
    public func send(_ message: ChatMessage) {
        guard let name = message.name, isReady, !outbox.isStuffed, !outbox.isSent(name),
            let jid = message.buddy.jid
        else { return }
        let stanza = Message.own(message.text, to: jid, name: name).element
        let bytes = Self.bytes(of: stanza)
        guard bytes <= SendWindow.maximumStanzaSize else {
            return tell([.failed(buddy: message.buddy, name: name, reason: Self.tooLong)])
        }
        address(message.buddy)
        if outbox.sends(name, bytes: bytes) { send(stanza) }
    }

    /// Sends the new text of a message of mine.
    public func sendCorrection(of message: ChatMessage, name: String) {
        guard let original = message.name, isReady, !outbox.isStuffed, !outbox.isSent(name),
            let jid = message.buddy.jid
        else { return }
        // One that has not gone out yet goes with its new text.
        guard message.state != .waiting || outbox.isSent(original) else { return }
        let stanza = Message.own(message.text, to: jid, name: name, corrected: original).element
        let bytes = Self.bytes(of: stanza)
        guard bytes <= SendWindow.maximumStanzaSize else {
            return tell([.failed(buddy: message.buddy, name: name, reason: Self.tooLong)])
        }
        if outbox.sends(name, bytes: bytes) { send(stanza) }
    }

    /// Tells the buddy that its message arrived, if it may know that I am here.
    public func confirmArrival(of message: ChatMessage) {
        guard message.receiptRequests.contains(.receipt), message.sender != .me, mayKnow(message.buddy),
            let name = message.name, let jid = message.buddy.jid
        else { return }
        confirm(Receipts.receipt(for: name, to: jid))
    }

    /// Tells the buddy and my other devices that I have seen its messages up to this one, if it may know that I am here.
    public func confirmReading(of message: ChatMessage) {
        guard message.receiptRequests.contains(.marker), message.sender != .me, mayKnow(message.buddy),
            let name = message.name, let jid = message.buddy.jid
        else { return }
        confirm(ChatMarkers.displayed(name, to: jid))
    }

    /// Tells the buddy what I do about an answer, if it may know that I am here.
    public func tell(_ typing: Typing, to buddy: ChatAddress) {
        guard isReady, mayKnow(buddy), let jid = buddy.jid else { return }
        send(ChatState(typing).message(to: jid).element)
    }

    /// Asks the archive for older messages.
    public func loadHistory(
        of buddy: ChatAddress, before archiveName: String?
    ) async throws(ChatServiceError) -> Bool {
        guard case .online = client.state else { throw .offline }
        guard hasArchive == true, let jid = buddy.jid else { throw .unsupported }
        var query = Archive.Query(.before(archiveName), with: jid)
        // Receipts and markers are among them: a page without a message is not the beginning of all.
        for _ in 0..<Self.maximumHistoryPages {
            let wanted = query
            let page: Archive.Page
            do throws(RequestError) {
                page = try await client.archive(wanted)
            } catch .refused(let error) where error.condition == "item-not-found" {
                return false
            } catch {
                throw ChatServiceError(error)
            }
            let reader = reader
            let readings = page.items.map { reader.read($0.message, .archive($0.id, $0.stamp)) }
            let messages = readings.compactMap(\.message).filter { $0.buddy == buddy }
            guard messages.isEmpty else {
                tell(
                    [.archived(ArchivePage(.oldest(of: buddy), messages.map(\.wantingNothing)))]
                        + readings.flatMap(\.others))
                return !page.isComplete
            }
            guard !page.isComplete, let first = page.set.first ?? page.items.first?.id else { return false }
            query.page = .before(first)
        }
        return false
    }

    private static let maximumHistoryPages = 20
    private static let tooLong = "The message is too long for a server to take."

    private nonisolated static func bytes(of stanza: XMLElement) -> Int {
        stanza.serialized(in: Namespace.client).utf8.count
    }
}

// MARK: - Buddies

extension XMPPChat {
    /// Adds a buddy, asks for its presence, and lets it see mine should it ask.
    public func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        guard jid != client.account.jid.bare else { throw .refused("This is your own address.") }
        let groups = try await groups(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.client.setBuddy(jid, name: name, groups: groups)
        }
        let record = book.record(of: buddy)
        if record?.tellsMe != true {
            client.send(Presence(.subscribe, to: jid).element)
            tellAll(book.setDeclined(false, buddy))
        }
        // Who is added may know it: one answer less to be given (RFC 6121 section 3.4).
        if record?.toldByMe != true, book.isAsking(buddy) || client.hasPreapproval {
            client.send(Presence(.subscribed, to: jid).element)
        }
    }

    /// Calls a buddy something else.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        let groups = try await groups(of: buddy)
        try await asking { () throws(RequestError) in
            try await self.client.setBuddy(jid, name: name, groups: groups)
        }
    }

    /// Removes a buddy, and ends all telling of presence.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        try await asking { () throws(RequestError) in try await self.client.removeBuddy(jid) }
    }

    /// Hears nothing more of somebody, or hears again (XEP-0191).
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        try await asking { () throws(RequestError) in
            if isBlocked { try await self.client.block(jid) } else { try await self.client.unblock(jid) }
        }
    }

    /// Answers who wants to see my presence; who may is asked for the same.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        let jid = try address(of: buddy)
        guard case .online = client.state else { throw .offline }
        client.send(Presence(accept ? .subscribed : .unsubscribed, to: jid).element)
        let record = book.record(of: buddy)
        if accept, record?.tellsMe != true, record?.isAsked != true {
            client.send(Presence(.subscribe, to: jid).element)
        }
        tellAll(book.answered(buddy) + book.setDeclined(!accept, buddy))
    }

    /// Where other programs have sorted a buddy in: what is set again is set as a whole.
    private func groups(of buddy: ChatAddress) async throws(ChatServiceError) -> [String] {
        if let groups = book.groups(of: buddy) { return groups }
        let roster = try await asking { () throws(RequestError) in try await self.client.roster() }
        if let roster { tellAll(book.take(roster)) }
        return book.groups(of: buddy) ?? []
    }

    private func address(of buddy: ChatAddress) throws(ChatServiceError) -> JID {
        guard let jid = buddy.jid else { throw .refused("This is no address.") }
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

// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Received messages

extension MessageMerger {
    /// Merges a message received by the stream.
    mutating func come(_ message: ReceivedMessage) throws(StoreError) {
        let received = try rooted(message)
        if received.relation.corrected != nil {
            if try isByOther(received) { return try come(received.unproven) }
            try correct(received)
        } else if try isOver(received) {
            return
        } else if var message = try known(received) {
            let wasWaiting = message.state == .waiting
            var isNews = message.learn(from: received)
            // The room decides the order of the messages that were written at the same time.
            if wasWaiting, received.passage == .reflected,
                try places(received.buddy)?.upperBound != message.place
            {
                message.place = try newestPlace(received.buddy)
                isNews = true
            }
            if isNews { try update(message) }
        } else {
            let message = try insert(
                received, at: try newestPlace(received.buddy), isUnread: received.isNew)
            // A reply from another device implies that the user has seen the messages before it.
            if message.sender == .me { try see(upTo: message) }
        }
    }

    /// Merges missed messages in the archive’s order; a known one keeps its place if it can.
    ///
    /// - Parameter room: The room whose archive it is; nil for the account’s.
    mutating func takeNewest(_ messages: [ReceivedMessage], upTo mark: String?, of room: ChatAddress?)
        throws(StoreError)
    {
        var walked: [ChatAddress: Int64] = [:]
        var answers: [ChatAddress: ChatMessage] = [:]
        var floors: [ChatAddress: Int64] = [:]
        let names = Set(messages.compactMap(\.archiveName))
        for message in messages {
            let (received, buddy) = (try rooted(message), message.buddy)
            if received.relation.corrected != nil {
                if let alone = try correct(received) { walked[buddy] = alone.place }
            } else if try isOver(received) {
                continue
            } else if var message = try known(received) {
                // A message that the archive has not named so far follows all those that it has named, also in earlier
                // pages.
                if message.archiveName == nil, floors[buddy] == nil {
                    floors[buddy] = try lastArchived(of: buddy, but: names, upTo: received.time)
                }
                let floor = message.archiveName == nil ? floors[buddy] : nil
                var isNews = message.learn(from: received)
                // The same message was sent again: it keeps its first place.
                if let name = received.archiveName, message.archiveName != name {
                    if isNews { try update(message) }
                    continue
                }
                if message.place < max(floor ?? .min, walked[buddy] ?? .min) {
                    message.place = try newestPlace(buddy)
                    isNews = true
                }
                walked[buddy] = message.place
                if isNews { try update(message) }
            } else {
                let message = try insert(
                    received, at: try newestPlace(buddy), isUnread: received.isNew)
                walked[buddy] = message.place
                if message.sender == .me { answers[buddy] = message }
            }
        }
        // Checked last, because all messages are in order only now.
        for last in answers.values { try see(upTo: last) }
        if let mark { try table.setArchiveCursor(mark, of: room) }
    }

    /// Returns the place of the last message with an archive name that is not among `names`.
    ///
    /// - Parameter time: Later messages do not count: a page of older history may have named one that missed
    ///   messages still precede. Within a page, the time of any message will do.
    private func lastArchived(
        of buddy: ChatAddress, but names: Set<String>, upTo time: ChatTime? = nil
    ) throws(StoreError) -> Int64 {
        var last = try table.lastArchived(of: buddy, before: .max)
        func precedes(_ message: ChatMessage) -> Bool {
            guard let time, message.sender != .me else { return true }
            return message.time <= time
        }
        while let message = last, message.archiveName.map(names.contains) ?? false || !precedes(message) {
            last = try table.lastArchived(of: buddy, before: message.place)
        }
        return last?.place ?? .min
    }

    /// Merges older history of one conversation, from the newest to the oldest: the mirror image of missed messages.
    mutating func takeOldest(_ page: [ReceivedMessage]) throws(StoreError) {
        let messages = try rooted(page)
        let corrections = Corrections(messages)
        guard let buddy = messages.first?.buddy else { return }
        let names = Set(messages.compactMap(\.archiveName))
        // If no other message has an archive name, the page is not older than the known messages, but their end.
        let isOlder = try lastArchived(of: buddy, but: names) > .min
        var walked: Int64?
        for (index, received) in messages.enumerated().reversed() {
            guard received.relation.corrected == nil else {
                if corrections.indices.contains(index), try standsAlone(received, corrections) {
                    walked = try insert(received, at: try oldestPlace(buddy), isUnread: received.isNew).place
                }
                continue
            }
            if try isOver(received) { continue }
            guard var message = try known(received) else {
                walked = try insert(received, at: try oldestPlace(buddy), isUnread: received.isNew).place
                continue
            }
            // A message that the archive has not named so far precedes all those that it has named.
            let isFirstNamed = isOlder && message.archiveName == nil && received.archiveName != nil
            var isNews = message.learn(from: received)
            if received.archiveName == nil || message.archiveName == received.archiveName {
                if isFirstNamed || message.place > walked ?? .max {
                    message.place = try oldestPlace(buddy)
                    isNews = true
                }
                walked = message.place
            }
            if isNews { try update(message) }
        }
        try apply(corrections, of: messages)
    }

    /// Returns whether a message has been replaced or applied, and is not to be shown.
    private mutating func isOver(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        if try isOldTry(received) { return true }
        if received.isRepetition, try known(received) == nil { return true }
        return try isAppliedCorrection(received)
    }

    /// Returns whether a message is a failed attempt of the user’s that was sent again: only the new attempt counts.
    private func isOldTry(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        guard received.sender == .me, let name = received.name else { return false }
        return try table.hasCorrection(of: received.buddy, from: .me, name: Self.oldTry(name))
    }

    /// Returns the stored message that is the same as a received one.
    private func known(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        if let message = try named(received) { return message }
        return received.mayBeChanged && received.sender == .me ? try sentBack(received) : nil
    }

    private func named(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        if let archiveName = received.archiveName,
            let message = try table.message(of: received.buddy, archiveName: archiveName)
        {
            return message
        }
        guard let name = received.name,
            let message = try table.message(of: received.buddy, from: received.sender.identity, name: name)
        else { return nil }
        if message.standsIn(for: received) { return message }
        let (isNear, isUnique) = (message.wasSent(about: received.time), Self.isUnique(name))
        // A message that was corrected on this device, or retracted, no longer has its original text.
        guard
            message.text == received.text || message.hasFile(of: received) || received.isTextless && isUnique
                || message.waits(for: received) && isUnique
                || message.isCorrected && (isNear || received.sender == .me && isUnique)
                || message.retraction != nil && (isNear || isUnique)
        else {
            return nil
        }
        guard message.archiveName != nil, received.archiveName != nil else {
            // The user’s message may have waited long for a connection, and this clock may differ from the archive’s.
            return isNear || isUnique && (received.sender == .me || received.archiveName != nil)
                ? message : nil
        }
        return received.sender == .me || isUnique ? message : nil
    }

    /// Returns whether an ID is long enough to be unique: some clients number their messages from 1.
    static func isUnique(_ name: String) -> Bool { name.utf8.count >= 16 }

    /// Inserts a received message.
    ///
    /// A correction takes the place of its unknown original, under the original’s name. If older history has the
    /// original, the two are merged at the original’s place. One whose sender is not proven is a message of its own, which
    /// says that it is a correction.
    mutating func insert(_ received: ReceivedMessage, at place: Int64, isUnread: Bool)
        throws(StoreError)
        -> ChatMessage
    {
        let original = received.relation.corrected
        let content = try marked(received)
        return try insert(
            ChatMessage(
                id: 0, conversation: ConversationID(received.buddy, of: table.account),
                sender: received.sender,
                content: content, time: received.time, place: place,
                state: received.sender == .me ? .sent : .received, name: original ?? received.name,
                archiveName: original == nil ? received.archiveName : nil,
                isCorrected: received.isCorrection,
                isUnread: isUnread, receiptRequests: received.receiptRequests,
                reply: received.relation.reply))
    }
}

extension ChatMessage {
    /// The maximum difference between two times of one message, in milliseconds: that of the clocks, and the
    /// time until a server resends stanzas after a lost connection.
    private static let repetitionMargin: Int64 = 600_000

    func wasSent(about other: ChatTime) -> Bool {
        let (earlier, later) = (min(time, other).milliseconds, max(time, other).milliseconds)
        let (difference, isTooGreat) = later.subtractingReportingOverflow(earlier)
        return !isTooGreat && difference <= Self.repetitionMargin
    }

    /// Returns whether this is a correction stored in place of the received original.
    fileprivate func standsIn(for received: ReceivedMessage) -> Bool {
        (isCorrected || retraction != nil) && archiveName == nil && received.archiveName != nil
            && received.time <= time
    }

    /// Returns whether this is an encrypted message that could not be read, and the received copy of it can.
    fileprivate func waits(for received: ReceivedMessage) -> Bool {
        guard case .unreadable = content.protection, retraction == nil else { return false }
        return received.content.protection.isEncrypted && !received.isRepetition
    }

    /// Compares addresses, because servers change the names of uploaded files.
    fileprivate func hasFile(of received: ReceivedMessage) -> Bool {
        file?.url != nil && file?.url == received.file?.url
    }

    /// Adopts more exact data from another copy of the message, and returns whether anything changed.
    fileprivate mutating func learn(from received: ReceivedMessage) -> Bool {
        let before = self
        if sender == .me, state == .waiting { state = .sent }
        archiveName = archiveName ?? received.archiveName
        name = name ?? received.name
        // A correction in place of its unknown original does not tell what that replied to.
        if retraction == nil { reply = reply ?? received.relation.reply }
        if waits(for: received) { content = received.content }
        return self != before
    }
}

extension ReceivedMessage {
    /// Whether the message is encrypted, and its text is not known from this copy.
    fileprivate var isTextless: Bool {
        if case .unreadable = content.protection { true } else { isRepetition }
    }
}

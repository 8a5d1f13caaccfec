// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - What came

extension MessageMerger {
    /// A message came by the stream.
    mutating func come(_ received: ReceivedMessage) throws(StoreError) {
        if received.corrects != nil {
            try correct(received)
        } else if try isOldTry(received) {
            return
        } else if var message = try known(received) {
            if message.learn(from: received) { try update(message) }
        } else {
            let message = try insert(
                received, at: try newestPlace(received.buddy), isUnread: received.sender != .me)
            // Whoever answers on another device has seen what was there to answer.
            if message.sender == .me { try see(upTo: message) }
        }
    }

    /// What was missed, walked in the archive's order: what is known keeps its place, unless something that came
    /// before it stands later.
    mutating func takeNewest(_ messages: [ReceivedMessage], upTo mark: String?) throws(StoreError) {
        var walked: [ChatAddress: Int64] = [:]
        var answers: [ChatAddress: ChatMessage] = [:]
        var floors: [ChatAddress: Int64] = [:]
        let names = Set(messages.compactMap(\.archiveName))
        for received in messages {
            let buddy = received.buddy
            if received.corrects != nil {
                if let alone = try correct(received) { walked[buddy] = alone.place }
            } else if try isOldTry(received) {
                continue
            } else if var message = try known(received) {
                // What the archive has not named before comes after all that it has, also in the pieces before this.
                if message.archiveName == nil, floors[buddy] == nil {
                    floors[buddy] = try lastArchived(of: buddy, but: names)
                }
                let floor = message.archiveName == nil ? floors[buddy] : nil
                var isNews = message.learn(from: received)
                // The same sent again: it stands where it was first.
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
                    received, at: try newestPlace(buddy), isUnread: received.sender != .me)
                walked[buddy] = message.place
                if message.sender == .me { answers[buddy] = message }
            }
        }
        // Looked at last, since only now all stand in order.
        for last in answers.values { try see(upTo: last) }
        if let mark { try table.setArchiveMark(mark) }
    }

    /// The place of the last message that the archive names, besides these.
    private func lastArchived(of buddy: ChatAddress, but names: Set<String>) throws(StoreError) -> Int64 {
        var last = try table.lastArchived(of: buddy, before: .max)
        while let message = last, message.archiveName.map(names.contains) ?? false {
            last = try table.lastArchived(of: buddy, before: message.place)
        }
        return last?.place ?? .min
    }

    /// Older history of one conversation, walked backwards: the mirror image of what was missed, and nothing unread.
    mutating func takeOldest(_ messages: [ReceivedMessage]) throws(StoreError) {
        let corrections = Corrections(messages)
        guard let buddy = messages.first?.buddy else { return }
        let names = Set(messages.compactMap(\.archiveName))
        // Where nothing else is named, the piece is no older than what is known, but the end of it.
        let isOlder = try lastArchived(of: buddy, but: names) > .min
        var walked: Int64?
        for (index, received) in messages.enumerated().reversed() {
            guard received.corrects == nil else {
                if corrections.indices.contains(index), try standsAlone(received, corrections) {
                    walked = try insertAlone(received, at: try oldestPlace(buddy), isUnread: false).place
                }
                continue
            }
            if try isOldTry(received) { continue }
            guard var message = try known(received) else {
                walked = try insert(received, at: try oldestPlace(buddy), isUnread: false).place
                continue
            }
            // What the archive has not named before is older than all that it has.
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

    /// Whether it is a message of mine that failed and was tried again: the new try alone counts.
    private func isOldTry(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        guard received.sender == .me, let name = received.name else { return false }
        return try table.hasCorrection(of: received.buddy, from: .me, name: Self.oldTry(name))
    }

    /// The message that is this one, if it is known.
    private func known(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
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
        // What was corrected here no longer has the text that it came with.
        guard
            message.text == received.text
                || message.isCorrected && (isNear || received.sender == .me && isUnique)
        else {
            return nil
        }
        guard message.archiveName != nil, received.archiveName != nil else {
            // What I wrote may have waited long for a connection, and the clock here may differ from the archive's.
            return isNear || isUnique && (received.sender == .me || received.archiveName != nil)
                ? message : nil
        }
        return received.sender == .me || isUnique ? message : nil
    }

    /// Whether a name is of a kind that no sender gives twice.
    ///
    /// Some number their messages from 1 at each start.
    private static func isUnique(_ name: String) -> Bool { name.utf8.count >= 16 }

    private mutating func insert(_ received: ReceivedMessage, at place: Int64, isUnread: Bool)
        throws(StoreError)
        -> ChatMessage
    {
        try insert(
            ChatMessage(
                id: 0, conversation: ConversationID(received.buddy, of: table.account),
                sender: received.sender,
                text: received.text, time: received.time, place: place,
                state: received.sender == .me ? .sent : .received, name: received.name,
                archiveName: received.archiveName,
                isUnread: isUnread, receiptRequests: received.receiptRequests))
    }
}

// MARK: - Corrections (XEP-0308)

extension MessageMerger {
    /// The corrections of a piece of the archive: of each message the last one counts.
    private struct Corrections {
        struct Key: Hashable {
            let sender: MessageSender.Identity
            let name: String
        }
        /// Where the last one of each message stands.
        private(set) var indices: Set<Int> = []
        private var originals: Set<Key> = []

        init(_ messages: [ReceivedMessage]) {
            var last: [Key: Int] = [:]
            for (index, received) in messages.enumerated() {
                if let name = received.corrects {
                    last[Key(sender: received.sender.identity, name: name)] = index
                } else if let name = received.name {
                    originals.insert(Key(sender: received.sender.identity, name: name))
                }
            }
            indices = Set(last.values)
        }

        func hasOriginal(of received: ReceivedMessage) -> Bool {
            received.corrects.map { originals.contains(Key(sender: received.sender.identity, name: $0)) }
                ?? false
        }
    }

    /// Applies a correction, once.
    ///
    /// - Returns: the message that stands in for the original, if that is not known.
    @discardableResult
    private mutating func correct(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        guard let original = received.corrects, try record(received) else { return nil }
        guard
            var message = try table.message(
                of: received.buddy, from: received.sender.identity, name: original)
        else {
            return try insertAlone(
                received, at: try newestPlace(received.buddy), isUnread: received.sender != .me)
        }
        // What I have written here since goes out after it.
        guard message.correction == nil else { return nil }
        (message.text, message.isCorrected) = (received.text, true)
        try update(message)
        return nil
    }

    /// Applies those of older history: what has been corrected before was corrected later.
    private mutating func apply(_ corrections: Corrections, of messages: [ReceivedMessage]) throws(StoreError)
    {
        for index in corrections.indices.sorted() {
            let received = messages[index]
            guard let original = received.corrects, try record(received),
                var message = try table.message(
                    of: received.buddy, from: received.sender.identity, name: original),
                !message.isCorrected
            else { continue }
            (message.text, message.isCorrected) = (received.text, true)
            try update(message)
        }
        for received in messages where received.corrects != nil { _ = try record(received) }
    }

    private func standsAlone(_ received: ReceivedMessage, _ corrections: Corrections) throws(StoreError)
        -> Bool
    {
        guard let original = received.corrects, !corrections.hasOriginal(of: received) else { return false }
        if let by = received.name ?? received.archiveName,
            try table.hasCorrection(of: received.buddy, from: received.sender.identity, name: by)
        {
            return false
        }
        return try table.message(of: received.buddy, from: received.sender.identity, name: original) == nil
    }

    /// Keeps a correction whose original is not known in its stead: under the original's name, so that the original,
    /// should it be found in older history, is this one, and takes it to its place.
    private mutating func insertAlone(_ received: ReceivedMessage, at place: Int64, isUnread: Bool)
        throws(StoreError)
        -> ChatMessage
    {
        try insert(
            ChatMessage(
                id: 0, conversation: ConversationID(received.buddy, of: table.account),
                sender: received.sender,
                text: received.text, time: received.time, place: place,
                state: received.sender == .me ? .sent : .received, name: received.corrects, isCorrected: true,
                isUnread: isUnread, receiptRequests: received.receiptRequests))
    }

    /// Writes down that a correction was applied.
    ///
    /// - Returns: whether that is new.
    private mutating func record(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        guard let by = received.name ?? received.archiveName else { return true }
        guard try !table.hasCorrection(of: received.buddy, from: received.sender.identity, name: by) else {
            // It may be one of those that are written here, which the server has, then.
            if received.sender == .me { try settleCorrection(received.buddy, by) }
            return false
        }
        try table.noteCorrection(of: received.buddy, from: received.sender.identity, name: by)
        return true
    }
}

extension ChatMessage {
    /// The greatest difference, in milliseconds, between two times of one message: of this machine's clock, the server's
    /// and the time in which a server sends again what was on its way when a connection was lost.
    private static let repetitionMargin: Int64 = 600_000

    /// Whether it was sent at that time, as far as clocks agree.
    fileprivate func wasSent(about other: ChatTime) -> Bool {
        let (earlier, later) = (min(time, other).milliseconds, max(time, other).milliseconds)
        let (difference, isTooGreat) = later.subtractingReportingOverflow(earlier)
        return !isTooGreat && difference <= Self.repetitionMargin
    }

    /// Whether it is a correction that came before its original, which the archive now tells of.
    fileprivate func standsIn(for received: ReceivedMessage) -> Bool {
        isCorrected && archiveName == nil && received.archiveName != nil && received.time <= time
    }

    /// Takes over what is known better now.
    ///
    /// - Returns: whether anything is.
    fileprivate mutating func learn(from received: ReceivedMessage) -> Bool {
        let before = self
        if sender == .me, state == .waiting { state = .sent }
        archiveName = archiveName ?? received.archiveName
        name = name ?? received.name
        return self != before
    }
}

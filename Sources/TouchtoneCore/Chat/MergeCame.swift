// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - What came

extension Merge {
    /// A message came by the stream.
    mutating func come(_ came: CameMessage) throws(StoreError) {
        if came.corrects != nil {
            try correct(came)
        } else if try isOldTry(came) {
            return
        } else if var message = try known(came) {
            if message.learn(from: came) { try update(message) }
        } else {
            let message = try insert(came, at: try newestPlace(came.buddy), isUnread: came.sender != .me)
            // Whoever answers on another device has seen what was there to answer.
            if message.sender == .me { try see(upTo: message) }
        }
    }

    /// What was missed, walked in the archive's order: what is known keeps its place, unless something that came
    /// before it stands later.
    mutating func takeNewest(_ messages: [CameMessage], upTo mark: String?) throws(StoreError) {
        var walked: [ChatAddress: Int64] = [:]
        var answers: [ChatAddress: ChatMessage] = [:]
        var floors: [ChatAddress: Int64] = [:]
        let names = Set(messages.compactMap(\.archiveName))
        for came in messages {
            let buddy = came.buddy
            if came.corrects != nil {
                if let alone = try correct(came) { walked[buddy] = alone.place }
            } else if try isOldTry(came) {
                continue
            } else if var message = try known(came) {
                // What the archive has not named before comes after all that it has, also in the pieces before this.
                if message.archiveName == nil, floors[buddy] == nil {
                    floors[buddy] = try lastArchived(of: buddy, but: names)
                }
                let floor = message.archiveName == nil ? floors[buddy] : nil
                var isNews = message.learn(from: came)
                // The same sent again: it stands where it was first.
                if let name = came.archiveName, message.archiveName != name {
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
                let message = try insert(came, at: try newestPlace(buddy), isUnread: came.sender != .me)
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
    mutating func takeOldest(_ messages: [CameMessage]) throws(StoreError) {
        let corrections = Corrections(messages)
        guard let buddy = messages.first?.buddy else { return }
        let names = Set(messages.compactMap(\.archiveName))
        // Where nothing else is named, the piece is no older than what is known, but the end of it.
        let isOlder = try lastArchived(of: buddy, but: names) > .min
        var walked: Int64?
        for (index, came) in messages.enumerated().reversed() {
            guard came.corrects == nil else {
                if corrections.indices.contains(index), try standsAlone(came, corrections) {
                    walked = try insertAlone(came, at: try oldestPlace(buddy), isUnread: false).place
                }
                continue
            }
            if try isOldTry(came) { continue }
            guard var message = try known(came) else {
                walked = try insert(came, at: try oldestPlace(buddy), isUnread: false).place
                continue
            }
            // What the archive has not named before is older than all that it has.
            let isFirstNamed = isOlder && message.archiveName == nil && came.archiveName != nil
            var isNews = message.learn(from: came)
            if came.archiveName == nil || message.archiveName == came.archiveName {
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
    private func isOldTry(_ came: CameMessage) throws(StoreError) -> Bool {
        guard came.sender == .me, let name = came.name else { return false }
        return try table.hasCorrection(of: came.buddy, from: .me, name: Self.oldTry(name))
    }

    /// The message that is this one, if it is known.
    private func known(_ came: CameMessage) throws(StoreError) -> ChatMessage? {
        if let archiveName = came.archiveName,
            let message = try table.message(of: came.buddy, archiveName: archiveName)
        {
            return message
        }
        guard let name = came.name,
            let message = try table.message(of: came.buddy, from: came.sender.identity, name: name)
        else { return nil }
        if message.standsIn(for: came) { return message }
        let (isNear, isUnique) = (message.wasSent(about: came.time), Self.isUnique(name))
        // What was corrected here no longer has the text that it came with.
        guard message.text == came.text || message.isCorrected && (isNear || came.sender == .me && isUnique)
        else {
            return nil
        }
        guard message.archiveName != nil, came.archiveName != nil else {
            // What I wrote may have waited long for a connection, and the clock here may differ from the archive's.
            return isNear || isUnique && (came.sender == .me || came.archiveName != nil) ? message : nil
        }
        return came.sender == .me || isUnique ? message : nil
    }

    /// Whether a name is of a kind that no sender gives twice.
    ///
    /// Some number their messages from 1 at each start.
    private static func isUnique(_ name: String) -> Bool { name.utf8.count >= 16 }

    private mutating func insert(_ came: CameMessage, at place: Int64, isUnread: Bool) throws(StoreError)
        -> ChatMessage
    {
        try insert(
            ChatMessage(
                id: 0, conversation: ConversationID(came.buddy, of: table.account), sender: came.sender,
                text: came.text, time: came.time, place: place,
                state: came.sender == .me ? .sent : .received, name: came.name, archiveName: came.archiveName,
                isUnread: isUnread, wants: came.wants))
    }
}

// MARK: - Corrections (XEP-0308)

extension Merge {
    /// The corrections of a piece of the archive: of each message the last one counts.
    private struct Corrections {
        struct Key: Hashable {
            let sender: MessageSender.Identity
            let name: String
        }
        /// Where the last one of each message stands.
        private(set) var indices: Set<Int> = []
        private var originals: Set<Key> = []

        init(_ messages: [CameMessage]) {
            var last: [Key: Int] = [:]
            for (index, came) in messages.enumerated() {
                if let name = came.corrects {
                    last[Key(sender: came.sender.identity, name: name)] = index
                } else if let name = came.name {
                    originals.insert(Key(sender: came.sender.identity, name: name))
                }
            }
            indices = Set(last.values)
        }

        func hasOriginal(of came: CameMessage) -> Bool {
            came.corrects.map { originals.contains(Key(sender: came.sender.identity, name: $0)) } ?? false
        }
    }

    /// Applies a correction, once.
    ///
    /// - Returns: the message that stands in for the original, if that is not known.
    @discardableResult
    private mutating func correct(_ came: CameMessage) throws(StoreError) -> ChatMessage? {
        guard let original = came.corrects, try note(came) else { return nil }
        guard var message = try table.message(of: came.buddy, from: came.sender.identity, name: original)
        else {
            return try insertAlone(came, at: try newestPlace(came.buddy), isUnread: came.sender != .me)
        }
        // What I have written here since goes out after it.
        guard message.correction == nil else { return nil }
        (message.text, message.isCorrected) = (came.text, true)
        try update(message)
        return nil
    }

    /// Applies those of older history: what has been corrected before was corrected later.
    private mutating func apply(_ corrections: Corrections, of messages: [CameMessage]) throws(StoreError) {
        for index in corrections.indices.sorted() {
            let came = messages[index]
            guard let original = came.corrects, try note(came),
                var message = try table.message(of: came.buddy, from: came.sender.identity, name: original),
                !message.isCorrected
            else { continue }
            (message.text, message.isCorrected) = (came.text, true)
            try update(message)
        }
        for came in messages where came.corrects != nil { _ = try note(came) }
    }

    private func standsAlone(_ came: CameMessage, _ corrections: Corrections) throws(StoreError) -> Bool {
        guard let original = came.corrects, !corrections.hasOriginal(of: came) else { return false }
        if let by = came.name ?? came.archiveName,
            try table.hasCorrection(of: came.buddy, from: came.sender.identity, name: by)
        {
            return false
        }
        return try table.message(of: came.buddy, from: came.sender.identity, name: original) == nil
    }

    /// Keeps a correction whose original is not known in its stead: under the original's name, so that the original,
    /// should it be found in older history, is this one, and takes it to its place.
    private mutating func insertAlone(_ came: CameMessage, at place: Int64, isUnread: Bool)
        throws(StoreError)
        -> ChatMessage
    {
        try insert(
            ChatMessage(
                id: 0, conversation: ConversationID(came.buddy, of: table.account), sender: came.sender,
                text: came.text, time: came.time, place: place,
                state: came.sender == .me ? .sent : .received, name: came.corrects, isCorrected: true,
                isUnread: isUnread, wants: came.wants))
    }

    /// Writes down that a correction was applied.
    ///
    /// - Returns: whether that is new.
    private mutating func note(_ came: CameMessage) throws(StoreError) -> Bool {
        guard let by = came.name ?? came.archiveName else { return true }
        guard try !table.hasCorrection(of: came.buddy, from: came.sender.identity, name: by) else {
            // It may be one of those that are written here, which the server has, then.
            if came.sender == .me { try settleCorrection(came.buddy, by) }
            return false
        }
        try table.noteCorrection(of: came.buddy, from: came.sender.identity, name: by)
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
    fileprivate func standsIn(for came: CameMessage) -> Bool {
        isCorrected && archiveName == nil && came.archiveName != nil && came.time <= time
    }

    /// Takes over what is known better now.
    ///
    /// - Returns: whether anything is.
    fileprivate mutating func learn(from came: CameMessage) -> Bool {
        let before = self
        if sender == .me, state == .waiting { state = .sent }
        archiveName = archiveName ?? came.archiveName
        name = name ?? came.name
        return self != before
    }
}

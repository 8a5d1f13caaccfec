// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The message table, as the merger uses it.
extension StoreDatabase: MessageTable {
    func encryptionChoice(of buddy: ChatAddress) throws(StoreError) -> EncryptionChoice {
        let settings = try integers(MessageStatement.encryptionChoice, [key(buddy)]).first
        return ConversationSettings(rawValue: Int(settings ?? 0)).encryptionChoice
    }

    func message(of buddy: ChatAddress, archiveName: String) throws(StoreError) -> ChatMessage? {
        try messages(.byArchiveName, [key(buddy), .text(archiveName)]).first
    }

    func message(of buddy: ChatAddress, id: Int64) throws(StoreError) -> ChatMessage? {
        try messages(.byID, [key(buddy), .integer(id)]).first
    }

    func message(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String) throws(StoreError)
        -> ChatMessage?
    {
        guard let sender = try number(of: sender, in: buddy) else { return nil }
        return try messages(.byName, [key(buddy), .integer(sender), .text(name)]).first
    }

    func message(of buddy: ChatAddress, correction name: String) throws(StoreError) -> ChatMessage? {
        try messages(.byCorrection, [key(buddy), .text(name)]).first
    }

    func lastMine(of buddy: ChatAddress, count: Int) throws(StoreError) -> [ChatMessage] {
        try messages(.lastMine, [key(buddy), SQLValue(count), SQLValue(true)])
    }

    func hasCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        throws(StoreError) -> Bool
    {
        guard let sender = try number(of: sender, in: buddy) else { return false }
        return try isTrue(MessageStatement.hasCorrection, [key(buddy), .integer(sender), .text(name)])
    }

    func original(of buddy: ChatAddress, from sender: MessageSender.Identity, correction name: String)
        throws(StoreError) -> String?
    {
        guard let sender = try number(of: sender, in: buddy) else { return nil }
        let values: [SQLValue] = [key(buddy), .integer(sender), .text(name)]
        return try rows(MessageStatement.originalOfCorrection, values) { $0.optionalText(0) }.first ?? nil
    }

    func noteCorrection(
        of buddy: ChatAddress, from sender: MessageSender.Identity, name: String, original: String?
    ) throws(StoreError) {
        try run(MessageStatement.addConversation, [key(buddy)])
        let sender = try noteNumber(of: sender, in: buddy)
        try run(
            MessageStatement.noteCorrection, [key(buddy), .integer(sender), .text(name), SQLValue(original)])
    }

    func noteArchiveName(
        _ archiveName: String, ofCorrection name: String, of buddy: ChatAddress,
        from sender: MessageSender.Identity
    ) throws(StoreError) {
        guard let sender = try number(of: sender, in: buddy) else { return }
        try run(
            MessageStatement.noteArchiveName, [key(buddy), .integer(sender), .text(name), .text(archiveName)])
    }

    func correction(of buddy: ChatAddress, archiveName: String) throws(StoreError)
        -> (sender: MessageSender.Identity, original: String)?
    {
        try rows(MessageStatement.archivedCorrection, [key(buddy), .text(archiveName)]) { row in
            (MessageSender.Identity(row: row, number: 0), row.text(3))
        }.first
    }

    func insert(_ message: ChatMessage) throws(StoreError) -> ChatMessage {
        try run(MessageStatement.addConversation, [key(message.buddy)])
        let sender = try noteNumber(of: message.sender.identity, in: message.buddy)
        let (nickname, address) = message.sender.shownValues
        let values = [key(message.buddy), .integer(sender)] + message.changingValues + [nickname, address]
        let id = try insert(MessageStatement.insert, values)
        try run(MessageStatement.indexText, [.integer(id), .text(message.text)])
        var stored = message
        stored.id = id
        return stored
    }

    func update(_ message: ChatMessage) throws(StoreError) {
        let (id, text) = (SQLValue.integer(message.id), SQLValue.text(message.text))
        // Most updates change only the state or the unread flag, which few indexes contain.
        let values = [id] + message.changingValues
        guard try rows(MessageStatement.updateState, values, { _ in }).isEmpty else { return }
        // FTS5 needs the old text to remove it from the index.
        let before = try rows(MessageStatement.textBefore, [id, text]) { $0.text(0) }.first
        if let before { try run(MessageStatement.forgetText, [id, .text(before)]) }
        try run(MessageStatement.update, values)
        if before != nil { try run(MessageStatement.indexText, [id, text]) }
        if message.retraction != nil { try noteRetraction() }
    }

    func remove(_ message: ChatMessage) throws(StoreError) {
        // FTS5 needs the stored text to remove it from the index.
        let id = SQLValue.integer(message.id)
        let text = try rows(MessageStatement.textBefore, [id, .text("")]) { $0.text(0) }.first
        if let text { try run(MessageStatement.forgetText, [id, .text(text)]) }
        try run(MessageStatement.removeReactions, [id])
        try run(MessageStatement.remove, [id])
    }

    func places(of buddy: ChatAddress) throws(StoreError) -> ClosedRange<Int64>? {
        try rows(MessageStatement.places, [key(buddy)]) { row -> ClosedRange<Int64>? in
            guard let least = row.optionalInteger(0), let greatest = row.optionalInteger(1), least <= greatest
            else { return nil }
            return least...greatest
        }.first ?? nil
    }

    func lastArchived(of buddy: ChatAddress, before place: Int64) throws(StoreError) -> ChatMessage? {
        try messages(.lastArchived, [key(buddy), .integer(place)]).first
    }

    func waiting(of buddy: ChatAddress) throws(StoreError) -> [ChatMessage] {
        try messages(.waitingOf, [key(buddy)])
    }

    func unreadByBuddy(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage] {
        try messages(.unreadByBuddy, [key(buddy), .integer(place)])
    }

    func unreadByMe(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage] {
        try messages(.unreadByMe, [key(buddy), .integer(place)])
    }

    func unreadCount(_ buddy: ChatAddress) throws(StoreError) -> Int {
        max(0, Int(try integers(MessageStatement.unreadCount, [key(buddy)]).first ?? 0))
    }

    func archiveCursor(of room: ChatAddress?) throws(StoreError) -> String? {
        try mark(archiveKey(of: room))
    }

    func setArchiveCursor(_ name: String?, of room: ChatAddress?) throws(StoreError) {
        // The position in a room's archive was lost with the file, so that it cannot be ahead of the messages.
        if room != nil || caughtUp?.contains(account) != false { try setMark(archiveKey(of: room), name) }
    }

    func archivePast(of room: ChatAddress?) throws(StoreError) -> ArchivePast? {
        let parts = try mark(archiveKey(of: room, "past"))?.split(separator: " ", maxSplits: 1)
        guard let parts, parts.count == 2, let pages = Int(parts[0]), pages > 0 else { return nil }
        return ArchivePast(before: String(parts[1]), pages: pages)
    }

    func setArchivePast(_ past: ArchivePast?, of room: ChatAddress?) throws(StoreError) {
        try setMark(archiveKey(of: room, "past"), past.map { "\($0.pages) \($0.name)" })
    }

    private func archiveKey(of room: ChatAddress?, _ kind: String = "archive") -> String {
        prefix + kind + (room.map { "\n" + $0.text } ?? "")
    }

    func messages(_ query: MessageStatement, _ values: [SQLValue] = []) throws(StoreError) -> [ChatMessage] {
        // Consecutive messages are of the same conversation, and share its texts in memory.
        var last = (key: "", conversation: ConversationID(key: ""))
        var (count, marked) = (0, [Int]())
        var messages = try rows(query, values) { row in
            let key = row.text(1)
            if key != last.key { last = (key, ConversationID(key: key)) }
            if row.bool(25) { marked.append(count) }
            count += 1
            return ChatMessage(row: row, of: last.conversation)
        }
        // Few messages have reactions: a join would cost all others time.
        for index in marked { messages[index].reactions = try reactions(to: messages[index].id) }
        return messages
    }
}

extension ChatMessage {
    /// Creates a message from the columns of `MessageStatement.select`.
    fileprivate init(row: Statement.Row, of conversation: ConversationID) {
        let sender = MessageSender(row: row, number: 2, nickname: 14)
        let parts = row.optionalText(26).map { StoredPart.parts(in: $0) } ?? []
        self.init(
            id: row.integer(0), conversation: conversation, sender: sender,
            content: MessageContent(row: row, parts),
            time: ChatTime(milliseconds: row.integer(4)), place: row.integer(5),
            state: MessageState(number: row.integer(6), reason: row.optionalText(7), isMine: sender == .me),
            name: row.optionalText(8), archiveName: row.optionalText(9), isCorrected: row.bool(10),
            correction: row.optionalText(13), isUnread: row.bool(11),
            receiptRequests: ReceiptRequests(rawValue: Int(row.integer(12))), reply: parts.reply,
            retraction: row.optionalInteger(23).map { time in
                MessageRetraction(
                    time: ChatTime(milliseconds: time), moderation: row.optionalText(24),
                    moderator: parts.moderator, isHere: row.bool(27))
            })
    }

    /// The values that an update can change, in the order of the parameters in `MessageStatement`.
    fileprivate var changingValues: [SQLValue] {
        [
            .text(text), .integer(time.milliseconds), .integer(place), .integer(state.number),
            SQLValue(state.reason), SQLValue(name), SQLValue(archiveName), SQLValue(isCorrected),
            SQLValue(isUnread), SQLValue(receiptRequests.rawValue), SQLValue(correction),
            SQLValue(file?.url), SQLValue(file?.path), SQLValue(file?.name), SQLValue(file?.size),
            SQLValue(file?.mediaType), SQLValue(retraction?.time.milliseconds),
            SQLValue(retraction?.moderation), SQLValue(StoredPart.text(of: self)),
            SQLValue(retraction?.isHere == true), SQLValue(content.protection.number),
        ]
    }
}

extension MessageContent {
    /// Creates a content from the columns of `MessageStatement.select`, and the parts in one of them.
    fileprivate init(row: Statement.Row, _ parts: [StoredPart]) {
        let file = row.optionalText(18).map { name in
            SharedFile(
                url: row.optionalText(19), name: name, size: row.optionalInteger(20),
                mediaType: row.optionalText(21) ?? "", path: row.optionalText(22))
        }
        self.init(
            row.text(3), files: parts.files(after: file), fallbacks: parts.fallbacks,
            encryption: parts.encryption, isUnstyled: parts.isUnstyled, spoiler: parts.spoiler,
            protection: Protection(number: Int(row.integer(28))), device: parts.device)
    }
}

extension MessageState {
    /// The number in the file and in the conditions of indexes.
    fileprivate var number: Int64 {
        switch self {
        case .failed: 0
        case .waiting: 1
        case .sent: 2
        case .delivered: 3
        case .read: 4
        case .received: 5
        }
    }

    fileprivate var reason: String? { if case .failed(let reason) = self { reason } else { nil } }

    /// Reads an invalid number as the most likely state, so that one flipped bit does not lose the message.
    fileprivate init(number: Int64, reason: String?, isMine: Bool) {
        switch number {
        case 0 where isMine: self = .failed(reason ?? "")
        case 1 where isMine: self = .waiting
        case 3 where isMine: self = .delivered
        case 4 where isMine: self = .read
        default: self = isMine ? .sent : .received
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// Merges message updates from all sources into one conversation, exactly once and in order: messages written on this
/// device, received by the stream, repeated by a resumed stream, copied from other devices (XEP-0280) and found in the
/// archive (XEP-0313).
///
/// Two copies are the same message if they have the same archive name. If one of them has no archive name, they are the
/// same if sender, ID and text are equal. Two copies with different archive names are also the same if their ID is
/// unique: the second one was sent again after a lost connection. Some clients restart their numbering at each start,
/// so without an archive, the same ID after a long time means a new message.
public struct MessageMerger {
    let table: any MessageTable
    private var inserted: [Int64] = []
    private var touched: [Int64: ChatMessage] = [:]
    private var removed: [ChatMessage] = []
    private var ends: [ChatAddress: ClosedRange<Int64>] = [:]
    private var unread: [ChatAddress: Int] = [:]
    private var retractedFiles: [SharedFile] = []
    private var reactions: [ReceivedReaction] = []
    private var unresolved: [ChatAddress: [UnresolvedAnnotation]] = [:]
    private var corrections: [ChatAddress: Set<MessageReference>] = [:]

    private init(_ table: any MessageTable) { self.table = table }

    /// Applies updates in order, in a transaction of the caller, who rolls back if it throws.
    public static func apply(_ facts: [MessageUpdate], to table: any MessageTable) throws(StoreError)
        -> MessageChanges
    {
        var merge = MessageMerger(table)
        for fact in facts {
            try merge.take(fact)
            try merge.resolveCorrections()
        }
        return try merge.changes()
    }

    private mutating func take(_ fact: MessageUpdate) throws(StoreError) {
        switch fact {
        case .composed(let message): try write(message)
        case .corrected(let buddy, let name, let text, let by):
            try rewrite(buddy, name: name, text: text, by: by)
        case .received(let message): try come(message)
        case .archived(let piece):
            switch piece.end {
            case .newest(let mark): try takeNewest(piece.messages, upTo: mark, of: nil)
            case .newestOfRoom(let room, let mark):
                try takeNewest(piece.messages.filter { $0.buddy == room }, upTo: mark, of: room)
            case .oldest(let buddy): try takeOldest(piece.messages.filter { $0.buddy == buddy }.map(\.past))
            case .past(let room, let rest):
                let conversations = Dictionary(grouping: piece.messages, by: \.buddy)
                for (buddy, messages) in conversations.sorted(by: { $0.key < $1.key })
                where room == nil || buddy == room { try takeOldest(messages) }
                try table.setArchivePast(rest, of: room)
            }
        case .annotated(let annotation): try annotate(annotation)
        case .annotatedHere(let annotation): try write(annotation)
        case .deletedHere(let buddy, let id, let time, let isOfRoom):
            try hide(id, of: buddy, at: time, isOfRoom: isOfRoom)
        case .acknowledged(let buddy, let name): try advance(buddy, name, to: .sent)
        case .delivered(let buddy, let name): try advance(buddy, name, to: .delivered)
        case .read(let buddy, let name): try read(buddy, name)
        case .readInRoom(let room, let name):
            if let last = try table.message(of: room, archivedAs: name) { try read(upTo: last) }
        case .failed(let buddy, let name, let reason): try fail(buddy, name, reason)
        case .retried(let buddy, let name, let newName): try retry(buddy, name, as: newName)
        case .uploaded(let buddy, let name, let url, let size, let hash, let thumbnail):
            try upload(buddy, name, to: url, size, hash, thumbnail)
        case .thumbnail(let text, let buddy, let name): try addThumbnail(text, to: name, of: buddy)
        case .cancelled(let buddy, let name): try cancel(buddy, name)
        case .protected(let buddy, let name): try protect(buddy, name)
        case .protectedWaiting(let isOn, let buddy): try protectWaiting(isOn, buddy)
        case .postponedWaiting(let buddy): try postponeWaiting(buddy)
        case .seen(let buddy, .place(let place)): try see(table.unreadByMe(buddy, upTo: place))
        case .seen(let buddy, .name(let name)):
            if let last = try table.message(of: buddy, from: .buddy, named: name) { try see(upTo: last) }
        case .seen(let buddy, .archiveName(let name)):
            if let last = try table.message(of: buddy, archivedAs: name) { try see(upTo: last) }
        }
    }
}

// MARK: - Changes

extension MessageMerger {
    private func changes() throws(StoreError) -> MessageChanges {
        let new = Set(inserted)
        var changes = MessageChanges(
            inserted: inserted.compactMap { touched[$0] },
            changed: touched.values.filter { !new.contains($0.id) }, removed: removed)
        changes.retractedFiles = retractedFiles
        changes.reactions = reactions
        changes.inserted.sort { ($0.place, $0.id) < ($1.place, $1.id) }
        changes.changed.sort { ($0.place, $0.id) < ($1.place, $1.id) }
        for (buddy, before) in unread {
            let now = try table.unreadCount(buddy)
            if now != before { changes.unread[ConversationID(buddy, of: table.account)] = now }
        }
        return changes
    }

    @discardableResult
    mutating func insert(_ message: ChatMessage) throws(StoreError) -> ChatMessage {
        var message = message
        _ = try resolve(&message)
        if message.isUnread { try recordUnread(message.buddy) }
        let kept = try table.insert(message)
        for reaction in kept.reactions { try table.setReaction(reaction, of: kept) }
        inserted.append(kept.id)
        touched[kept.id] = kept
        return kept
    }

    mutating func update(_ message: ChatMessage) throws(StoreError) {
        var message = message
        // The archive may just have told the message’s ID.
        _ = try resolve(&message)
        try table.update(message)
        if message.retraction?.isHere != true { touched[message.id] = message }
    }

    /// Notes that a message is no longer shown, although the table keeps it.
    mutating func recordHidden(_ message: ChatMessage) {
        inserted.removeAll { $0 == message.id }
        touched[message.id] = nil
        removed.append(message)
    }

    mutating func drop(_ message: ChatMessage) throws(StoreError) {
        if message.isUnread { try recordUnread(message.buddy) }
        try table.remove(message)
        // The place of the last message is free again.
        ends[message.buddy] = nil
        inserted.removeAll { $0 == message.id }
        touched[message.id] = nil
        removed.append(message)
    }

    /// Returns a new place after all messages of a conversation.
    mutating func newestPlace(_ buddy: ChatAddress) throws(StoreError) -> Int64 {
        let known = try places(buddy)
        let place = known.map { $0.upperBound + 1 } ?? 1
        ends[buddy] = (known?.lowerBound ?? place)...place
        return place
    }

    /// Returns a new place before all messages of a conversation.
    mutating func oldestPlace(_ buddy: ChatAddress) throws(StoreError) -> Int64 {
        let known = try places(buddy)
        let place = known.map { $0.lowerBound - 1 } ?? 1
        ends[buddy] = place...(known?.upperBound ?? place)
        return place
    }

    func places(_ buddy: ChatAddress) throws(StoreError) -> ClosedRange<Int64>? {
        if let known = ends[buddy] { return known }
        return try table.places(of: buddy)
    }

    mutating func unresolved(of buddy: ChatAddress) throws(StoreError) -> [UnresolvedAnnotation] {
        if let known = unresolved[buddy] { return known }
        let stored = try table.unresolved(of: buddy)
        unresolved[buddy] = stored
        return stored
    }

    mutating func remember(_ annotations: [UnresolvedAnnotation], of buddy: ChatAddress) {
        unresolved[buddy] = annotations
    }

    /// Remembers the IDs of a correction, for which annotations may wait.
    mutating func remember(correction name: String, _ archiveName: String?, of buddy: ChatAddress) {
        corrections[buddy, default: []].insert(.stanza(name))
        if let archiveName { corrections[buddy, default: []].insert(.archive(archiveName)) }
    }

    /// Returns and forgets the IDs of these corrections.
    mutating func takeCorrections() -> [ChatAddress: Set<MessageReference>] {
        defer { corrections = [:] }
        return corrections
    }

    mutating func recordRetraction(of files: [SharedFile]) { retractedFiles += files }

    mutating func record(_ reaction: MessageReaction, to message: ChatMessage) {
        guard message.sender == .me, reaction.sender != .me, !reaction.emoji.isEmpty else { return }
        reactions.append(ReceivedReaction(message: message, reaction: reaction))
    }

    mutating func recordUnread(_ buddy: ChatAddress) throws(StoreError) {
        if unread[buddy] == nil { unread[buddy] = try table.unreadCount(buddy) }
    }
}

// MARK: - The user’s messages

extension MessageMerger {
    private mutating func write(_ composed: ComposedMessage) throws(StoreError) {
        guard try table.message(of: composed.buddy, from: .me, name: composed.name) == nil else { return }
        var content = composed.content
        try protect(&content, in: composed.buddy)
        try insert(
            ChatMessage(
                id: 0, conversation: ConversationID(composed.buddy, of: table.account), sender: .me,
                content: content, time: composed.time,
                place: try newestPlace(composed.buddy), state: .waiting, name: composed.name,
                reply: composed.reply))
    }

    private mutating func rewrite(_ buddy: ChatAddress, name: String, text: String, by: String)
        throws(StoreError)
    {
        guard try !table.hasCorrection(of: buddy, from: .me, name: by),
            var message = try table.message(of: buddy, from: .me, name: name), message.retraction == nil
        else { return }
        try table.noteCorrection(of: buddy, from: .me, name: by, original: name)
        message.content = message.content.replacing(with: text)
        try protect(&message.content, in: buddy)
        (message.isCorrected, message.correction) = (true, by)
        try update(message)
    }

    private mutating func advance(_ buddy: ChatAddress, _ name: String, to state: MessageState)
        throws(StoreError)
    {
        guard var message = try table.message(of: buddy, from: .me, name: name) else {
            return try settleCorrection(buddy, name)
        }
        guard message.state.leads(to: state) else { return }
        message.state = state
        try update(message)
    }

    private mutating func read(_ buddy: ChatAddress, _ name: String) throws(StoreError) {
        try advance(buddy, name, to: .read)
        if let last = try table.message(of: buddy, from: .me, named: name) { try read(upTo: last) }
    }

    /// Records that the user’s messages up to one of the conversation were seen.
    private mutating func read(upTo last: ChatMessage) throws(StoreError) {
        for var message in try table.unreadByBuddy(last.buddy, upTo: last.place)
        where message.state == .sent || message.state == .delivered {
            message.state = .read
            try update(message)
        }
    }

    private mutating func fail(_ buddy: ChatAddress, _ name: String, _ reason: String) throws(StoreError) {
        guard var message = try table.message(of: buddy, from: .me, name: name) else {
            return try failCorrection(buddy, name, reason)
        }
        guard message.state == .waiting || message.state == .sent else { return }
        (message.state, message.correction) = (.failed(reason), nil)
        try update(message)
    }

    /// Clears the pending correction that the server has acknowledged.
    mutating func settleCorrection(_ buddy: ChatAddress, _ name: String) throws(StoreError) {
        guard var message = try table.message(of: buddy, correction: name) else {
            try table.removeOutgoing(name, of: buddy)
            return
        }
        message.correction = nil
        try update(message)
    }

    private mutating func failCorrection(_ buddy: ChatAddress, _ name: String, _ reason: String)
        throws(StoreError)
    {
        guard var message = try table.message(of: buddy, correction: name) else {
            return try failAnnotation(buddy, name)
        }
        // The buddy does not have this text, whichever earlier one it has.
        (message.state, message.correction) = (.failed(reason), nil)
        try update(message)
    }

    private mutating func retry(_ buddy: ChatAddress, _ name: String, as newName: String) throws(StoreError) {
        guard var message = try table.message(of: buddy, from: .me, name: name),
            case .failed = message.state
        else { return }
        try table.noteCorrection(of: buddy, from: .me, name: Self.oldTry(name), original: nil)
        (message.name, message.archiveName, message.correction) = (newName, nil, nil)
        message.state = .waiting
        message.place = try newestPlace(buddy)
        try protect(&message.content, in: buddy)
        if message.content.protection.isEncrypted, message.file?.isExposed == true {
            message.content.forgetUpload()
        }
        try update(message)
    }

    private mutating func upload(
        _ buddy: ChatAddress, _ name: String, to url: String, _ size: Int64?, _ hash: FileHash?,
        _ thumbnail: String?
    ) throws(StoreError) {
        guard var message = try table.message(of: buddy, from: .me, name: name), message.needsUpload,
            message.state == .waiting, var file = message.file
        else { return }
        file.url = url
        if file.isEncrypted {
            // Words about it are a message of their own.
            message.content = MessageContent(file: file)
            message.content.protect(true)
            message.reply = nil
        } else {
            // It is uploaded again if the encryption was switched on meanwhile.
            try protect(&message.content, in: buddy)
            guard !message.content.protection.isEncrypted || file.isOffer else { return }
        }
        message.content.files[0].url = url
        message.content.files[0].size = size ?? message.file?.size
        message.content.files[0].hash = hash
        message.content.files[0].thumbnail = thumbnail
        if try places(buddy)?.upperBound != message.place { message.place = try newestPlace(buddy) }
        try update(message)
    }

    private mutating func addThumbnail(
        _ text: String, to name: String, of buddy: ChatAddress
    ) throws(StoreError) {
        guard var message = try table.message(of: buddy, from: .buddy, name: name),
            message.file?.isPicture == true, message.file?.thumbnail == nil,
            text.utf8.count <= SharedFile.maximumThumbnail
        else { return }
        message.content.files[0].thumbnail = text
        try update(message)
    }

    private mutating func cancel(_ buddy: ChatAddress, _ name: String) throws(StoreError) {
        guard let message = try table.message(of: buddy, from: .me, name: name), message.needsUpload else {
            return
        }
        try drop(message)
    }

    private mutating func postponeWaiting(_ buddy: ChatAddress) throws(StoreError) {
        // A message whose file is not uploaded yet moves then.
        let waiting = try table.waiting(of: buddy).filter { !$0.needsUpload }
        guard let first = waiting.first, let last = waiting.last else { return }
        // Places follow one another: nothing is between them or after them.
        let areLast = try places(buddy)?.upperBound == last.place
        if areLast, last.place - first.place == waiting.count - 1 { return }
        for var message in waiting {
            message.place = try newestPlace(buddy)
            try update(message)
        }
    }

    /// Returns the marker for an ID that was replaced by sending again; no ID of a correction starts like
    /// this by chance.
    static func oldTry(_ name: String) -> String { "tried again: \(name)" }

    /// Marks the buddy’s messages as seen, after the user has read or replied on another device.
    ///
    /// If `last` is in the archive, messages that are not are skipped: the archive may still place them after
    /// it.
    mutating func see(upTo last: ChatMessage) throws(StoreError) {
        let messages = try table.unreadByMe(last.buddy, upTo: last.place)
        try see(messages.filter { last.archiveName == nil || $0.archiveName != nil })
    }

    private mutating func see(_ messages: [ChatMessage]) throws(StoreError) {
        guard let buddy = messages.first?.buddy else { return }
        try recordUnread(buddy)
        for var message in messages {
            message.isUnread = false
            try update(message)
        }
    }
}

extension MessageState {
    /// Returns whether a report advances the state; after a rejection, only one by the buddy’s device does.
    fileprivate func leads(to other: MessageState) -> Bool {
        if case .failed = self { return other == .delivered || other == .read }
        return progress < other.progress
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The stored messages as `MessageMerger` uses them: synchronously, on the store’s thread, in one
/// transaction.
public protocol MessageTable: AnyObject {
    /// The account of the conversations, besides the Operator’s; nil if there is no account.
    var account: ChatAddress? { get }
    /// Returns what the user has chosen for a conversation.
    func encryptionChoice(of buddy: ChatAddress) throws(StoreError) -> EncryptionChoice
    func message(of buddy: ChatAddress, archiveName: String) throws(StoreError) -> ChatMessage?
    /// Returns the message of a conversation with an identifier of the table.
    func message(of buddy: ChatAddress, id: Int64) throws(StoreError) -> ChatMessage?
    /// Returns the last message of a conversation with the given sender and message ID.
    func message(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String) throws(StoreError)
        -> ChatMessage?
    /// Returns the user’s message whose pending correction has the given stanza ID.
    func message(of buddy: ChatAddress, correction name: String) throws(StoreError) -> ChatMessage?
    /// Returns the user’s last messages of a conversation, the newest first.
    func lastMine(of buddy: ChatAddress, count: Int) throws(StoreError) -> [ChatMessage]
    /// Returns whether a correction with this ID by this sender was already applied.
    func hasCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        throws(StoreError) -> Bool
    /// Returns the ID of the message that a sender’s correction names; nil if the correction is not known.
    func original(of buddy: ChatAddress, from sender: MessageSender.Identity, correction name: String)
        throws(StoreError) -> String?
    /// Records the ID of a sender’s correction, and of the message that it names.
    func noteCorrection(
        of buddy: ChatAddress, from sender: MessageSender.Identity, name: String, original: String?
    ) throws(StoreError)
    /// Records the ID in the archive of a recorded correction, unless it or another one has one.
    func noteArchiveName(
        _ archiveName: String, ofCorrection name: String, of buddy: ChatAddress,
        from sender: MessageSender.Identity
    ) throws(StoreError)
    /// Returns the sender of the correction with an ID in the archive, and the ID of the message that it names; nil if the
    /// correction is not known.
    func correction(of buddy: ChatAddress, archiveName: String) throws(StoreError)
        -> (sender: MessageSender.Identity, original: String)?
    /// Stores a reaction to a message, in place of the earlier one of its sender.
    func setReaction(_ reaction: MessageReaction, of message: ChatMessage) throws(StoreError)
    func removeReactions(of message: ChatMessage) throws(StoreError)
    /// Returns the annotations of a conversation whose messages are not known, the oldest first.
    func unresolved(of buddy: ChatAddress) throws(StoreError) -> [UnresolvedAnnotation]
    /// Stores an annotation whose message is not known, and drops those that exceed `UnresolvedAnnotation.maximum`.
    func addUnresolved(_ annotation: MessageAnnotation) throws(StoreError) -> UnresolvedAnnotation
    func removeUnresolved(_ annotation: UnresolvedAnnotation) throws(StoreError)
    /// Stores an annotation of the user’s that the server has not acknowledged, in place of one that it outdates.
    func addOutgoing(_ annotation: MessageAnnotation) throws(StoreError)
    /// Removes such an annotation, and returns it; nil if there is none with the ID.
    @discardableResult
    func removeOutgoing(_ name: String, of buddy: ChatAddress) throws(StoreError) -> MessageAnnotation?
    /// Inserts a new message without its reactions, and returns it with the ID that the table assigned; the given `id` is ignored.
    func insert(_ message: ChatMessage) throws(StoreError) -> ChatMessage
    /// Updates a stored message, except for its reactions.
    func update(_ message: ChatMessage) throws(StoreError)
    func remove(_ message: ChatMessage) throws(StoreError)
    /// Returns the least and greatest place of a conversation; nil if it has no messages.
    func places(of buddy: ChatAddress) throws(StoreError) -> ClosedRange<Int64>?
    /// Returns the last message with an archive name before a place; nil if there is none.
    func lastArchived(of buddy: ChatAddress, before place: Int64) throws(StoreError) -> ChatMessage?
    /// Returns the user’s messages of a conversation that wait to be sent, in order.
    func waiting(of buddy: ChatAddress) throws(StoreError) -> [ChatMessage]
    /// Returns the user’s messages up to a place that are neither `read` nor failed.
    func unreadByBuddy(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage]
    /// Returns the buddy’s unread messages up to a place.
    func unreadByMe(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage]
    func unreadCount(_ buddy: ChatAddress) throws(StoreError) -> Int
    /// Returns how far the archive of a room, or of the account, has been read; nil if not at all.
    func archiveCursor(of room: ChatAddress?) throws(StoreError) -> String?
    /// Records the position up to which the archive of a room, or of the account, has been read.
    func setArchiveCursor(_ name: String?, of room: ChatAddress?) throws(StoreError)
    /// Records the past that is still to be loaded from the archive of a room, or of the account; nil if there is none.
    func setArchivePast(_ past: ArchivePast?, of room: ChatAddress?) throws(StoreError)
}

// Some apps and bridges name the correction that a message had last, and not the message.
extension MessageTable {
    /// Returns the ID of the message that a sender’s correction corrects, by the corrections between them as far as they
    /// are known; `name` itself if it is no correction’s.
    public func root(of name: String, in buddy: ChatAddress, from sender: MessageSender.Identity)
        throws(StoreError) -> String
    {
        var name = name
        // A stranger may make any chain, also a ring.
        for _ in 0..<32 {
            // Some apps number their messages from 1 at each start.
            guard try message(of: buddy, from: sender, name: name) == nil,
                let next = try original(of: buddy, from: sender, correction: name)
            else { break }
            name = next
        }
        return name
    }

    /// Returns the message with an ID, or one of whose corrections has it.
    public func message(of buddy: ChatAddress, from sender: MessageSender.Identity, named name: String)
        throws(StoreError) -> ChatMessage?
    {
        try message(of: buddy, from: sender, name: root(of: name, in: buddy, from: sender))
    }

    /// Returns the message with an ID in the archive, or one of whose corrections has it.
    public func message(of buddy: ChatAddress, archivedAs name: String) throws(StoreError) -> ChatMessage? {
        if let message = try message(of: buddy, archiveName: name) { return message }
        guard let correction = try correction(of: buddy, archiveName: name) else { return nil }
        return try message(of: buddy, from: correction.sender, named: correction.original)
    }
}

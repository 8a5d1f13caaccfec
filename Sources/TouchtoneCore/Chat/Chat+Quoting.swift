// SPDX-License-Identifier: GPL-3.0-or-later

// Replies to single messages (XEP-0461).
extension Chat {
    private static let maximumQuotedLines = 3
    private static let maximumQuotedLength = 300

    /// Returns whether the user can reply to a message: it can be read, and has an ID that the others know.
    public func canReply(to message: ChatMessage) -> Bool {
        reply(to: message) != nil && message.retraction == nil && message.content.encryption == nil
            && message.buddy != .operatorAddress
    }

    /// Returns the statement that a message replies to another one; nil if nobody could find that one.
    func reply(to original: ChatMessage) -> MessageReply? {
        reference(to: original).map { MessageReply(to: $0, by: author(of: original)) }
    }

    /// Returns a text to send, after a quotation of the message that it replies to.
    ///
    /// An encrypted message is quoted only where the reply is encrypted, too.
    func content(_ text: String, inReplyTo original: ChatMessage?) -> MessageContent {
        guard let original, !original.content.protection.isEncrypted || encryptsNow(original.buddy) else {
            return MessageContent(text.carried)
        }
        let shown = original.content.spoilerLine ?? original.visibleText
        let lines = shown.prefix(Self.maximumQuotedLength).split(separator: "\n")
        let quoted = lines.prefix(Self.maximumQuotedLines).joined(separator: "\n")
        return MessageContent(text.carried, quoting: quoted.carried)
    }

    /// Returns the ID by which all know a message: in a room that keeps an archive its own one, otherwise the sender’s.
    func reference(to message: ChatMessage) -> MessageReference? {
        if buddies.row(of: message.buddy)?.room != nil, let name = message.archiveName {
            return .archive(name)
        }
        return message.name.map { .stanza($0) }
    }

    /// Returns the name by which the others know the user: the nickname in a room, or else the beginning of the
    /// account's address; empty without an account.
    public func ownName(in buddy: ChatAddress) -> String {
        buddies.row(of: buddy.room)?.room?.nickname ?? account.map { String($0.text.prefix { $0 != "@" }) }
            ?? ""
    }

    private func author(of message: ChatMessage) -> ChatAddress? {
        let room = buddies.row(of: message.buddy)?.room
        switch message.sender {
        // An occupant who writes privately may not know the user’s own address.
        case .me:
            return room.map { $0.address.occupant($0.nickname) } ?? (message.buddy.isOccupant ? nil : account)
        case .buddy: return message.buddy
        case .occupant(let occupant): return message.buddy.occupant(occupant.nickname)
        }
    }
}

extension ChatAddress {
    fileprivate func occupant(_ nickname: String) -> ChatAddress { ChatAddress("\(text)/\(nickname)") }
}

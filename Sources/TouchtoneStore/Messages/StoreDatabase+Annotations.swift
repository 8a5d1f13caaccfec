// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Reactions, and the reactions and retractions whose messages are not known.
extension StoreDatabase {
    func reactions(to message: Int64) throws(StoreError) -> [MessageReaction] {
        try rows(MessageStatement.reactions, [.integer(message)]) { row in
            MessageReaction(
                sender: MessageSender(row: row, number: 3, nickname: 4), emoji: Self.emoji(row.text(2)),
                time: ChatTime(milliseconds: row.integer(0)), name: row.text(1))
        }.sorted(by: MessageReaction.isOrdered)
    }

    func setReaction(_ reaction: MessageReaction, of message: ChatMessage) throws(StoreError) {
        let id = SQLValue.integer(message.id)
        let sender = try noteNumber(of: reaction.sender.identity, in: message.buddy)
        let (nickname, address) = reaction.sender.shownValues
        try run(
            MessageStatement.setReaction,
            [
                id, .integer(sender), .integer(reaction.time.milliseconds), .text(reaction.name),
                .text(Self.text(reaction.emoji)), nickname, address,
            ])
        try run(MessageStatement.markReactions, [id, SQLValue(true)])
    }

    func removeReactions(of message: ChatMessage) throws(StoreError) {
        try run(MessageStatement.removeReactions, [.integer(message.id)])
        try run(MessageStatement.markReactions, [.integer(message.id), SQLValue(false)])
    }

    func unresolved(of buddy: ChatAddress) throws(StoreError) -> [UnresolvedAnnotation] {
        try rows(MessageStatement.unresolved, [key(buddy)]) { row in
            let (reference, emoji) = (row.text(7), row.optionalText(11))
            let kind: MessageAnnotation.Kind =
                if let emoji { .reaction(Self.emoji(emoji)) } else if let reason = row.optionalText(12) {
                    .moderation(reason: reason)
                } else { .retraction }
            return UnresolvedAnnotation(
                id: row.integer(0),
                MessageAnnotation(
                    kind, of: row.bool(6) ? .archive(reference) : .stanza(reference), buddy: buddy,
                    sender: MessageSender(row: row, number: 1, nickname: 2),
                    proof: row.optionalInteger(8).map { .stay(ChatTime(milliseconds: $0)) } ?? .identity,
                    time: ChatTime(milliseconds: row.integer(9)), name: row.text(10)))
        }
    }

    func addUnresolved(_ annotation: MessageAnnotation) throws(StoreError) -> UnresolvedAnnotation {
        let values = [key(annotation.buddy)] + annotation.sender.allValues + annotation.values
        let id = try insert(MessageStatement.addUnresolved, values)
        try run(MessageStatement.dropUnresolved, [.integer(id - UnresolvedAnnotation.maximum)])
        return UnresolvedAnnotation(id: id, annotation)
    }

    func removeUnresolved(_ annotation: UnresolvedAnnotation) throws(StoreError) {
        try run(MessageStatement.removeUnresolved, [.integer(annotation.id)])
    }

    func outgoing() throws(StoreError) -> [MessageAnnotation] {
        try rows(MessageStatement.outgoing, [.text(prefix)], Self.outgoing).sorted {
            ($0.time, $0.name) < ($1.time, $1.name)
        }
    }

    func addOutgoing(_ annotation: MessageAnnotation) throws(StoreError) {
        let (buddy, values) = (key(annotation.buddy), annotation.reference.values)
        let emoji = SQLValue(annotation.emoji)
        try run(MessageStatement.outdateOutgoing, [buddy] + values + [emoji])
        try run(
            MessageStatement.addOutgoing,
            [buddy] + values + [.integer(annotation.time.milliseconds), .text(annotation.name), emoji])
    }

    @discardableResult
    func removeOutgoing(_ name: String, of buddy: ChatAddress) throws(StoreError) -> MessageAnnotation? {
        try rows(MessageStatement.removeOutgoing, [key(buddy), .text(name)], Self.outgoing).first
    }

    private static func outgoing(_ row: Statement.Row) -> MessageAnnotation {
        let reference = row.text(3)
        return MessageAnnotation(
            row.optionalText(5).map { .reaction(emoji($0)) } ?? .retraction,
            of: row.bool(2) ? .archive(reference) : .stanza(reference),
            buddy: ConversationID(key: row.text(0)).buddy, sender: .me,
            time: ChatTime(milliseconds: row.integer(4)), name: row.text(1))
    }

    // An emoji contains no white space.
    fileprivate static func text(_ emoji: [String]) -> String { emoji.joined(separator: " ") }
    private static func emoji(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}

extension MessageAnnotation {
    /// The values that follow the sender, in the order of the parameters of `addUnresolved`.
    fileprivate var values: [SQLValue] {
        let stay: Int64? = if case .stay(let time) = proof { time.milliseconds } else { nil }
        let reason: String? = if case .moderation(let reason) = kind { reason } else { nil }
        return reference.values + [
            SQLValue(stay), .integer(time.milliseconds), .text(name),
            SQLValue(emoji), SQLValue(reason),
        ]
    }

    /// The emoji of a reaction, as they are stored; nil for a retraction.
    fileprivate var emoji: String? {
        switch kind {
        case .reaction(let emoji): StoreDatabase.text(emoji)
        case .retraction, .moderation: nil
        }
    }
}

extension MessageSender {
    /// The sender as it is stored apart from the conversation’s senders: a number, which is 2 for each occupant, and the
    /// four values from which the sender is created.
    fileprivate var allValues: [SQLValue] {
        let (nickname, address) = shownValues
        let id: String? = if case .occupant(let occupant) = self { occupant.id } else { nil }
        let number: Int64 =
            switch self {
            case .buddy: 0
            case .me: 1
            case .occupant: 2
            }
        return [.integer(number), nickname, address, SQLValue(id != nil), SQLValue(id)]
    }
}

extension MessageReference {
    /// Whether the ID is that of an archive, and the ID.
    fileprivate var values: [SQLValue] {
        switch self {
        case .archive(let name): [SQLValue(true), .text(name)]
        case .stanza(let name): [SQLValue(false), .text(name)]
        }
    }
}

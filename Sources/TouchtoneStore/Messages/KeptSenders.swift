// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Senders are stored as numbers: 0 is the buddy, 1 is the user, and each occupant of a room has its own number.
extension StoreDatabase {
    /// Returns the number of a sender in a conversation, or nil for an occupant without a number.
    func number(of sender: MessageSender.Identity, in buddy: ChatAddress) throws(StoreError) -> Int64? {
        guard let values = sender.values else { return sender == .me ? 1 : 0 }
        return try integers(MessageStatement.occupant, [key(buddy)] + values).first
    }

    /// Returns the number of a sender in an existing conversation, and assigns one to an occupant that has none.
    func noteNumber(of sender: MessageSender.Identity, in buddy: ChatAddress) throws(StoreError) -> Int64 {
        if let known = try number(of: sender, in: buddy) { return known }
        return try insert(MessageStatement.addOccupant, [key(buddy)] + (sender.values ?? []))
    }
}

extension MessageSender.Identity {
    /// Creates an identity from a sender’s number and the two columns after it: whether there is an identifier, and the
    /// identifying text.
    init(row: Statement.Row, number: Int32) {
        switch (row.integer(number), row.optionalText(number + 2)) {
        case (1, _): self = .me
        case (2..., let text?): self = row.bool(number + 1) ? .occupant(id: text) : .nickname(text)
        default: self = .buddy
        }
    }

    /// Whether the occupant is identified by an identifier, and the identifying text; nil for the two senders with
    /// fixed numbers.
    fileprivate var values: [SQLValue]? {
        switch self {
        case .me, .buddy: nil
        case .occupant(let id): [SQLValue(true), .text(id)]
        case .nickname(let nickname): [SQLValue(false), .text(nickname)]
        }
    }
}

extension MessageSender {
    /// Creates a sender from its number and the four columns that start with the nickname: the nickname, the address,
    /// whether there is an identifier, and the identifier.
    ///
    /// An occupant without a nickname is read as the buddy, so that one flipped bit does not lose a message.
    init(row: Statement.Row, number: Int32, nickname: Int32) {
        switch (row.integer(number), row.optionalText(nickname)) {
        case (1, _): self = .me
        case (2..., let name?):
            self = .occupant(
                RoomOccupant(
                    nickname: name, id: row.bool(nickname + 2) ? row.optionalText(nickname + 3) : nil,
                    address: row.optionalText(nickname + 1).map { ChatAddress($0) }))
        default: self = .buddy
        }
    }

    /// The nickname and the address of an occupant, or NULL for the other senders.
    var shownValues: (nickname: SQLValue, address: SQLValue) {
        guard case .occupant(let occupant) = self else { return (.null, .null) }
        return (.text(occupant.nickname), SQLValue(occupant.address?.text))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Senders are kept as numbers: 0 is the buddy, 1 is the user, and each occupant of a room has a number of its own.
extension StoreDatabase {
    /// The number of a sender in a conversation; nil for an occupant that has none yet.
    func number(of sender: MessageSender.Identity, in buddy: ChatAddress) throws(StoreError) -> Int64? {
        guard let values = sender.values else { return sender == .me ? 1 : 0 }
        return try rows(MessageStatement.occupant, [key(buddy)] + values) { $0.integer(0) }.first
    }

    /// The number of a sender in a conversation that is there, which an occupant gets now if it has none.
    func noteNumber(of sender: MessageSender.Identity, in buddy: ChatAddress) throws(StoreError) -> Int64 {
        if let known = try number(of: sender, in: buddy) { return known }
        let values = [key(buddy)] + (sender.values ?? [])
        guard let new = try rows(MessageStatement.addOccupant, values, { $0.integer(0) }).first else {
            throw .foundDamaged
        }
        return new
    }
}

extension MessageSender.Identity {
    /// Whether it is an identifier, and its text; nil for the two that have a number always.
    fileprivate var values: [SQLValue]? {
        switch self {
        case .me, .buddy: nil
        case .occupant(let id): [SQLValue(true), .text(id)]
        case .nickname(let nickname): [SQLValue(false), .text(nickname)]
        }
    }
}

extension MessageSender {
    /// Reads a sender from its number, and the four columns from the nickname on: the nickname, the address, whether it has
    /// an identifier, and that.
    ///
    /// An occupant without a nickname is none: one flipped bit is no reason to lose a message.
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

    /// The nickname and the address of an occupant.
    var shownValues: (nickname: SQLValue, address: SQLValue) {
        guard case .occupant(let occupant) = self else {
            return (SQLValue(nil as String?), SQLValue(nil as String?))
        }
        return (.text(occupant.nickname), SQLValue(occupant.address?.text))
    }
}

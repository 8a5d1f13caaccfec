// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The history of calls in the file.
extension StoreDatabase {
    func add(_ call: PastCall, textOf textCall: TextCall?) throws(StoreError) -> HistoryEntry {
        guard let textCall else { return try add(call, text: nil) }
        return try add(call, text: try openText(of: textCall))
    }

    /// Adds a call, to which a row of `text_call` belongs.
    func add(_ call: PastCall, text textID: Int64?) throws(StoreError) -> HistoryEntry {
        let (endReason, remote) = (StoredEndReason(call.endReason), call.remote)
        let kept = if let textID { try text(textID) } else { KeptCallText() }
        let hasText = !kept.lines.isEmpty
        if let textID { try run(CallTextStatement.close, [.integer(textID)]) }
        let searched = CallSearchText.searched(of: call, kept)
        let values: [SQLValue] = [
            SQLValue(call.isMissed), .integer(StoredDirection(call.direction).number),
            .integer(call.began.milliseconds),
            SQLValue(call.seconds), .text(call.line), .integer(endReason.number), SQLValue(endReason.name),
            SQLValue(endReason.reason), .text(remote.number.text), SQLValue(NumberKey(remote.number)?.text),
            .text(remote.displayName), .text(remote.address), .text(searched),
            SQLValue(hasText ? textID : nil),
        ]
        let id = try insert(CallStatement.add, values)
        if let textID { try run(RecordingStatement.bind, [.integer(id), .integer(textID)]) }
        try run(CallStatement.addText, [.integer(id), .text(searched)])
        if call.isMissed { try run(CallStatement.addMissedText, [.integer(id), .text(searched)]) }
        return HistoryEntry(id: id, call: call, isNew: call.isMissed, hasText: hasText)
    }

    func calls(_ query: HistoryQuery, below id: Int64?, count: Int) throws(StoreError) -> [HistoryEntry] {
        let found: CallStatement = query.isMissedOnly ? .foundMissedBelow : .foundBelow
        return try calls(
            query, query.isMissedOnly ? .missedBelow : .below, found, [.integer(id ?? .max)], count)
    }

    func calls(_ query: HistoryQuery, from id: Int64, count: Int) throws(StoreError) -> [HistoryEntry] {
        let found: CallStatement = query.isMissedOnly ? .foundMissedFrom : .foundFrom
        return try calls(query, query.isMissedOnly ? .missedFrom : .from, found, [.integer(id)], count)
    }

    func newMissedCalls() throws(StoreError) -> Int {
        Int(try integers(CallStatement.newCount).first ?? 0)
    }

    func lastDialled() throws(StoreError) -> RemoteParty? {
        let last = try rows(CallStatement.lastDialled, [.integer(.max)]) {
            (RemoteParty(DialledNumber($0.text(0)) ?? DialledNumber(), address: $0.text(1)), $0.integer(2))
        }
        guard let first = last.first else { return nil }
        return last.dropFirst().reduce(first) { $1.1 > $0.1 ? $1 : $0 }.0
    }

    func delete(_ which: HistorySelection) throws(StoreError) -> [Int64] {
        guard case .entries(let ids) = which else { return try integers(CallStatement.deleteAll) }
        return try run(CallStatement.delete, forEach: ids)
    }

    func restoreCalls(_ ids: [Int64]) throws(StoreError) {
        for id in ids { try run(CallStatement.restore, [.integer(id)]) }
    }

    /// Returns the ids of all calls that are deleted but not overwritten, whenever they were deleted.
    func deletedCalls() throws(StoreError) -> [Int64] { try integers(CallStatement.allDeleted) }

    /// Overwrites deleted calls, their searchable text, and the text that was typed in them.
    func overwriteCalls(_ ids: [Int64]) throws(StoreError) {
        try overwriteTexts(of: ids)
        try forgetRecordings(of: ids)
        let deleted = try integers(CallStatement.deletedCount).first ?? 0
        guard try isTrue(CallStatement.hasKept) || deleted > ids.count else {
            for query: CallStatement in [.clear, .clearText, .clearMissedText] { try run(query) }
            return try clearTexts()
        }
        for id in ids { try run(CallStatement.forget, [.integer(id)]) }
        for block in Set(ids.map { $0 >> 6 }).sorted() {
            try run(CallStatement.forgetText, [.integer(block)])
            try run(CallStatement.forgetMissedText, [.integer(block)])
        }
        try run(CallStatement.reindexNumbers)
    }

    private func calls(
        _ query: HistoryQuery, _ all: CallStatement, _ found: CallStatement, _ place: [SQLValue], _ count: Int
    ) throws(StoreError) -> [HistoryEntry] {
        var values = place + [SQLValue(max(0, count))]
        let text = CallSearchText.folded(query.text)
        guard !text.isEmpty else { return try rows(all, values, HistoryEntry.init(row:)) }
        // Do not search for the same string twice.
        let digits = CallSearchText.digits(query.text).flatMap { $0 == text ? nil : $0 }
        values += [
            .text(text), SQLValue(digits), .text(CallSearchText.json(query.numbers)),
            SQLValue(query.findsLines),
        ]
        return try rows(found, values, HistoryEntry.init(row:))
    }
}

extension HistoryEntry {
    /// Creates an entry from the columns of `CallStatement.select`.
    fileprivate init(row: Statement.Row) {
        let endReason = StoredEndReason(
            number: row.integer(6), name: row.optionalText(7), reason: row.optionalText(8))
        self.init(
            id: row.integer(0),
            call: PastCall(
                direction: StoredDirection(number: row.integer(2)).direction,
                // An invalid number is read as empty, so that one flipped bit does not lose the whole entry.
                remote: RemoteParty(
                    DialledNumber(row.text(9)) ?? DialledNumber(), address: row.text(11),
                    displayName: row.text(10)), line: row.text(5),
                began: ChatTime(milliseconds: row.integer(3)), endReason: endReason.endReason,
                seconds: row.optionalInteger(4).map { Int($0) }),
            isNew: row.bool(1), hasText: row.bool(12))
    }
}

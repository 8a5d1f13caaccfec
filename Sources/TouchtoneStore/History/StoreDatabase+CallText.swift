// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The real-time text of calls in the file.
extension StoreDatabase {
    func keep(_ parts: [TextPart], of call: TextCall) throws(StoreError) {
        let id: Int64 = if let open = try openText(of: call) { open } else { try begin(call) }
        for part in parts {
            try run(CallTextStatement.erase, [.integer(id), .integer(Int64(part.place))])
            let (kind, text): (StoredTextKind, String) =
                switch part.content {
                case .line(.farEnd, let text): (.farEnd, text)
                case .line(.own, let text): (.own, text)
                case .cut: (.cut, "")
                }
            guard kind == .cut || !text.isEmpty else { continue }
            try run(
                CallTextStatement.addLine,
                [
                    .integer(id), .integer(Int64(part.place)), .integer(kind.rawValue),
                    .integer(part.time.milliseconds), .text(text),
                ])
        }
    }

    /// Returns the row of the text of a call that goes on; nil if there is none.
    func openText(of call: TextCall) throws(StoreError) -> Int64? {
        try integers(
            CallTextStatement.open, [.integer(Int64(call.number)), .integer(call.began.milliseconds)]
        ).first
    }

    func forgetText(of call: TextCall) throws(StoreError) {
        guard let id = try openText(of: call) else { return }
        try noteDeletion()
        try run(CallTextStatement.forgetLines, [.integer(id)])
        // The recordings of the call need it until the call's end.
        if try rows(RecordingStatement.ofText, [.integer(id)], { _ in }).isEmpty {
            try run(CallTextStatement.close, [.integer(id)])
        }
    }

    func text(of call: Int64) throws(StoreError) -> KeptCallText {
        guard let id = try integers(CallTextStatement.ofCall, [.integer(call)]).first else {
            return KeptCallText()
        }
        return try text(id)
    }

    /// Returns the text of a row of `text_call`.
    func text(_ id: Int64) throws(StoreError) -> KeptCallText {
        let rows = try rows(CallTextStatement.lines, [.integer(id)]) {
            (StoredTextKind(rawValue: $0.integer(0)) ?? .farEnd, $0.text(1))
        }
        return KeptCallText(
            lines: rows.filter { $0.0 != .cut && !$0.1.isEmpty }.map {
                .init($0.0 == .own ? .own : .farEnd, $0.1)
            }, isCut: rows.contains { $0.0 == .cut })
    }

    /// Adds the calls that an earlier run of the program has not added; returns their number.
    func addInterrupted(reason: String) throws(StoreError) -> Int {
        let open = try rows(CallTextStatement.allOpen) { row in
            (
                row.integer(0),
                TextCall(
                    number: Int(truncatingIfNeeded: row.integer(1)),
                    began: ChatTime(milliseconds: row.integer(3)),
                    answered: row.optionalInteger(4).map { ChatTime(milliseconds: $0) },
                    direction: StoredDirection(number: row.integer(2)).direction,
                    remote: RemoteParty(
                        DialledNumber(row.text(6)) ?? DialledNumber(), address: row.text(8),
                        displayName: row.text(7)), line: row.text(5))
            )
        }
        for (id, call) in open {
            let last = try integers(CallTextStatement.lastTime, [.integer(id)]).first ?? 0
            let recorded = call.began.milliseconds + Int64(try recordedLength(ofText: id) / .milliseconds(1))
            let end = ChatTime(milliseconds: max(last, recorded))
            _ = try add(call.interrupted(at: end, reason: reason), text: id)
        }
        return open.count
    }

    /// Overwrites the text of deleted calls.
    func overwriteTexts(of calls: [Int64]) throws(StoreError) {
        for id in calls {
            guard let text = try integers(CallTextStatement.ofCall, [.integer(id)]).first else { continue }
            try run(CallTextStatement.forgetLines, [.integer(text)])
        }
    }

    /// Deletes all rows, unless a call with text goes on; those of all other calls are overwritten.
    func clearTexts() throws(StoreError) {
        guard try !isTrue(CallTextStatement.hasOpen) else { return }
        try run(CallTextStatement.clearLines)
        try run(CallTextStatement.clearCalls)
    }

    func begin(_ call: TextCall) throws(StoreError) -> Int64 {
        try insert(
            CallTextStatement.begin,
            [
                .integer(Int64(call.number)), .integer(StoredDirection(call.direction).number),
                .integer(call.began.milliseconds), SQLValue(call.answered?.milliseconds), .text(call.line),
                .text(call.remote.number.text), .text(call.remote.displayName), .text(call.remote.address),
            ])
    }
}

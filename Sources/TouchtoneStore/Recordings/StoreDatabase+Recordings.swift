// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The recordings of calls, whose sound is in files of their own.
//
// A file is removed before its row is marked as gone: after a failure in between, that is tried again.
extension StoreDatabase {
    private typealias FileRow = (id: Int64, file: String)

    func begin(_ file: String, _ kind: Recording.Kind, of call: TextCall) throws(StoreError) {
        let text: Int64 = if let open = try openText(of: call) { open } else { try begin(call) }
        _ = try insert(
            RecordingStatement.begin, [SQLValue(kind == .call), .integer(text), .text(file)])
    }

    func end(_ file: String, _ outcome: RecordingOutcome) throws(StoreError) {
        var (length, isHeard): (Duration?, Bool) = (nil, true)
        if case .kept(let known, let wasHeard) = outcome {
            (length, isHeard) = (known ?? recordings.length(of: file), wasHeard)
        }
        let milliseconds = length.map { Int64($0 / .milliseconds(1)) }
        try run(RecordingStatement.end, [.text(file), SQLValue(milliseconds), SQLValue(isHeard)])
        guard outcome == .nothing else { return }
        for row in try files(.heard) where row.file == file { try forgetRecording(row) }
    }

    func endInterruptedRecordings() throws(StoreError) {
        for row in try files(.running) {
            if recordings.length(of: row.file) ?? .zero > .zero {
                try end(row.file, .kept(length: nil, isHeard: false))
            } else {
                try forgetRecording(row)
            }
        }
    }

    func allRecordings() throws(StoreError) -> [Recording] {
        try rows(RecordingStatement.all) { row in
            let endReason = StoredEndReason(
                number: row.integer(10), name: row.optionalText(11), reason: row.optionalText(12))
            let call = PastCall(
                direction: StoredDirection(number: row.integer(6)).direction,
                remote: RemoteParty(
                    DialledNumber(row.text(13)) ?? DialledNumber(), address: row.text(15),
                    displayName: row.text(14)),
                line: row.text(9), began: ChatTime(milliseconds: row.integer(7)),
                endReason: endReason.endReason,
                seconds: row.optionalInteger(8).map { Int($0) })
            return Recording(
                id: row.integer(0), entry: row.integer(1), call: call, kind: row.bool(2) ? .call : .message,
                length: row.optionalInteger(3).map { .milliseconds($0) }, isHeard: row.bool(4),
                file: row.text(5))
        }
    }

    /// Removes a deleted recording.
    func forgetRecording(_ id: Int64) throws(StoreError) {
        for row in try files(.deleted) where row.id == id { try forgetRecording(row) }
    }

    /// Removes those that were deleted when the file was last open.
    func forgetDeletedRecordings() throws(StoreError) {
        for row in try files(.deleted) { try forgetRecording(row) }
    }

    /// Removes the recordings of deleted calls.
    func forgetRecordings(of calls: [Int64]) throws(StoreError) {
        for id in calls { for row in try files(.ofCall, [.integer(id)]) { try forgetRecording(row) } }
    }

    /// Removes heard recordings, the oldest first, until the rest has at most so many bytes; returns its size.
    func trimRecordings(to bytes: Int64) throws(StoreError) -> Int64 {
        let rows = try rows(RecordingStatement.heard) { ($0.integer(0), $0.text(1), $0.bool(2)) }
        var total = rows.reduce(0) { $0 + recordings.size(of: $1.1) }
        for (id, file, isHeard) in rows where isHeard && total > bytes {
            total -= recordings.size(of: file)
            try forgetRecording((id, file))
        }
        return total
    }

    func unheardBytes() throws(StoreError) -> Int64 {
        try files(.unheard).reduce(0) { $0 + recordings.size(of: $1.file) }
    }

    /// Returns the greatest length of the recordings of a call that has no row.
    func recordedLength(ofText id: Int64) throws(StoreError) -> Duration {
        try files(.ofText, [.integer(id)]).compactMap { recordings.length(of: $0.file) }.max() ?? .zero
    }

    private func forgetRecording(_ row: FileRow) throws(StoreError) {
        guard recordings.remove(row.file) else { return }
        try run(RecordingStatement.forget, [.integer(row.id)])
    }

    private func files(_ statement: RecordingStatement, _ values: [SQLValue] = []) throws(StoreError)
        -> [FileRow]
    {
        try rows(statement, values) { ($0.integer(0), $0.text(1)) }
    }
}

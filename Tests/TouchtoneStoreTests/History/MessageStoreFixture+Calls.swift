// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

@testable import TouchtoneStore

// The call history in a test's own store.
extension MessageStoreFixture {
    @discardableResult
    func add(_ call: PastCall) async throws(StoreError) -> HistoryEntry {
        try await told { $0.add(call, completion: $1) }
    }

    /// Keeps lines of a call that goes on, each as a part of its own; `place` is that of the first one.
    func keep(
        _ lines: [KeptCallText.Line], from place: Int = 1, isCut: Bool = false, of call: TextCall
    ) async throws(StoreError) {
        var parts = lines.enumerated().map { index, line in
            TextPart(
                place + index, .line(line.side, line.text),
                time: ChatTime(milliseconds: call.began.milliseconds + 1000 * Int64(index)))
        }
        if isCut { parts.append(TextPart(.max, .cut, time: call.began)) }
        try await told { $0.keep(parts, of: call, completion: $1) }
    }

    @discardableResult
    func add(_ call: PastCall, textOf text: TextCall) async throws(StoreError) -> HistoryEntry {
        try await told { $0.add(call, textOf: text, completion: $1) }
    }

    func forgetText(of call: TextCall) async throws(StoreError) {
        try await told { $0.forgetText(of: call, completion: $1) }
    }

    func markSeen() async throws(StoreError) { try await told { $0.markSeen(completion: $1) } }

    @discardableResult
    func delete(_ which: HistorySelection) async throws(StoreError) -> [Int64] {
        try await told { $0.delete(which, completion: $1) }
    }

    func restore(_ ids: [Int64]) async throws(StoreError) {
        try await told { $0.restore(ids, completion: $1) }
    }

    func forget(_ ids: [Int64]) async throws(StoreError) { try await told { $0.forget(ids, completion: $1) } }

    /// Returns the entries that match a query, newest first.
    func calls(_ query: HistoryQuery = HistoryQuery()) async throws(StoreError) -> [HistoryEntry] {
        try await store.entries(query, below: nil, count: .max)
    }

    /// Returns the names of the calls that match a query, newest first.
    func names(_ query: HistoryQuery = HistoryQuery()) async throws(StoreError) -> [String] {
        try await calls(query).map(\.call.remote.displayName)
    }

    /// Returns the result of a store operation.
    func told<Value: Sendable>(
        _ body: (SQLiteStore, @escaping @MainActor (Result<Value, StoreError>) -> Void) -> Void
    ) async throws(StoreError) -> Value {
        let store = store
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            body(store) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}

/// Returns a call at a minute after the start of 1970.
func past(
    _ number: String = "", _ name: String = "", _ direction: Call.Direction = .outgoing,
    address: String = "", at minute: Int64 = 1, end: CallEndReason = .hungUp, seconds: Int? = nil
) -> PastCall {
    PastCall(
        direction: direction,
        remote: RemoteParty(DialledNumber(number) ?? DialledNumber(), address: address, displayName: name),
        line: "practice", began: ChatTime(milliseconds: minute * 60_000), endReason: end, seconds: seconds)
}

/// Returns a call that goes on.
func talk(_ number: Int, with name: String = "", _ digits: String = "") -> TextCall {
    TextCall(
        number: number, began: ChatTime(milliseconds: 60_000), answered: ChatTime(milliseconds: 61_000),
        direction: .incoming,
        remote: RemoteParty(DialledNumber(digits) ?? DialledNumber(), displayName: name),
        line: "sip")
}

/// Returns a missed call.
func missed(_ number: String = "", _ name: String = "") -> PastCall {
    past(number, name, .incoming, end: .noAnswer)
}

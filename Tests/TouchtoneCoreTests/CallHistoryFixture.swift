// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// A call history on a store in memory, with a contact book and a record of its notifications.
@MainActor
final class CallHistoryFixture {
    let store = MemoryHistoryStore()
    let contactStore = MemoryContactStore()
    /// An hour after the calls that are stored already.
    let wall = FixedWallClock(1_315_874_061_000)
    let book: ContactBook
    let history: CallHistory
    private(set) var changes: [CallHistory.Change] = []
    /// The number of notifications that calls were saved, deleted or restored.
    private(set) var callChanges = 0

    init() {
        book = ContactBook(store: contactStore, books: nil)
        history = CallHistory(store: store, contacts: book, wall: wall)
        history.observe(by: self) { [weak self] change in
            if change == .calls { self?.callChanges += 1 } else { self?.changes.append(change) }
        }
    }

    /// Creates a fixture whose store has calls `1` to `count` with different numbers, and opens the list.
    static func open(_ count: Int) async -> CallHistoryFixture {
        let fixture = CallHistoryFixture()
        fixture.store.fill((0..<count).map { call(number($0 + 1)) })
        fixture.history.start()
        fixture.history.open()
        await fixture.settle()
        return fixture
    }

    /// Returns when all requests are answered.
    func settle() async {
        for _ in 0..<5 {
            await store.idle()
            await contactStore.idle()
        }
    }

    /// Deletes one entry or all, and returns the closure that undoes it.
    func delete(_ id: Int64?) async -> Deletion? {
        var deletion: Deletion?
        if let id { history.delete(id) { deletion = $0 } } else { history.deleteAll { deletion = $0 } }
        await settle()
        return deletion
    }

    /// Returns the notifications since the last time.
    func takeChanges() -> [CallHistory.Change] {
        defer { changes = [] }
        return changes
    }

    /// The ids in the window.
    var ids: [Int64] { history.window.map(\.id) }

    /// Returns a number of ten digits.
    nonisolated static func number(_ count: Int) -> String { String(5_550_000_000 + count) }

    nonisolated static func call(
        _ number: String, _ direction: Call.Direction = .outgoing, name: String = "",
        end: CallEndReason = .farEnd, seconds: Int? = 5, at milliseconds: Int64 = 1_315_870_461_000
    ) -> PastCall {
        PastCall(
            direction: direction,
            remote: RemoteParty(DialledNumber(number) ?? DialledNumber(), displayName: name),
            line: "practice",
            began: ChatTime(milliseconds: milliseconds), endReason: end, seconds: seconds)
    }

    nonisolated static func missed(_ number: String) -> PastCall {
        call(number, .incoming, end: .noAnswer, seconds: nil)
    }

    /// Returns a call with the given duration and time to answer.
    func record(
        _ number: String, _ direction: Call.Direction = .outgoing, ringing: Duration = .seconds(4),
        talking: Duration? = .seconds(42), end: CallEndReason = .farEnd
    ) -> CallRecord? {
        let fixture = CallManagerFixture()
        if direction == .outgoing { fixture.dial(number) } else { fixture.line.offer(number) }
        fixture.clock.advance(by: ringing)
        if let talking {
            if direction == .outgoing {
                fixture.line.calls.last?.tell(.answered)
            } else {
                fixture.keeper.answer()
            }
            fixture.clock.advance(by: talking)
        }
        fixture.line.calls.last?.tell(.ended(end))
        fixture.keeper.hangUpAll()
        return fixture.records.last
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct HistoryKeepingTests {
    // MARK: Missed calls

    @Test func missedCallsAreCountedUntilViewed() async throws {
        let fixture = CallHistoryFixture()
        fixture.store.fill(
            [CallHistoryFixture.missed("1"), CallHistoryFixture.call("2"), CallHistoryFixture.missed("3")],
            areNew: true)
        fixture.history.start()
        await fixture.settle()
        #expect(fixture.history.missed == 2)
        fixture.history.note(try #require(fixture.record("4", .incoming, talking: nil, end: .noAnswer)))
        // Declined and answered calls are not missed.
        fixture.history.note(try #require(fixture.record("5", .incoming, talking: nil, end: .declined)))
        fixture.history.note(try #require(fixture.record("6", .incoming)))
        await fixture.settle()
        #expect(fixture.history.missed == 3)
        #expect(fixture.takeChanges() == [.missed, .missed])

        fixture.history.open()
        await fixture.settle()
        fixture.history.isInView = true
        await fixture.settle()
        #expect(fixture.history.missed == 0 && fixture.store.seen == 1)
        // They stay marked for the reader.
        #expect(fixture.history.window.filter(\.isNew).map(\.id) == [4, 3, 1])
        fixture.history.isInView = false
        #expect(fixture.history.window.filter(\.isNew).isEmpty)
        await fixture.settle()
        fixture.history.isInView = true
        await fixture.settle()
        #expect(fixture.store.seen == 1)
    }

    @Test func rejectedCallIsStoredAsMissed() async throws {
        let (fixture, calls) = (CallHistoryFixture(), CallManagerFixture())
        calls.keeper.observe(by: fixture) { if case .ended(let record) = $0 { fixture.history.note(record) } }
        for number in 1...7 { calls.line.offer("\(number)") }
        await fixture.settle()
        #expect(fixture.store.entries.map(\.call.remote.number.text) == ["7"])
        #expect(fixture.store.entries.map(\.call.isMissed) == [true])
        #expect(fixture.history.missed == 1)
    }

    @Test func callMissedInViewCountsAsSeen() async throws {
        let fixture = await CallHistoryFixture.open(1)
        fixture.history.isInView = true
        fixture.history.note(try #require(fixture.record("4", .incoming, talking: nil, end: .noAnswer)))
        await fixture.settle()
        #expect(fixture.history.missed == 0 && fixture.store.seen == 1)
        #expect(fixture.ids == [2, 1])
    }

    @Test func deletedMissedCallIsNotCounted() async throws {
        let fixture = CallHistoryFixture()
        fixture.store.fill([CallHistoryFixture.missed("1"), CallHistoryFixture.missed("3")], areNew: true)
        fixture.history.start()
        fixture.history.open()
        await fixture.settle()
        let deletion = try #require(await fixture.delete(1))
        #expect(fixture.history.missed == 1)
        fixture.history.restore(deletion)
        await fixture.settle()
        #expect(fixture.history.missed == 2)
    }

    // MARK: Deletion

    @Test func deletedCallCanBeRestored() async throws {
        let fixture = await CallHistoryFixture.open(3)
        _ = fixture.takeChanges()
        let deletion = try #require(await fixture.delete(2))
        #expect(fixture.ids == [3, 1] && deletion.count == 1)
        #expect(Set(fixture.takeChanges()) == [.entries])
        fixture.history.restore(deletion)
        await fixture.settle()
        #expect(fixture.ids == [3, 2, 1])
        #expect(fixture.store.forgotten == 0)
        fixture.history.restore(deletion)
        await fixture.settle()
        #expect(fixture.ids == [3, 2, 1])
    }

    @Test func eachDeletionIsUndoneSeparately() async throws {
        let fixture = await CallHistoryFixture.open(3)
        let (two, three) = (try #require(await fixture.delete(2)), try #require(await fixture.delete(3)))
        #expect(fixture.ids == [1] && fixture.store.forgotten == 0)
        fixture.history.restore(three)
        await fixture.settle()
        #expect(fixture.ids == [3, 1])
        // The remaining calls are deleted in addition to those already deleted.
        let all = try #require(await fixture.delete(nil))
        #expect(fixture.ids.isEmpty && all.count == 2)
        fixture.history.restore(two)
        await fixture.settle()
        #expect(fixture.ids == [2])
        fixture.history.forget(two)
        fixture.history.restore(all)
        await fixture.settle()
        #expect(fixture.ids == [3, 2, 1])
    }

    @Test func callBeingDeletedIsNotDeletedAgain() async throws {
        let fixture = await CallHistoryFixture.open(2)
        var deletions: [Deletion] = []
        for _ in 0..<2 { fixture.history.delete(2) { deletions.append($0) } }
        await fixture.settle()
        #expect(fixture.ids == [1] && deletions.count == 1)
        fixture.history.restore(try #require(deletions.first))
        await fixture.settle()
        #expect(fixture.ids == [2, 1])
    }

    @Test func failedRestoreCanBeRetried() async throws {
        let fixture = await CallHistoryFixture.open(1)
        let deletion = try #require(await fixture.delete(1))
        fixture.store.trouble = .full
        var failures = 0
        fixture.history.restore(deletion) { failures += 1 }
        await fixture.settle()
        #expect(failures == 1 && fixture.ids.isEmpty && fixture.history.health.error(of: .calls) == .full)
        fixture.store.trouble = nil
        fixture.history.restore(deletion)
        await fixture.settle()
        #expect(fixture.ids == [1] && fixture.history.health.error(of: .calls) == nil)
    }

    @Test func purgedCallCannotBeRestored() async throws {
        let fixture = await CallHistoryFixture.open(3)
        let (two, three) = (try #require(await fixture.delete(2)), try #require(await fixture.delete(3)))
        fixture.history.forget(two)
        fixture.history.restore(two)
        await fixture.settle()
        #expect(fixture.ids == [1] && fixture.store.deleted.map(\.id) == [3] && fixture.store.forgotten == 1)
        // Nothing of it is left to purge.
        fixture.history.forget(two)
        fixture.history.restore(three)
        await fixture.settle()
        #expect(fixture.ids == [3, 1] && fixture.store.forgotten == 1)
    }

    @Test func deletingAllIgnoresFilter() async throws {
        let fixture = await CallHistoryFixture.open(400)
        fixture.history.text = CallHistoryFixture.number(7)
        await fixture.settle()
        let deletion = try #require(await fixture.delete(nil))
        #expect(fixture.ids.isEmpty && deletion.count == 400 && fixture.store.entries.isEmpty)
        #expect(!fixture.history.hasOlder && !fixture.history.hasNewer)
        fixture.history.restore(deletion)
        await fixture.settle()
        #expect(fixture.ids == [7] && fixture.store.entries.count == 400)
    }

    @Test func restoredCallReturnsToItsPlaceWithoutScrolling() async throws {
        let fixture = await CallHistoryFixture.open(1000)
        for _ in 0..<5 {
            fixture.history.loadOlder()
            await fixture.settle()
        }
        let before = fixture.ids
        for id in [before[0], before[120]] {
            let deletion = try #require(await fixture.delete(id))
            #expect(!fixture.ids.contains(id))
            fixture.history.restore(deletion)
            await fixture.settle()
            #expect(Array(fixture.ids.prefix(200)) == Array(before.prefix(200)))
        }
        // The two that were first, one after the other.
        let (first, second) = (
            try #require(await fixture.delete(before[0])), try #require(await fixture.delete(before[1]))
        )
        for deletion in [second, first] {
            fixture.history.restore(deletion)
            await fixture.settle()
        }
        #expect(Array(fixture.ids.prefix(200)) == Array(before.prefix(200)))
    }

    @Test func shortWindowIsRefilled() async {
        let fixture = await CallHistoryFixture.open(400)
        for id in fixture.ids.prefix(60) { fixture.history.delete(id) }
        await fixture.settle()
        #expect(fixture.ids.count >= 100)
    }

    // MARK: Errors

    @Test func saveErrorIsReportedUntilSaveSucceeds() async throws {
        let fixture = await CallHistoryFixture.open(1)
        fixture.store.trouble = .full
        _ = fixture.takeChanges()
        fixture.history.note(try #require(fixture.record("5")))
        await fixture.settle()
        #expect(fixture.history.health.error(of: .calls) == .full)
        #expect(
            fixture.history.health.error(of: .calls)?.text(of: .calls)
                == "The disk is full. New calls can’t be saved until you free some space.")
        fixture.history.delete(1)
        fixture.history.reload()
        await fixture.settle()
        #expect(fixture.ids == [1])
        #expect(fixture.takeChanges().isEmpty)
        fixture.store.trouble = nil
        fixture.history.note(try #require(fixture.record("6")))
        await fixture.settle()
        #expect(fixture.history.health.error(of: .calls) == nil && fixture.ids == [2, 1])
    }

    @Test func historyStartsEmptyAfterDamage() async throws {
        let fixture = await CallHistoryFixture.open(5)
        fixture.history.delete(2)
        await fixture.settle()
        fixture.store.trouble = .damaged(setAside: "messages.db.damaged")
        fixture.history.note(try #require(fixture.record("6")))
        await fixture.settle()
        #expect(fixture.ids.isEmpty)
        #expect(fixture.history.health.error(of: .calls) == .damaged(setAside: "messages.db.damaged"))
        fixture.history.note(try #require(fixture.record("7")))
        await fixture.settle()
        #expect(fixture.ids.count == 1)
        // The notice stays until it was read.
        #expect(fixture.history.health.error(of: .calls) != nil)
        fixture.history.health.dismiss(.calls)
        #expect(fixture.history.health.error(of: .calls) == nil)
    }

    @Test(arguments: StoredDataKind.allCases)
    func eachStoreErrorHasItsText(_ things: StoredDataKind) {
        let texts = [StoreError.full, .newer, .damaged(setAside: "a\nb"), .failed(""), .failed("why")].map {
            $0.text(of: things)
        }
        #expect(Set(texts).count == 5)
        for text in texts {
            #expect(
                text.lowercased().contains("\(things)") && !text.contains("\n") && !text.contains("  "))
        }
    }
}

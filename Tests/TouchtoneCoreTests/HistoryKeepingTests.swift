// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct HistoryKeepingTests {
    // MARK: Missed calls

    @Test func missedCallsAreCountedAndSeenWhenLookedAt() async throws {
        let desk = HistoryDesk()
        desk.store.fill(
            [HistoryDesk.missed("1"), HistoryDesk.call("2"), HistoryDesk.missed("3")], areNew: true)
        desk.history.start()
        await desk.settle()
        #expect(desk.history.missed == 2)
        desk.history.note(try #require(desk.record("4", .incoming, talking: nil, end: .noAnswer)))
        // Who declines, or answers, has missed nothing.
        desk.history.note(try #require(desk.record("5", .incoming, talking: nil, end: .declined)))
        desk.history.note(try #require(desk.record("6", .incoming)))
        await desk.settle()
        #expect(desk.history.missed == 3)
        #expect(desk.takeChanges() == [.missed, .missed])

        desk.history.open()
        await desk.settle()
        desk.history.isLookedAt = true
        await desk.settle()
        #expect(desk.history.missed == 0 && desk.store.seen == 1)
        // They stay marked for who looks.
        #expect(desk.history.window.filter(\.isNew).map(\.id) == [4, 3, 1])
        desk.history.isLookedAt = false
        #expect(desk.history.window.filter(\.isNew).isEmpty)
        await desk.settle()
        desk.history.isLookedAt = true
        await desk.settle()
        #expect(desk.store.seen == 1)
    }

    @Test func aCallThatFoundNoRoomIsInTheHistoryAsMissed() async throws {
        let (desk, calls) = (HistoryDesk(), CallDesk())
        calls.keeper.follow(desk) { if case .ended(let record) = $0 { desk.history.note(record) } }
        for number in ["1", "2", "3"] { calls.line.offer(number) }
        await desk.settle()
        #expect(desk.store.entries.map(\.call.remote.number.text) == ["3"])
        #expect(desk.store.entries.map(\.call.isMissed) == [true])
        #expect(desk.history.missed == 1)
    }

    @Test func whatIsMissedBeforeTheEyesIsSeen() async throws {
        let desk = await HistoryDesk.open(1)
        desk.history.isLookedAt = true
        desk.history.note(try #require(desk.record("4", .incoming, talking: nil, end: .noAnswer)))
        await desk.settle()
        #expect(desk.history.missed == 0 && desk.store.seen == 1)
        #expect(desk.ids == [2, 1])
    }

    @Test func aMissedCallThatIsDeletedIsMissedNoMore() async throws {
        let desk = HistoryDesk()
        desk.store.fill([HistoryDesk.missed("1"), HistoryDesk.missed("3")], areNew: true)
        desk.history.start()
        desk.history.open()
        await desk.settle()
        let deletion = try #require(await desk.delete(1))
        #expect(desk.history.missed == 1)
        desk.history.restore(deletion)
        await desk.settle()
        #expect(desk.history.missed == 2)
    }

    // MARK: Deletion

    @Test func whatIsDeletedCanBeBroughtBack() async throws {
        let desk = await HistoryDesk.open(3)
        _ = desk.takeChanges()
        let deletion = try #require(await desk.delete(2))
        #expect(desk.ids == [3, 1] && deletion.count == 1)
        #expect(Set(desk.takeChanges()) == [.entries])
        desk.history.restore(deletion)
        await desk.settle()
        #expect(desk.ids == [3, 2, 1])
        #expect(desk.store.forgotten == 0)
        desk.history.restore(deletion)
        await desk.settle()
        #expect(desk.ids == [3, 2, 1])
    }

    @Test func eachDeletionIsUndoneByItself() async throws {
        let desk = await HistoryDesk.open(3)
        let (two, three) = (try #require(await desk.delete(2)), try #require(await desk.delete(3)))
        #expect(desk.ids == [1] && desk.store.forgotten == 0)
        desk.history.restore(three)
        await desk.settle()
        #expect(desk.ids == [3, 1])
        // What remains is deleted beside what is deleted already.
        let all = try #require(await desk.delete(nil))
        #expect(desk.ids.isEmpty && all.count == 2)
        desk.history.restore(two)
        await desk.settle()
        #expect(desk.ids == [2])
        desk.history.forget(two)
        desk.history.restore(all)
        await desk.settle()
        #expect(desk.ids == [3, 2, 1])
    }

    @Test func oneThatIsBeingDeletedIsLeftAlone() async throws {
        let desk = await HistoryDesk.open(2)
        var deletions: [Deletion] = []
        for _ in 0..<2 { desk.history.delete(2) { deletions.append($0) } }
        await desk.settle()
        #expect(desk.ids == [1] && deletions.count == 1)
        desk.history.restore(try #require(deletions.first))
        await desk.settle()
        #expect(desk.ids == [2, 1])
    }

    @Test func whatCannotBeBroughtBackNowCanBeLater() async throws {
        let desk = await HistoryDesk.open(1)
        let deletion = try #require(await desk.delete(1))
        desk.store.trouble = .full
        var failures = 0
        desk.history.restore(deletion) { failures += 1 }
        await desk.settle()
        #expect(failures == 1 && desk.ids.isEmpty && desk.history.trouble == .full)
        desk.store.trouble = nil
        desk.history.restore(deletion)
        await desk.settle()
        #expect(desk.ids == [1] && desk.history.trouble == nil)
    }

    @Test func whatIsForgottenStaysAway() async throws {
        let desk = await HistoryDesk.open(3)
        let (two, three) = (try #require(await desk.delete(2)), try #require(await desk.delete(3)))
        desk.history.forget(two)
        desk.history.restore(two)
        await desk.settle()
        #expect(desk.ids == [1] && desk.store.deleted.map(\.id) == [3] && desk.store.forgotten == 1)
        // There is nothing of it to forget any more.
        desk.history.forget(two)
        desk.history.restore(three)
        await desk.settle()
        #expect(desk.ids == [3, 1] && desk.store.forgotten == 1)
    }

    @Test func allAreDeletedWhateverIsShown() async throws {
        let desk = await HistoryDesk.open(400)
        desk.history.text = HistoryDesk.number(7)
        await desk.settle()
        let deletion = try #require(await desk.delete(nil))
        #expect(desk.ids.isEmpty && deletion.count == 400 && desk.store.entries.isEmpty)
        #expect(!desk.history.hasOlder && !desk.history.hasNewer)
        desk.history.restore(deletion)
        await desk.settle()
        #expect(desk.ids == [7] && desk.store.entries.count == 400)
    }

    @Test func whatIsBroughtBackStandsWhereItWasAndNothingMoves() async throws {
        let desk = await HistoryDesk.open(1000)
        for _ in 0..<5 {
            desk.history.loadOlder()
            await desk.settle()
        }
        let before = desk.ids
        for id in [before[0], before[120]] {
            let deletion = try #require(await desk.delete(id))
            #expect(!desk.ids.contains(id))
            desk.history.restore(deletion)
            await desk.settle()
            #expect(Array(desk.ids.prefix(200)) == Array(before.prefix(200)))
        }
        // The two that were the first, one after the other.
        let (first, second) = (
            try #require(await desk.delete(before[0])), try #require(await desk.delete(before[1]))
        )
        for deletion in [second, first] {
            desk.history.restore(deletion)
            await desk.settle()
        }
        #expect(Array(desk.ids.prefix(200)) == Array(before.prefix(200)))
    }

    @Test func aShortWindowFillsUpAgain() async {
        let desk = await HistoryDesk.open(400)
        for id in desk.ids.prefix(60) { desk.history.delete(id) }
        await desk.settle()
        #expect(desk.ids.count >= 100)
    }

    // MARK: Trouble

    @Test func whatCannotBeKeptIsSaidAndWhatCanAgainEndsIt() async throws {
        let desk = await HistoryDesk.open(1)
        desk.store.trouble = .full
        _ = desk.takeChanges()
        desk.history.note(try #require(desk.record("5")))
        await desk.settle()
        #expect(desk.history.trouble == .full)
        #expect(
            desk.history.trouble?.text(of: .calls)
                == "The disk is full. Calls can be kept again once there is room.")
        desk.history.delete(1)
        desk.history.reload()
        await desk.settle()
        #expect(desk.ids == [1])
        #expect(desk.takeChanges() == [.trouble])
        desk.store.trouble = nil
        desk.history.note(try #require(desk.record("6")))
        await desk.settle()
        #expect(desk.history.trouble == nil && desk.ids == [2, 1])
    }

    @Test func afterDamageTheHistoryIsANewOne() async throws {
        let desk = await HistoryDesk.open(5)
        desk.history.delete(2)
        await desk.settle()
        desk.store.trouble = .damaged(setAside: "messages.db.damaged")
        desk.history.note(try #require(desk.record("6")))
        await desk.settle()
        #expect(desk.ids.isEmpty)
        #expect(desk.history.trouble == .damaged(setAside: "messages.db.damaged"))
        desk.history.note(try #require(desk.record("7")))
        await desk.settle()
        #expect(desk.ids.count == 1)
        // That stays until it was read.
        #expect(desk.history.trouble != nil)
        desk.history.dismissTrouble()
        #expect(desk.history.trouble == nil)
    }

    @Test(arguments: KeptThings.allCases)
    func troubleIsSaidOfWhatItIs(_ things: KeptThings) {
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

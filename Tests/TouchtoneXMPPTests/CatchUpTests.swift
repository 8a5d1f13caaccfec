// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Missed messages are reported in the archive's order, whatever arrives meanwhile.
@Suite @MainActor struct CatchUpTests {
    @Test func missedMessagesPrecedeNewOnes() async throws {
        let fixture = try CatchUpFixture(count: 600)
        try fixture.know(99)
        fixture.catchUp.begin()
        fixture.live(600)
        try await fixture.run(mark: "a99")
        fixture.live(601)
        fixture.catchUp.end()
        fixture.live(602)
        #expect(fixture.texts == (0..<603).map { "\($0)" })
        // The last page may lack something.
        #expect(fixture.table.archiveCursor() == "a448")
        #expect(
            fixture.questions == [.before("a99"), .before(nil)] + [98, 198, 448].map { .after("a\($0)") })
        // A message with a known name is not reported twice, and archived messages are held back.
        #expect(fixture.table.messages(of: fixture.alan).count == 603)
    }

    @Test func laggingArchiveIsAskedAgainLater() async throws {
        // The archive lacks what arrived while the phone was away, among it messages between others.
        for (start, missing) in [(99, 100..<150), (99, 120..<140), (0, 10..<90), (149, 60..<149)] {
            let fixture = try CatchUpFixture(count: 150)
            try fixture.know(start, but: missing)
            fixture.missing = Set(missing)
            fixture.catchUp.begin()
            try await fixture.run(mark: "a\(start)")
            fixture.catchUp.end()
            for _ in 0..<5 { fixture.grow() }
            #expect(fixture.texts.count == 155 - missing.count)
            // The program is killed, or runs on for a while.
            let again = fixture.restarted()
            again.catchUp.begin()
            try await again.run(mark: again.table.archiveCursor())
            again.catchUp.end()
            #expect(again.texts == (0..<155).map { "\($0)" }, "\(start)")
            try await again.look()
            #expect(again.texts == (0..<155).map { "\($0)" }, "\(start)")
            #expect(again.table.archiveCursor() == "a154")
            again.grow()
            #expect(again.table.archiveCursor() == "a155")
        }
        let running = try CatchUpFixture(count: 150)
        try running.know(99)
        running.missing = Set(100..<149)
        running.catchUp.begin()
        try await running.run(mark: "a99")
        running.catchUp.end()
        running.grow()
        running.missing = []
        try await running.look()
        #expect(running.texts == (0..<151).map { "\($0)" })
        #expect(running.table.archiveCursor() == "a150")
    }

    @Test func earlyLookFindsWhatHasComeAndProvesNothing() async throws {
        let fixture = try CatchUpFixture(count: 150)
        try fixture.know(99)
        fixture.missing = Set(100..<149)
        fixture.catchUp.begin()
        try await fixture.run(mark: "a99")
        fixture.catchUp.end()
        fixture.grow()
        // Half of it is stored by now, and something arrives during the look.
        fixture.missing = Set(125..<149)
        let asked = fixture.questions.count
        fixture.onQuestion = { if $0 == asked + 1 { fixture.grow() } }
        try await fixture.look(isLast: false)
        #expect(fixture.texts == (0..<152).filter { !(125..<149).contains($0) }.map { "\($0)" })
        // It asks only for what follows the stored position.
        #expect(fixture.questions.count - asked <= 2)
        fixture.grow()
        #expect(fixture.table.archiveCursor() == "a99")
        fixture.missing = []
        try await fixture.look()
        #expect(fixture.texts == (0..<153).map { "\($0)" })
        #expect(fixture.table.archiveCursor() == "a152")
    }

    @Test func whatALookFindsPrecedesWhatHasComeSince() async throws {
        for isLast in [false, true] {
            let fixture = try CatchUpFixture(count: 150)
            try fixture.know(99)
            fixture.missing = Set(120..<150)
            fixture.catchUp.begin()
            try await fixture.run(mark: "a99")
            fixture.catchUp.end()
            // The archive answers, and newer messages arrive before its answer is reported.
            fixture.missing = []
            let asked = fixture.questions.count
            fixture.onQuestion = { if $0 == asked + 2 { for _ in 0..<3 { fixture.grow() } } }
            try await fixture.look(isLast: isLast)
            #expect(fixture.texts == (0..<153).map { "\($0)" }, "\(isLast)")
            #expect(fixture.table.unreadCount(fixture.alan) == 153)
        }
    }

    @Test func whatTheServerLosesAtAResumptionIsFound() async throws {
        let fixture = try CatchUpFixture(count: 100)
        try fixture.know(99)
        fixture.catchUp.begin()
        try await fixture.run(mark: "a99")
        fixture.catchUp.end()
        try await fixture.look()
        fixture.grow()
        #expect(fixture.table.archiveCursor() == "a100")
        // The server sends two messages in the wrong order, and loses another.
        fixture.catchUp.doubt()
        fixture.count += 4
        for index in [102, 101, 104] { fixture.live(index) }
        #expect(fixture.table.archiveCursor() == "a100")
        // The stream is resumed again while the archive is asked.
        let asked = fixture.questions.count
        fixture.onQuestion = { if $0 == asked + 1 { fixture.catchUp.doubt() } }
        try await fixture.look()
        #expect(fixture.texts == (0..<105).map { "\($0)" })
        #expect(fixture.table.archiveCursor() == "a100")
        fixture.grow()
        #expect(fixture.table.archiveCursor() == "a100")
        try await fixture.look()
        #expect(fixture.table.archiveCursor() == "a105")
        fixture.grow()
        #expect(fixture.table.archiveCursor() == "a106")
        #expect(fixture.texts == (0..<107).map { "\($0)" })
    }

    @Test func laggingArchiveLosesNothingToKillsAtAnyPage() async throws {
        // At each start, the archive has a little more, and the program is killed during the next query.
        var fixture = try CatchUpFixture(count: 450)
        try fixture.know(20)
        var missing = Set((21..<450).filter { $0 % 7 < 3 && $0 > 380 })
        for kill in 1...12 {
            fixture.missing = missing
            fixture.failsAt = kill
            fixture.catchUp.begin()
            try? await fixture.run(mark: fixture.table.archiveCursor())
            fixture.catchUp.end()
            fixture.live(fixture.count - 1)
            missing = Set(missing.sorted().dropLast(missing.count / 2))
            fixture = fixture.restarted()
        }
        fixture.catchUp.begin()
        try await fixture.run(mark: fixture.table.archiveCursor())
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<450).map { "\($0)" })
    }

    @Test func duplicateDoesNotMoveMarkBack() async throws {
        let fixture = try CatchUpFixture(count: 10)
        try fixture.know(3)
        fixture.catchUp.begin()
        fixture.live(5)
        try await fixture.run(mark: "a3")
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<10).map { "\($0)" })
        try await fixture.look()
        #expect(fixture.table.archiveCursor() == "a9")
    }

    @Test func streamOnlyMessagesAreDeliveredAtOnce() async throws {
        let fixture = try CatchUpFixture(count: 0)
        fixture.catchUp.begin()
        fixture.live(7, name: nil)
        #expect(fixture.texts == ["7"])
        fixture.handle(fixture.reading("<received xmlns='urn:xmpp:receipts' id='m1'/>", name: "r"))
        #expect(fixture.told.contains(.delivered(buddy: fixture.alan, name: "m1")))
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        #expect(fixture.texts == ["7"])
        // The archive does not have the receipt.
        #expect(fixture.table.archiveCursor() == "")
    }

    @Test func overflowIsRequestedFromArchiveAgain() async throws {
        let fixture = try CatchUpFixture(count: 300)
        try fixture.know(299)
        fixture.catchUp.begin()
        fixture.onQuestion = { number in
            // More messages arrive during the first page than are held back.
            guard number == 2 else { return }
            for _ in 0...CatchUp.maximumHeld + 100 { fixture.grow() }
        }
        try await fixture.run(mark: "a299")
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<fixture.count).map { "\($0)" })
        try await fixture.look()
        #expect(fixture.table.archiveCursor() == "a\(fixture.count - 1)")
    }

    @Test func everythingIsNewAfterArchiveWasEmpty() async throws {
        let fixture = try CatchUpFixture(count: 0)
        fixture.catchUp.begin()
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        #expect(fixture.table.archiveCursor() == "")
        let next = fixture.restarted()
        next.count = 1000
        next.catchUp.begin()
        try await next.run(mark: next.table.archiveCursor())
        next.catchUp.end()
        #expect(next.texts == (0..<1000).map { "\($0)" })
        // The last page proves nothing.
        let cursor = try #require(next.table.archiveCursor().flatMap { Int($0.dropFirst()) })
        #expect((500..<999).contains(cursor))
        try await next.look()
        #expect(next.table.archiveCursor() == "a999")
        #expect(next.table.unreadCount(next.alan) == 1000)
    }

    @Test func firstConnectionLoadsLastPages() async throws {
        let fixture = try CatchUpFixture(count: 2000, extensions: "<request xmlns='urn:xmpp:receipts'/>")
        fixture.catchUp.begin()
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        let loaded = CatchUp.firstPages.reduce(0, +)
        #expect(fixture.texts == (2000 - loaded..<2000).map { "\($0)" })
        #expect(fixture.table.archiveCursor() == "a1999")
        // These messages are not new, and no receipt is sent for them.
        #expect(fixture.table.unreadCount(fixture.alan) == 0)
        #expect(fixture.table.messages(of: fixture.alan).allSatisfy { $0.receiptRequests == [] })
    }

    @Test func firstConnectionContinuesAfterEachCut() async throws {
        var fixture = try CatchUpFixture(count: 2000, extensions: "<request xmlns='urn:xmpp:receipts'/>")
        var fetched: [Int] = []
        // Each program is killed after it has got one page of the past, and misses a message.
        for page in 0..<CatchUp.firstPages.count {
            fixture.catchUp.begin()
            fixture.failsAt = page == 0 ? 2 : 3
            let isLast = page == CatchUp.firstPages.count - 1
            let mark = fixture.table.archiveCursor()
            if isLast {
                try await fixture.run(mark: mark)
            } else {
                await #expect(throws: RequestError.timeout) { try await fixture.run(mark: mark) }
            }
            fetched += fixture.fetched
            let loaded = CatchUp.firstPages.prefix(page + 1).reduce(0, +)
            #expect(fixture.texts == (2000 - loaded..<2000 + page).map { "\($0)" })
            fixture = fixture.restarted()
            fixture.count += 1
        }
        // Only what the last page of missed messages may lack is read again.
        #expect(Set(fetched.filter { $0 < 2000 }).count == fetched.count { $0 < 2000 })
        #expect(fixture.table.archivePast() == nil)
        #expect(fixture.table.unreadCount(fixture.alan) == CatchUp.firstPages.count - 1)
        #expect(
            fixture.table.messages(of: fixture.alan).allSatisfy { $0.isUnread || $0.receiptRequests == [] })
    }

    @Test func firstConnectionEndsWithHostileArchive() async throws {
        for change: (CatchUpFixture) -> Void in [{ $0.isStuck = true }, { $0.forgotten = 1960 }] {
            let fixture = try CatchUpFixture(count: 2000)
            fixture.onQuestion = { if $0 == 1 { change(fixture) } }
            fixture.catchUp.begin()
            try await fixture.run(mark: nil)
            fixture.catchUp.end()
            #expect(fixture.questions.count <= CatchUp.firstPages.count)
            #expect(fixture.table.archivePast() == nil)
            #expect(Set(fixture.texts).count == fixture.texts.count)
        }
    }

    @Test func receiptsInNewerPageReachOlderMessages() async throws {
        let fixture = try CatchUpFixture(count: 300, mine: 100..<101)
        fixture.receipts = [299: 100]
        fixture.catchUp.begin()
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        let mine = fixture.table.messages(of: fixture.alan).filter { $0.sender == .me }
        #expect(mine.map(\.state) == [.delivered])
    }

    @Test func manyMessagesBeforeFirstConnectionAreNew() async throws {
        let fixture = try CatchUpFixture(count: 400)
        fixture.catchUp.begin()
        for index in 250..<400 { fixture.live(index) }
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<400).map { "\($0)" })
        #expect(fixture.table.unreadCount(fixture.alan) == 150)
    }

    @Test func messagesBeforeFirstConnectionAreNew() async throws {
        let fixture = try CatchUpFixture(count: 10)
        fixture.catchUp.begin()
        fixture.live(8)
        fixture.live(9)
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<10).map { "\($0)" })
        #expect(fixture.table.unreadCount(fixture.alan) == 2)
    }

    @Test func archiveWithoutMarkIsReadFromLastMessage() async throws {
        let fixture = try CatchUpFixture(count: 700)
        fixture.live(100)
        fixture.forgotten = 101
        fixture.catchUp.begin()
        try await fixture.run(mark: "a100", last: fixture.time(100))
        fixture.catchUp.end()
        #expect(fixture.texts == (100..<700).map { "\($0)" })
        try await fixture.look()
        #expect(fixture.table.archiveCursor() == "a699")
        // Without stored data that gives a starting point, the archive is read as on first use.
        let other = try CatchUpFixture(count: 10)
        other.forgotten = 3
        other.catchUp.begin()
        try await other.run(mark: "a1")
        other.catchUp.end()
        #expect(other.texts == (3..<10).map { "\($0)" })
    }

    @Test func archiveThatIgnoresUnknownMarkIsReadFromLastMessage() async throws {
        // The account has moved to a server that gives other ids, and ignores those that it does not know.
        let fixture = try CatchUpFixture(count: 500)
        try fixture.know(99)
        fixture.ignoresUnknown = true
        fixture.catchUp.begin()
        try await fixture.run(mark: "of another server", last: fixture.time(99))
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<500).map { "\($0)" })
    }

    @Test func interruptedCatchUpSkipsNothing() async throws {
        let fixture = try CatchUpFixture(count: 600)
        try fixture.know(99)
        fixture.catchUp.begin()
        fixture.failsAt = 4
        await #expect(throws: RequestError.timeout) { try await fixture.run(mark: "a99") }
        #expect(fixture.table.archiveCursor() == "a198")
        // Until the query is complete, new messages do not advance the mark, which would leave a gap.
        fixture.catchUp.end()
        fixture.grow()
        #expect(fixture.table.archiveCursor() == "a198")
        fixture.grow()
        fixture.catchUp.begin()
        try await fixture.run(mark: fixture.table.archiveCursor())
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<602).map { "\($0)" })
    }

    @Test func messageWrittenBetweenPagesBeforeExitFindsItsPlace() async throws {
        let fixture = try CatchUpFixture(count: 250, mine: 120..<200)
        try fixture.know(20)
        // The message was written between received ones, and was in transit when the connection was lost.
        for index in 120..<200 { try fixture.write(index) }
        fixture.catchUp.begin()
        fixture.failsAt = 4
        await #expect(throws: RequestError.timeout) { try await fixture.run(mark: "a20") }
        #expect(fixture.texts != (0..<200).map { "\($0)" })
        // This stands for a restarted program, which knows only stored data.
        let again = fixture.restarted()
        again.catchUp.begin()
        try await again.run(mark: again.table.archiveCursor())
        again.catchUp.end()
        #expect(again.texts == (0..<250).map { "\($0)" })
    }

    @Test func loopingArchiveEnds() async throws {
        let fixture = try CatchUpFixture(count: 10)
        fixture.isStuck = true
        fixture.catchUp.begin()
        try await fixture.run(mark: "a3")
        fixture.catchUp.end()
        #expect(fixture.questions.count < 4)
    }

    @Test func archiveLoopingOverSeveralPagesEnds() async throws {
        let fixture = try CatchUpFixture(count: 200)
        fixture.isCircling = true
        fixture.catchUp.begin()
        await #expect(throws: RequestError.implausible) { try await fixture.run(mark: "a3") }
        #expect(fixture.questions.count == CatchUp.maximumPages + 2)
    }

    @Test func unreadablePageIsSkipped() async throws {
        let fixture = try CatchUpFixture(count: 600)
        fixture.unreadable = Set(150..<450).union([120])
        try fixture.know(50)
        fixture.catchUp.begin()
        try await fixture.run(mark: "a50")
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<600).filter { !fixture.unreadable.contains($0) }.map { "\($0)" })
        try await fixture.look()
        #expect(fixture.table.archiveCursor() == "a599")
        // The newest page is read, too, if there is no earlier data.
        let other = try CatchUpFixture(count: 600)
        other.unreadable = Set(320..<600)
        other.catchUp.begin()
        try await other.run(mark: nil)
        other.catchUp.end()
        #expect(other.texts == (0..<320).map { "\($0)" })
        #expect(other.table.archiveCursor() == "a599")
    }
}

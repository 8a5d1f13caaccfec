// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// After a long absence, the newest missed messages can be read before the older ones.
@Suite @MainActor struct NewestFirstTests {
    @Test(arguments: [1000, 980])
    func newestMessagesComeFirstAndStayLast(count: Int) async throws {
        let fixture = try CatchUpFixture(count: count)
        try fixture.know(99)
        fixture.catchUp.begin()
        var shown: [[String]] = []
        fixture.onQuestion = { _ in shown.append(fixture.texts) }
        try await fixture.run(mark: "a99")
        // The third question comes when the newest page is shown.
        #expect(shown[2] == (Array(0..<100) + Array(count - 50..<count)).map { "\($0)" })
        // With each page of older ones, all are in order.
        for texts in shown { #expect(texts == texts.compactMap { Int($0) }.sorted().map { "\($0)" }) }
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<count).map { "\($0)" })
        #expect(fixture.table.unreadCount(fixture.alan) == count)
        let again = fixture.restarted()
        again.count += 3
        again.catchUp.begin()
        try await again.run(mark: again.table.archiveCursor())
        again.catchUp.end()
        #expect(again.texts == (0..<count + 3).map { "\($0)" })
    }

    @Test func longGapIsReadFromSeveralPlaces() async throws {
        let fixture = try CatchUpFixture(count: 3000)
        (fixture.limit, fixture.turns) = (50, { 3 })
        try fixture.know(99)
        fixture.catchUp.begin()
        try await fixture.run(mark: "a99")
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<3000).map { "\($0)" })
        #expect(fixture.mostOpen == ArchiveGap.maximumQueries)
        // Few messages come twice.
        #expect(fixture.fetched.count < 3300)
    }

    /// A new account had an empty archive; after a long absence, the archive has forgotten the last known message.
    @Test(arguments: [true, false])
    func newestComeFirstWithoutKnownMessageInArchive(wasEmpty: Bool) async throws {
        let fixture = try CatchUpFixture(count: 3000)
        (fixture.limit, fixture.turns) = (50, { 3 })
        if !wasEmpty {
            try fixture.know(99)
            fixture.forgotten = 500
        }
        let known = wasEmpty ? [] : Array(0..<100)
        let missed = Array((wasEmpty ? 0 : 500)..<3000)
        var shown: [[String]] = []
        fixture.onQuestion = { _ in shown.append(fixture.texts) }
        fixture.catchUp.begin()
        try await fixture.run(mark: wasEmpty ? "" : "a99", last: wasEmpty ? nil : fixture.time(99))
        fixture.catchUp.end()
        #expect(shown.contains((known + missed.suffix(50)).map { "\($0)" }))
        #expect(fixture.texts == (known + missed).map { "\($0)" })
        #expect(fixture.mostOpen == ArchiveGap.maximumQueries)
    }

    /// Whatever the times are, in which order ever the answers come, and wherever the program ends.
    @Test(arguments: 1...6)
    func gapsAreReadOnceAndInOrder(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 300...1500, using: &random)
        // Busy minutes and quiet weeks; once in a while, the server's clock goes back.
        var (stamps, now) = ([Int64](), Int64(0))
        for _ in 0..<count + 200 {
            switch Int.random(in: 0..<200, using: &random) {
            case 0: now += Int64.random(in: 0...1_000_000_000, using: &random)
            case 1: now -= Int64.random(in: 0...5_000, using: &random)
            case 2..<60: break
            default: now += Int64.random(in: 0...2_000, using: &random)
            }
            stamps.append(now)
        }
        var fixture = try CatchUpFixture(count: count)
        (fixture.limit, fixture.stamps) = (Int.random(in: 3...60, using: &random), { stamps[$0] })
        fixture.turns = { Int.random(in: 0...6, using: &random) }
        try fixture.know(20)
        for kill in [Int.random(in: 3...30, using: &random), Int.random(in: 3...30, using: &random), nil] {
            fixture.failsAt = kill
            fixture.catchUp.begin()
            fixture.live(fixture.count - 1)
            try? await fixture.run(mark: fixture.table.archiveCursor())
            fixture.catchUp.end()
            if kill != nil {
                fixture = fixture.restarted()
                fixture.count += 50
            }
        }
        #expect(fixture.texts == (0..<fixture.count).map { "\($0)" })
    }

    @Test func fewMissedMessagesTakeTwoQuestions() async throws {
        for (known, count) in [(99, 100), (99, 120), (99, 149), (0, 1), (0, 30), (20, 60)] {
            let fixture = try CatchUpFixture(count: count)
            try fixture.know(known)
            fixture.catchUp.begin()
            try await fixture.run(mark: "a\(known)")
            fixture.catchUp.end()
            #expect(fixture.texts == (0..<count).map { "\($0)" })
            #expect(fixture.questions == [.before("a\(known)"), .before(nil)])
            try await fixture.look()
            #expect(fixture.table.archiveCursor() == "a\(count - 1)")
        }
    }

    @Test func killsAtAnyPageLoseNoOrder() async throws {
        for kill in 1...6 {
            let fixture = try CatchUpFixture(count: 800, mine: 700..<790)
            try fixture.know(99)
            fixture.catchUp.begin()
            fixture.failsAt = kill
            try? await fixture.run(mark: "a99")
            // The program ends, and more is missed.
            let again = fixture.restarted()
            again.count += 100
            again.catchUp.begin()
            try await again.run(mark: again.table.archiveCursor())
            again.catchUp.end()
            #expect(again.texts == (0..<900).map { "\($0)" }, "\(kill)")
        }
    }

    @Test func messageFromAnotherDeviceReadsWhatPrecedesIt() async throws {
        for isWritten in [false, true] {
            let fixture = try CatchUpFixture(count: 600, mine: 580..<581)
            try fixture.know(99)
            // A message that waits on this device does not prove that anything was read.
            if isWritten { try fixture.write(580) }
            fixture.catchUp.begin()
            var unread: [Int] = []
            fixture.onQuestion = { [table = fixture.table, alan = fixture.alan] _ in
                unread.append(table.unreadCount(alan))
            }
            try await fixture.run(mark: "a99")
            fixture.catchUp.end()
            #expect(fixture.texts == (0..<600).map { "\($0)" })
            #expect(fixture.table.unreadCount(fixture.alan) == (isWritten ? 599 : 19), "\(isWritten)")
            if !isWritten { #expect(unread[2...].allSatisfy { $0 == 19 }) }
        }
    }

    @Test func correctionsAmongTheNewestFindTheirOriginals() async throws {
        let fixture = try CatchUpFixture(count: 600)
        (fixture.corrections, fixture.receipts) = ([590: 300, 591: 50, 595: 594], [:])
        try fixture.know(99)
        fixture.catchUp.begin()
        try await fixture.run(mark: "a99")
        fixture.catchUp.end()
        let expected = (0..<600).filter { ![590, 591, 595].contains($0) }.map { index in
            "\([300: 590, 50: 591, 594: 595][index] ?? index)"
        }
        #expect(fixture.texts == expected)
    }
}

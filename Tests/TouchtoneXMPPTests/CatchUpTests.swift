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
        #expect(fixture.table.archiveCursor() == "a598")
        #expect(
            fixture.questions == [.before("a99")] + [98, 198, 298, 398, 498, 598].map { .after("a\($0)") })
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
            try await again.check()
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
        try await running.check()
        #expect(running.texts == (0..<151).map { "\($0)" })
        #expect(running.table.archiveCursor() == "a150")
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
        try await fixture.check()
        #expect(fixture.table.archiveCursor() == "a9")
    }

    @Test func streamOnlyMessagesAreDeliveredAtOnce() async throws {
        let fixture = try CatchUpFixture(count: 0)
        fixture.catchUp.begin()
        fixture.live(7, name: nil)
        #expect(fixture.texts == ["7"])
        fixture.take(fixture.reading("<received xmlns='urn:xmpp:receipts' id='m1'/>", name: "r"))
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
        try await fixture.check()
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
        #expect(next.table.archiveCursor() == "a899")
        try await next.check()
        #expect(next.table.archiveCursor() == "a999")
        #expect(next.table.unreadCount(next.alan) == 1000)
    }

    @Test func firstConnectionLoadsLastPages() async throws {
        let fixture = try CatchUpFixture(count: 2000, extensions: "<request xmlns='urn:xmpp:receipts'/>")
        fixture.catchUp.begin()
        try await fixture.run(mark: nil)
        fixture.catchUp.end()
        let loaded = CatchUp.maximumFirstPages * Archive.maximumPerPage
        #expect(fixture.texts == (2000 - loaded..<2000).map { "\($0)" })
        #expect(fixture.table.archiveCursor() == "a1999")
        // These messages are not new, and no receipt is sent for them.
        #expect(fixture.table.unreadCount(fixture.alan) == 0)
        #expect(fixture.table.messages(of: fixture.alan).allSatisfy { $0.receiptRequests == [] })
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
        try await fixture.check()
        #expect(fixture.table.archiveCursor() == "a699")
        // Without stored data that gives a starting point, the archive is read as on first use.
        let other = try CatchUpFixture(count: 10)
        other.forgotten = 3
        other.catchUp.begin()
        try await other.run(mark: "a1")
        other.catchUp.end()
        #expect(other.texts == (3..<10).map { "\($0)" })
    }

    @Test func interruptedCatchUpSkipsNothing() async throws {
        let fixture = try CatchUpFixture(count: 600)
        try fixture.know(99)
        fixture.catchUp.begin()
        fixture.failsAt = 3
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
        fixture.failsAt = 3
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
        let fixture = try CatchUpFixture(count: 10)
        fixture.isCircling = true
        fixture.catchUp.begin()
        await #expect(throws: RequestError.implausible) { try await fixture.run(mark: "a3") }
        #expect(fixture.questions.count == CatchUp.maximumPages + 1)
    }

    @Test func unreadablePageIsSkipped() async throws {
        let fixture = try CatchUpFixture(count: 600)
        fixture.unreadable = Set(150..<450).union([120])
        try fixture.know(50)
        fixture.catchUp.begin()
        try await fixture.run(mark: "a50")
        fixture.catchUp.end()
        #expect(fixture.texts == (0..<600).filter { !fixture.unreadable.contains($0) }.map { "\($0)" })
        try await fixture.check()
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

/// An archive of numbered messages, and the result of catching up with it.
@MainActor
private final class CatchUpFixture {
    let alan = ChatAddress("alan@localhost")
    let table: MemoryMessageTable
    var count: Int
    /// The number of messages that the archive has deleted.
    var forgotten = 0
    /// The messages that the archive does not have yet.
    var missing: Set<Int> = []
    /// The number of the query that is not answered.
    var failsAt: Int?
    /// Whether each page is the same.
    var isStuck = false
    /// Whether two pages follow each other endlessly.
    var isCircling = false
    /// The results that cannot be read.
    var unreadable: Set<Int> = []
    var onQuestion: (Int) -> Void = { _ in }
    private(set) var told: [MessageUpdate] = []
    private(set) var questions: [ResultSet.Start] = []
    private let extensions: String
    /// The messages of the user.
    private let mine: Range<Int>
    private let own: JID
    private(set) lazy var catchUp = CatchUp(
        reader: { [unowned self] in reader }, flushed: {},
        tell: { [unowned self] in tell($0) })

    init(
        count: Int, extensions: String = "", mine: Range<Int> = 0..<0,
        table: MemoryMessageTable = MemoryMessageTable()
    ) throws {
        self.count = count
        self.mine = mine
        self.table = table
        self.extensions = extensions
        own = try #require(JID("grace@localhost"))
    }

    private func tell(_ facts: [MessageUpdate]) {
        told += facts
        // The table never fails.
        _ = try? MessageMerger.apply(facts, to: table)
    }

    /// Handles a stanza from the stream, and reports the results that do not wait.
    func take(_ reading: MessageMapper.Reading) { tell(catchUp.take(reading)) }

    var reader: MessageMapper {
        MessageMapper(own: own, trustsNames: true, now: ChatTime(milliseconds: 1_800_000_000_000))
    }

    var texts: [String] { table.messages(of: alan).map(\.text) }

    func time(_ index: Int) -> ChatTime {
        ChatTime(milliseconds: 1_700_000_000_000 + Int64(index) * 3_600_000)
    }

    /// Marks all messages up to one as known.
    func know(_ last: Int, but missing: Range<Int> = 0..<0) throws {
        let reader = reader
        let messages = (0...last).filter { !missing.contains($0) }.compactMap { index in
            message("<body>\(index)</body>", "m\(index)").flatMap {
                reader.read(
                    $0, .archive("a\(index)", Timestamp(microseconds: time(index).milliseconds * 1000))
                ).message
            }
        }
        _ = try MessageMerger.apply([.archived(ArchivePage(.newest(upTo: "a\(last)"), messages))], to: table)
    }

    /// Adds a message to the archive.
    func grow() {
        count += 1
        live(count - 1)
    }

    /// Delivers a message on the stream.
    func live(_ index: Int) { live(index, name: "a\(index)") }

    func live(_ index: Int, name: String?) {
        take(reading("<body>\(index)</body>", name: name, id: "m\(index)"))
    }

    func reading(_ inside: String, name: String?, id: String = "x") -> MessageMapper.Reading {
        let stanzaID = name.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='grace@localhost' id='\($0)'/>" }
        guard let message = message(inside + (stanzaID ?? ""), id) else { return MessageMapper.Reading() }
        return reader.read(message, .stream(nil))
    }

    /// Writes a message of the user on this device.
    func write(_ index: Int) throws {
        let message = ComposedMessage(buddy: alan, name: "m\(index)", text: "\(index)", time: time(index))
        _ = try MessageMerger.apply([.composed(message)], to: table)
    }

    /// Returns a fixture with the same archive and table and no other memory.
    func restarted() -> CatchUpFixture { CatchUpFixture(of: self) }

    private init(of fixture: CatchUpFixture) {
        (table, count, mine, extensions, own) = (
            fixture.table, fixture.count, fixture.mine, fixture.extensions, fixture.own
        )
    }

    private func message(_ inside: String, _ id: String) -> Message? {
        let isMine = Int(id.dropFirst()).map { mine.contains($0) } ?? false
        let (from, to) =
            isMine ? ("grace@localhost/x", "alan@localhost") : ("alan@localhost/x", "grace@localhost")
        let text = "<message from='\(from)' to='\(to)' type='chat' id='\(id)'>\(inside)</message>"
        return (try? XMLElementTests.read(text)).flatMap { Message($0) }
    }

    func run(mark: String?, last: ChatTime? = nil) async throws {
        try await catchUp.run(from: CatchUp.Known(mark: mark) { last }) { query throws(RequestError) in
            try self.answer(query)
        }
    }

    /// Asks the archive again from the stored position.
    func check() async throws {
        try await catchUp.check(from: CatchUp.Known(mark: table.archiveCursor()) { nil }) {
            query throws(RequestError) in
            try self.answer(query)
        }
    }

    private func answer(_ query: Archive.Query) throws(RequestError) -> Archive.Page {
        questions.append(query.page)
        defer { onQuestion(questions.count) }
        if questions.count == failsAt { throw .timeout }
        let names = (forgotten..<count).filter { !missing.contains($0) }.filter { index in
            query.start.map { $0.microseconds <= time(index).milliseconds * 1000 } ?? true
        }
        var (range, isComplete): (ArraySlice<Int>, Bool)
        switch query.page {
        case .after(let name):
            let known = isStuck ? 0 : try index(of: name)
            range = names.drop { index in known.map { index <= $0 } ?? false }.prefix(query.maximum)
            if isCircling { range = names.dropFirst(questions.count % 2).prefix(1) }
            isComplete = range.last == names.last && !isStuck
        case .before(let name):
            let known = try index(of: name)
            range = names.prefix { index in known.map { index < $0 } ?? true }.suffix(query.maximum)
            isComplete = range.first == names.first
        }
        return page(range, isComplete)
    }

    private func index(of name: String?) throws(RequestError) -> Int? {
        guard let name else { return nil }
        guard let index = Int(name.dropFirst()), index >= forgotten else {
            throw .refused(StanzaError(.cancel, "item-not-found"))
        }
        return index
    }

    private func page(_ range: ArraySlice<Int>, _ isComplete: Bool) -> Archive.Page {
        let items = range.compactMap { index in
            unreadable.contains(index)
                ? nil
                : message("<body>\(index)</body>\(extensions)", "m\(index)").map {
                    Archive.Item(
                        id: "a\(index)", stamp: Timestamp(microseconds: time(index).milliseconds * 1000),
                        message: $0)
                }
        }
        return Archive.Page(
            items: items, isComplete: isComplete, set: ResultSet(in: XMLElement("fin", Archive.namespace)),
            names: range.first.flatMap { first in range.last.map { ("a\(first)", "a\($0)") } })
    }
}

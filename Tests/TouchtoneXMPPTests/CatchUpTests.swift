// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// What was missed is told in the archive's order, whatever comes meanwhile.
@Suite @MainActor struct CatchUpTests {
    @Test func whatWasMissedComesBeforeWhatComes() async throws {
        let lab = try Lab(count: 600)
        try lab.know(99)
        lab.catchUp.begin()
        lab.live(600)
        try await lab.run(mark: "a99")
        lab.live(601)
        lab.catchUp.end(isComplete: true)
        lab.live(602)
        #expect(lab.texts == (0..<603).map { "\($0)" })
        #expect(lab.table.archiveMark() == "a602")
        #expect(lab.questions == [.before("a99")] + [98, 198, 298, 398, 498, 598].map { .after("a\($0)") })
        // Known by its name, a message is not told twice; and what the archive has is held back.
        #expect(lab.table.messages(of: lab.alan).count == 603)
    }

    @Test func whatCameTwiceDoesNotTakeTheMarkBack() async throws {
        let lab = try Lab(count: 10)
        try lab.know(3)
        lab.catchUp.begin()
        lab.live(5)
        try await lab.run(mark: "a3")
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == (0..<10).map { "\($0)" })
        #expect(lab.table.archiveMark() == "a9")
    }

    @Test func whatOnlyTheStreamHasIsToldAtOnce() async throws {
        let lab = try Lab(count: 0)
        lab.catchUp.begin()
        lab.live(7, name: nil)
        #expect(lab.texts == ["7"])
        lab.take(lab.reading("<received xmlns='urn:xmpp:receipts' id='m1'/>", name: "r"))
        #expect(lab.told.contains(.delivered(buddy: lab.alan, name: "m1")))
        try await lab.run(mark: nil)
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == ["7"])
        #expect(lab.table.archiveMark() == "r")
    }

    @Test func tooMuchThatComesIsAskedForAgain() async throws {
        let lab = try Lab(count: 300)
        try lab.know(299)
        lab.catchUp.begin()
        lab.onQuestion = { number in
            // While the first page is on its way more comes than is held back.
            guard number == 2 else { return }
            for _ in 0...CatchUp.mostHeld + 100 { lab.grow() }
        }
        try await lab.run(mark: "a299")
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == (0..<lab.count).map { "\($0)" })
        #expect(lab.table.archiveMark() == "a\(lab.count - 1)")
    }

    @Test func whoWasNeverHereGetsTheLastPages() async throws {
        let lab = try Lab(count: 2000, extensions: "<request xmlns='urn:xmpp:receipts'/>")
        lab.catchUp.begin()
        try await lab.run(mark: nil)
        lab.catchUp.end(isComplete: true)
        let loaded = CatchUp.mostFirstPages * Archive.mostOfPage
        #expect(lab.texts == (2000 - loaded..<2000).map { "\($0)" })
        #expect(lab.table.archiveMark() == "a1999")
        // That is no news, and nobody is told that it has arrived now.
        #expect(lab.table.unreadCount(lab.alan) == 0)
        #expect(lab.table.messages(of: lab.alan).allSatisfy { $0.wants == [] })
    }

    @Test func whatCameForWhoWasNeverHereIsNews() async throws {
        let lab = try Lab(count: 10)
        lab.catchUp.begin()
        lab.live(8)
        lab.live(9)
        try await lab.run(mark: nil)
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == (0..<10).map { "\($0)" })
        #expect(lab.table.unreadCount(lab.alan) == 2)
    }

    @Test func anArchiveThatHasForgottenTheMarkIsReadFromTheLastMessageOn() async throws {
        let lab = try Lab(count: 700)
        lab.live(100)
        lab.forgotten = 101
        lab.catchUp.begin()
        try await lab.run(mark: "a100", last: lab.time(100))
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == (100..<700).map { "\($0)" })
        #expect(lab.table.archiveMark() == "a699")
        // Where nothing is kept that could tell since when, it is as at the beginning.
        let other = try Lab(count: 10)
        other.forgotten = 3
        other.catchUp.begin()
        try await other.run(mark: "a1")
        other.catchUp.end(isComplete: true)
        #expect(other.texts == (3..<10).map { "\($0)" })
    }

    @Test func whatWasBegunAndNotEndedIsSkippedByNobody() async throws {
        let lab = try Lab(count: 600)
        try lab.know(99)
        lab.catchUp.begin()
        lab.failsAt = 3
        await #expect(throws: RequestError.timeout) { try await lab.run(mark: "a99") }
        #expect(lab.table.archiveMark() == "a198")
        // Until all is known, what comes does not move the mark on: it would leave a hole.
        lab.catchUp.end(isComplete: false)
        lab.grow()
        #expect(lab.table.archiveMark() == "a198")
        lab.grow()
        lab.catchUp.begin()
        try await lab.run(mark: lab.table.archiveMark())
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == (0..<602).map { "\($0)" })
    }

    @Test func whatIWroteBeforeTheProgramEndedBetweenTwoPagesFindsItsPlace() async throws {
        let lab = try Lab(count: 250, mine: 120..<200)
        try lab.know(20)
        // Written in the midst of what came, and on its way when the connection was lost.
        for index in 120..<200 { try lab.write(index) }
        lab.catchUp.begin()
        lab.failsAt = 3
        await #expect(throws: RequestError.timeout) { try await lab.run(mark: "a20") }
        #expect(lab.texts != (0..<200).map { "\($0)" })
        // As by a program that was started again: nothing is remembered but what is kept.
        let again = lab.restarted()
        again.catchUp.begin()
        try await again.run(mark: again.table.archiveMark())
        again.catchUp.end(isComplete: true)
        #expect(again.texts == (0..<250).map { "\($0)" })
    }

    @Test func anArchiveThatGoesRoundInCirclesEnds() async throws {
        let lab = try Lab(count: 10)
        lab.isStuck = true
        lab.catchUp.begin()
        try await lab.run(mark: "a3")
        lab.catchUp.end(isComplete: true)
        #expect(lab.questions.count < 4)
    }

    @Test func anArchiveThatGoesRoundInLongerCirclesEnds() async throws {
        let lab = try Lab(count: 10)
        lab.isCircling = true
        lab.catchUp.begin()
        await #expect(throws: RequestError.implausible) { try await lab.run(mark: "a3") }
        #expect(lab.questions.count == CatchUp.mostPages + 1)
    }

    @Test func aPageOfWhichNothingCanBeReadIsPassed() async throws {
        let lab = try Lab(count: 600)
        lab.unreadable = Set(150..<450).union([120])
        try lab.know(50)
        lab.catchUp.begin()
        try await lab.run(mark: "a50")
        lab.catchUp.end(isComplete: true)
        #expect(lab.texts == (0..<600).filter { !lab.unreadable.contains($0) }.map { "\($0)" })
        #expect(lab.table.archiveMark() == "a599")
        // And the newest page, for who was never here.
        let other = try Lab(count: 600)
        other.unreadable = Set(320..<600)
        other.catchUp.begin()
        try await other.run(mark: nil)
        other.catchUp.end(isComplete: true)
        #expect(other.texts == (0..<320).map { "\($0)" })
        #expect(other.table.archiveMark() == "a599")
    }
}

/// An archive of numbered messages, and what is made of it.
@MainActor
private final class Lab {
    let alan = ChatAddress("alan@localhost")
    let table: MemoryMessageTable
    var count: Int
    /// How many the archive no longer has.
    var forgotten = 0
    /// The number of the question that is not answered.
    var failsAt: Int?
    /// Whether each page is the same.
    var isStuck = false
    /// Whether two pages follow each other for ever.
    var isCircling = false
    /// The results that cannot be read.
    var unreadable: Set<Int> = []
    var onQuestion: (Int) -> Void = { _ in }
    private(set) var told: [ChatFact] = []
    private(set) var questions: [ResultSet.Start] = []
    private let extensions: String
    /// Which are mine.
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

    private func tell(_ facts: [ChatFact]) {
        told += facts
        // The table never fails.
        _ = try? Merge.apply(facts, to: table)
    }

    /// Takes what came by the stream, and tells what is to be told at once.
    func take(_ reading: MessageReader.Reading) { tell(catchUp.take(reading)) }

    var reader: MessageReader {
        MessageReader(own: own, trustsNames: true, now: ChatTime(milliseconds: 1_800_000_000_000))
    }

    var texts: [String] { table.messages(of: alan).map(\.text) }

    func time(_ index: Int) -> ChatTime {
        ChatTime(milliseconds: 1_700_000_000_000 + Int64(index) * 3_600_000)
    }

    /// Lets all up to a message be known.
    func know(_ last: Int) throws {
        let reader = reader
        let messages = (0...last).compactMap { index in
            message("<body>\(index)</body>", "m\(index)").flatMap {
                reader.read(
                    $0, .archive("a\(index)", Timestamp(microseconds: time(index).milliseconds * 1000))
                ).message
            }
        }
        _ = try Merge.apply([.archived(ArchivePiece(.newest(upTo: "a\(last)"), messages))], to: table)
    }

    /// Has another message arrive.
    func grow() {
        count += 1
        live(count - 1)
    }

    /// Has a message come by the stream.
    func live(_ index: Int) { live(index, name: "a\(index)") }

    func live(_ index: Int, name: String?) {
        take(reading("<body>\(index)</body>", name: name, id: "m\(index)"))
    }

    func reading(_ inside: String, name: String?, id: String = "x") -> MessageReader.Reading {
        let stanzaID = name.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='grace@localhost' id='\($0)'/>" }
        guard let message = message(inside + (stanzaID ?? ""), id) else { return MessageReader.Reading() }
        return reader.read(message, .stream(nil))
    }

    /// Writes a message of mine here.
    func write(_ index: Int) throws {
        let message = WrittenMessage(buddy: alan, name: "m\(index)", text: "\(index)", time: time(index))
        _ = try Merge.apply([.written(message)], to: table)
    }

    /// The same archive and table, for who remembers nothing.
    func restarted() -> Lab { Lab(of: self) }

    private init(of lab: Lab) {
        (table, count, mine, extensions, own) = (lab.table, lab.count, lab.mine, lab.extensions, lab.own)
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

    private func answer(_ query: Archive.Query) throws(RequestError) -> Archive.Page {
        questions.append(query.page)
        defer { onQuestion(questions.count) }
        if questions.count == failsAt { throw .timeout }
        let names = (forgotten..<count).filter { index in
            query.start.map { $0.microseconds <= time(index).milliseconds * 1000 } ?? true
        }
        var (range, isComplete): (ArraySlice<Int>, Bool)
        switch query.page {
        case .after(let name):
            let known = isStuck ? 0 : try index(of: name)
            range = names.drop { index in known.map { index <= $0 } ?? false }.prefix(query.most)
            if isCircling { range = names.dropFirst(questions.count % 2).prefix(1) }
            isComplete = range.last == names.last && !isStuck
        case .before(let name):
            let known = try index(of: name)
            range = names.prefix { index in known.map { index < $0 } ?? true }.suffix(query.most)
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

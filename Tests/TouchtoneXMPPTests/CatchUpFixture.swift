// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// An archive of numbered messages, and the result of catching up with it.
@MainActor
final class CatchUpFixture {
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
    /// Whether a page before an unknown message is the newest one.
    var ignoresUnknown = false
    /// Whether two pages follow each other endlessly.
    var isCircling = false
    /// The results that cannot be read.
    var unreadable: Set<Int> = []
    /// The messages that are receipts of others.
    var receipts: [Int: Int] = [:]
    /// The messages that correct others.
    var corrections: [Int: Int] = [:]
    /// The greatest number of messages in a page.
    var limit = 1000
    /// The times of messages, in milliseconds after the first one.
    var stamps: (Int) -> Int64 = { Int64($0) * 3_600_000 }
    /// The number of turns that each answer takes.
    var turns: () -> Int = { 0 }
    /// The greatest number of questions without an answer.
    private(set) var mostOpen = 0
    private var openCount = 0
    var onQuestion: (Int) -> Void = { _ in }
    private(set) var told: [MessageUpdate] = []
    private(set) var questions: [ResultSet.Start] = []
    /// The messages that the archive has sent, in the order of its answers.
    private(set) var fetched: [Int] = []
    private let extensions: String
    /// The messages of the user.
    private let mine: Range<Int>
    private let own: JID
    private(set) lazy var catchUp = CatchUp(
        flushed: {}, emit: { [unowned self] in tell($0) })

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
    func handle(_ parsed: ParsedMessage) { tell(catchUp.receive(parsed)) }

    var reader: MessageReader {
        MessageReader(
            policy: DirectPolicy(
                own: own, trustsArchiveIDs: true, now: ChatTime(milliseconds: 1_800_000_000_000)))
    }

    var texts: [String] { table.messages(of: alan).map(\.text) }

    func time(_ index: Int) -> ChatTime {
        ChatTime(milliseconds: 1_700_000_000_000 + stamps(index))
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
        handle(reading("<body>\(index)</body>", name: name, id: "m\(index)"))
    }

    func reading(_ inside: String, name: String?, id: String = "x") -> ParsedMessage {
        let stanzaID = name.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='grace@localhost' id='\($0)'/>" }
        guard let message = message(inside + (stanzaID ?? ""), id) else { return ParsedMessage() }
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
        (limit, stamps, turns) = (fixture.limit, fixture.stamps, fixture.turns)
    }

    private func message(_ inside: String, _ id: String) -> Message? {
        let isMine = Int(id.dropFirst()).map { mine.contains($0) } ?? false
        let (from, to) =
            isMine ? ("grace@localhost/x", "alan@localhost") : ("alan@localhost/x", "grace@localhost")
        let text = "<message from='\(from)' to='\(to)' type='chat' id='\(id)'>\(inside)</message>"
        return (try? XMLElementTests.read(text)).flatMap { Message($0) }
    }

    func run(mark: String?, last: ChatTime? = nil) async throws {
        try await catchUp.run(from: known(mark, last: last)) { query throws(RequestError) in
            self.openCount += 1
            self.mostOpen = max(self.mostOpen, self.openCount)
            defer { self.openCount -= 1 }
            for _ in 0..<self.turns() { await Task.yield() }
            return try self.answer(query)
        }
    }

    private func known(_ mark: String?, last: ChatTime? = nil) -> CatchUp.Known {
        CatchUp.Known(mark: mark, past: table.archivePast(), last: { last }) { [table, alan] in
            Set(table.messages(of: alan).filter { $0.state == .waiting }.compactMap(\.name))
        }
    }

    /// Asks the archive again from the stored position.
    func look(isLast: Bool = true) async throws {
        try await catchUp.look(isLast: isLast, from: known(table.archiveCursor())) {
            query throws(RequestError) in
            try self.answer(query)
        }
    }

    private func answer(_ query: Archive.Query) throws(RequestError) -> CatchUp.Page {
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
            range = names.drop { index in known.map { index <= $0 } ?? false }
                .prefix(min(limit, query.maximum))
            if isCircling { range = names.dropFirst(name == "a0" ? 1 : 0).prefix(1) }
            isComplete = range.last == names.last && !isStuck
        case .before(let name):
            let known = try index(of: name)
            range = names.prefix { index in known.map { index < $0 } ?? true }
                .suffix(min(limit, query.maximum))
            if isStuck { range = names.suffix(query.maximum) }
            isComplete = range.first == names.first && !isStuck
        }
        return page(range, isComplete)
    }

    private func index(of name: String?) throws(RequestError) -> Int? {
        guard let name else { return nil }
        if ignoresUnknown, Int(name.dropFirst()) == nil { return nil }
        guard let index = Int(name.dropFirst()), index >= forgotten else {
            throw .refused(StanzaError(.cancel, "item-not-found"))
        }
        return index
    }

    private func body(_ index: Int) -> String {
        if let receipt = receipts[index] { return "<received xmlns='urn:xmpp:receipts' id='m\(receipt)'/>" }
        let replace = corrections[index].map { "<replace xmlns='urn:xmpp:message-correct:0' id='m\($0)'/>" }
        return "<body>\(index)</body>" + (replace ?? "")
    }

    private func page(_ range: ArraySlice<Int>, _ isComplete: Bool) -> CatchUp.Page {
        fetched += range
        let items = range.compactMap { index in
            unreadable.contains(index)
                ? nil
                : message(body(index) + extensions, "m\(index)").map {
                    Archive.Item(
                        id: "a\(index)", stamp: Timestamp(microseconds: time(index).milliseconds * 1000),
                        message: $0)
                }
        }
        let page = Archive.Page(
            items: items, isComplete: isComplete, set: ResultSet(in: XMLElement("fin", Archive.namespace)),
            names: range.first.flatMap { first in range.last.map { ("a\(first)", "a\($0)") } })
        let reader = reader
        return CatchUp.Page(
            page: page, messages: items.map { reader.read($0.message, .archive($0.id, $0.stamp)) })
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TestSupport
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that messages are found by their words, with any query.
@MainActor
@Suite struct SearchTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private var store: any MessageStore { fixture.store }
    private let grace = MessageStoreFixture.grace
    private let ada = MessageStoreFixture.ada

    private func found(_ words: String, of buddy: ChatAddress? = nil, _ count: Int = 10) async throws
        -> [String]
    {
        try await store.search(words, of: buddy, count: count).map(\.message.text)
    }

    @Test(arguments: [
        ("hello", true), ("HELLO wor", true), ("wor", true), ("world hello", true), ("café", true),
        ("cafe", true), ("CAFÉ", true), ("naive", true), ("don't", true), ("12:30", true), ("ello", false),
        ("hel wor", false), ("hello mars", false), ("dont", false),
    ])
    func wordsAndLastPrefixAreFound(_ words: String, _ isFound: Bool) async throws {
        let text = "Hello, World! Cafe\u{301} and NAÏVE; don't come at 12:30."
        try await fixture.apply(.received(received(text)), .received(received("something else")))
        #expect(try await found(words) == (isFound ? [text] : []))
    }

    /// Words that a reply only quotes are those of another message.
    @Test(arguments: [
        ("gladly", true), ("Glad", true), ("tea", false), ("tea gladly", false), ("café", true),
    ])
    func quotedWordsAreNotFound(_ words: String, _ isFound: Bool) async throws {
        let content = MessageContent("Gladly, at the Cafe\u{301}", quoting: "Tea?")
        for relation in [MessageRelation.repliesTo(MessageReply(to: .stanza("1"), by: nil)), .none] {
            let fixture = MessageStoreFixture(Home(in: Home.memory))
            try await fixture.apply(
                .received(
                    ReceivedMessage(
                        buddy: grace, sender: .buddy, content: content, time: ChatTime(milliseconds: 1),
                        name: "n", relation: relation)))
            let count = try await fixture.store.search(words, of: nil, count: 9).count
            #expect(count == (isFound ? 1 : 0))
        }
    }

    @Test func whatIsDeletedOrHiddenIsNotFound() async throws {
        for name in ["1", "2", "3"] {
            try await fixture.apply(.received(received("tea \(name)", name: "name-\(name)")))
        }
        let spoiler = MessageContent("tea 4", spoiler: "about tea")
        try await fixture.apply(
            .received(
                ReceivedMessage(
                    buddy: grace, sender: .buddy, content: spoiler, time: ChatTime(milliseconds: 4))))
        #expect(try await found("tea") == ["tea 3", "tea 2", "tea 1"])
        let last = try #require(try await fixture.all().first { $0.text == "tea 3" })
        try await fixture.apply(
            .annotated(
                MessageAnnotation(
                    .retraction, of: .stanza("name-1"), buddy: grace, sender: .buddy,
                    time: ChatTime(milliseconds: 5))),
            .deletedHere(buddy: grace, id: last.id, time: ChatTime(milliseconds: 6)))
        #expect(try await found("tea") == ["tea 2"])
    }

    /// Messages whose words are not shown take no place among the results.
    @Test func hiddenTextsLeaveRoomForOthers() async throws {
        try await fixture.apply(.received(received("tea at last", time: 1)))
        for number in 0..<60 {
            try await fixture.apply(
                .received(
                    ReceivedMessage(
                        buddy: grace, sender: .buddy,
                        content: MessageContent("Gladly \(number)", quoting: "Tea?"),
                        time: ChatTime(milliseconds: 1_000), name: "n\(number)")))
        }
        #expect(try await found("tea", of: nil, 5) == ["tea at last"])
    }

    @Test func cancelledSearchIsPassedOver() async throws {
        try await fixture.apply(.received(received("tea")))
        let store = fixture.store
        let search = Task { try await store.search("tea", of: nil, count: 9) }
        search.cancel()
        #expect(try await search.value.isEmpty)
        #expect(try await found("tea") == ["tea"])
    }

    @Test func cancelledSearchEndsEarly() throws {
        let numbers = "SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9999"
        let count = "WITH RECURSIVE n(i) AS (\(numbers)) SELECT max(i) FROM n"
        let connection = try Database(path: ":memory:", busyTimeout: 0)
        let search = CancellableSearch()
        try connection.watched(by: { !search.isCancelled }) { () throws(SQLiteError) in
            #expect(try connection.integer(count) == 9999)
            search.cancel()
            do throws(SQLiteError) {
                _ = try connection.integer(count)
                Issue.record("it was not interrupted")
            } catch {
                #expect(error.message == "interrupted")
            }
        }
        #expect(try connection.integer(count) == 9999)
        // The search itself does not fail.
        let database = try StoreDatabase(connection)
        for number in 0..<200 {
            let message = ChatMessage(
                id: 0, conversation: ConversationID(grace, of: nil), sender: .buddy,
                content: MessageContent("tea \(number)"), time: ChatTime(milliseconds: 1),
                place: Int64(number), state: .received)
            _ = try database.insert(message)
        }
        #expect(try database.search("tea", of: nil, count: 9, as: CancellableSearch()).count == 9)
        #expect(try database.search("tea", of: nil, count: 9, as: search).isEmpty)
    }

    @Test func newestResultsComeFirst() async throws {
        try await fixture.apply(
            .received(received("word 3", time: 300)), .received(received("word 1", time: 100)),
            .received(received("word 2", from: ada, time: 200)),
            .received(received("another word 3", time: 300)))
        #expect(try await found("word") == ["another word 3", "word 3", "word 2", "word 1"])
        #expect(try await found("word", of: grace) == ["another word 3", "word 3", "word 1"])
        #expect(try await found("word", of: grace, 2) == ["another word 3", "word 3"])
        #expect(try await found("word", of: ChatAddress("nobody")) == [])
        #expect(try await found("word", of: nil, 0) == [])
        #expect(try await found("word", of: nil, -1) == [])
    }

    @Test func correctedMessageIsFoundByItsNewWords() async throws {
        try await fixture.apply(composed("meet at noon", name: "1"))
        try await fixture.apply(.corrected(buddy: grace, name: "1", text: "meet at dusk", by: "2"))
        #expect(try await found("dusk") == ["meet at dusk"])
        #expect(try await found("noon") == [])
        try await fixture.apply(.acknowledged(buddy: grace, name: "1"))
        #expect(try await found("dusk") == ["meet at dusk"])
        await fixture.store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test(arguments: [
        "\"", "\"\"", "a\"b", "\" OR \"", "text:word", "word NOT other", "NEAR(word other)", "word*", "*",
        "^word",
        "word + other", "-word", "{text}: word", "(", ")", "word)", "'; DROP TABLE message; --",
        "word\0other",
        "\0", "\"\u{301}", "\0\u{301}", "\u{FEFF}", "\u{202E}", "AND", "OR", "NOT", "😀", "…", "  ", "",
        "\\\"", "word\"*", "NULL", "rank:1", "message_text", "?", "?1", "%", "_",
    ])
    func queryIsReadAsWordsOnly(_ words: String) async throws {
        try await fixture.apply(.received(received("word other")), .received(received("unrelated")))
        // SQLite's query syntax has no effect: otherwise more than the one message would be found, or an error.
        #expect(try await Set(found(words)).isSubset(of: ["word other"]))
        #expect(try await fixture.texts() == ["word other", "unrelated"])
    }

    @Test(arguments: Seeds.all)
    func anyTextCanBeSearched(_ seed: UInt64) async throws {
        try await fixture.apply(.received(received("word")))
        var random = SplitMix64(seed: seed)
        let parts = [
            "\"", "\"\"", "*", " ", "(", ")", "word", "AND", "NEAR", ":", "^", "\0", "\u{301}", "-", "é", "🧑‍🚀",
        ]
        for _ in 0..<300 {
            let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &random)]
            }.joined()
            _ = try await found(words)
        }
    }

    @Test func longQueryIsTruncatedInsteadOfRefused() async throws {
        try await fixture.apply(.received(received("a")))
        for words in [
            String(repeating: "a ", count: 100_000), String(repeating: "a", count: 1_000_000),
            String(repeating: "\"", count: 100_000), String(repeating: "é", count: 5_000),
        ] { _ = try await found(words) }
        #expect(try await found(String(repeating: "a ", count: 500)) == ["a"])
    }
}

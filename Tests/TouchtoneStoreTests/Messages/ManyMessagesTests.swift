// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests with a conversation of 100,000 messages, and 5,000 buddies.
@MainActor
@Suite struct ManyMessagesTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private let grace = MessageStoreFixture.grace

    /// Creates the messages with SQL, which is faster than with facts.
    private func fill() async throws {
        _ = try await fixture.store.summary()
        await fixture.store.close()
        try await Self.fill(fixture.home.messages)
    }

    /// Creates the messages off the main thread, on which other tests continue.
    @concurrent private nonisolated static func fill(_ path: String) async throws {
        try RawFile(path).run(
            """
            BEGIN;
            INSERT INTO conversation (id, buddy) VALUES (1, 'grace@example.org');
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)
            INSERT INTO message (conversation, place, time, sender, state, is_unread, is_corrected, wants, name,
                archive_name, text)
            SELECT 1, n, n * 1000, n % 2, CASE n % 2 WHEN 0 THEN 5 WHEN 1 THEN CASE WHEN n > 99990 THEN 1 ELSE 3 END END,
                n % 2 = 0 AND n > 1000, 0, 0, 'name-' || n, 'archive-' || n, 'message number ' || n || ' of many'
            FROM number;
            INSERT INTO message_text (message_text) VALUES ('rebuild');
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
            INSERT INTO conversation (buddy) SELECT 'buddy' || n FROM number;
            INSERT INTO message (conversation, place, time, sender, state, is_unread, is_corrected, wants, text)
            SELECT id, 1, id, 0, 5, 1, 0, 0, 'hello' FROM conversation WHERE id > 1;
            COMMIT;
            """)
    }

    @Test func everyMessageIsFound() async throws {
        try await fill()
        let store = fixture.store
        let last = try await store.messages(of: grace, before: nil, count: 50)
        #expect(last.map(\.place) == Array(99_951...100_000))
        let middle = try await store.messages(of: grace, before: 50_000, count: 50)
        #expect(middle.map(\.place) == Array(49_950...49_999))
        #expect(try await store.messages(of: grace, from: 50_000, count: 2).map(\.place) == [50_000, 50_001])
        #expect(try await store.firstUnread(of: grace)?.place == 1002)
        #expect(try await store.lastMine(of: grace)?.place == 99_999)
        #expect(try await store.waiting().count == 5)
        var summary = try await store.summary()
        #expect(summary.unread.count == 5001 && summary.unread[grace] == 49_500)
        #expect(summary.conversations.count == 5001)
        #expect(try await store.search("number 77777", of: nil, count: 9).map(\.message.place) == [77_777])
        #expect(
            try await store.search("man", of: grace, count: 3).map(\.message.place) == [
                100_000, 99_999, 99_998,
            ])

        let changes = try await fixture.apply(
            .received(received("new", name: "new", archiveName: "new")),
            .received(received("again", name: "name-4711x")),
            .received(received("message number 4712 of many", name: "name-4712", archiveName: "archive-4712"))
        )
        #expect(changes.inserted.map(\.place) == [100_001, 100_002])
        #expect(changes.unread == [ConversationID(grace): 49_502])
        try await fixture.apply(.read(buddy: grace, name: "name-99989"))
        try await fixture.apply(.seen(buddy: grace, upTo: .place(.max)))
        summary = try await store.summary()
        #expect(summary.unread[grace] == nil)
        #expect(try await store.messages(of: grace, before: 99_990, count: 1).map(\.state) == [.read])
    }
}

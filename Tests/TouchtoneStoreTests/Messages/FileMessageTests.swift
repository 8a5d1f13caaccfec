// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of messages with files in the database.
@MainActor
@Suite struct FileMessageTests {
    private let home = Home(in: Home.memory)
    private let file = SharedFile(
        name: "Ångström report.pdf", size: 2000, mediaType: "application/pdf", path: "/home/ada/report.pdf")
    private let url = "https://files.example.org/1/report.pdf"

    private func composed(_ name: String) -> MessageUpdate {
        .composed(
            ComposedMessage(
                buddy: MessageStoreFixture.grace, name: name, content: MessageContent(file: file),
                time: ChatTime(milliseconds: 1)))
    }

    @Test func fileIsKeptUploadedAndFoundByName() async throws {
        let fixture = MessageStoreFixture(home)
        try await fixture.apply(composed("name-1"))
        try await fixture.apply(.received(received("later")))
        #expect(try await fixture.all().map(\.file) == [file, nil])
        #expect(try await fixture.store.waiting().map(\.needsUpload) == [true])
        #expect(
            try await fixture.store.search("angstrom", of: nil, count: 9).map(\.message.file) == [file])
        let changes = try await fixture.apply(
            .uploaded(buddy: MessageStoreFixture.grace, name: "name-1", url: url))
        #expect(changes.changed.map(\.file?.url) == [url])
        await fixture.store.close()
        // Only the address changed: another run reads it, at the end of the conversation.
        let again = MessageStoreFixture(home)
        #expect(try await again.all().map(\.text) == ["later", file.name])
        #expect(try await again.all().map(\.file?.url) == [nil, url])
        #expect(try await again.store.waiting().map(\.needsUpload) == [false])
        await again.store.close()
        #expect(try RawFile(home.messages).isSound())
    }

    @Test func addressIsKeptIfPlaceStays() async throws {
        let fixture = MessageStoreFixture(home)
        try await fixture.apply(composed("name-1"))
        try await fixture.apply(.uploaded(buddy: MessageStoreFixture.grace, name: "name-1", url: url))
        #expect(try await fixture.all().map(\.file?.url) == [url])
        #expect(try await fixture.all().map(\.file?.path) == [file.path])
    }

    @Test func cancelledMessageLeavesNothing() async throws {
        let fixture = MessageStoreFixture(home)
        try await fixture.apply(composed("name-1"))
        let changes = try await fixture.apply(
            .cancelled(buddy: MessageStoreFixture.grace, name: "name-1"))
        #expect(changes.removed.map(\.file) == [file])
        #expect(try await fixture.all().isEmpty)
        #expect(try await fixture.store.search("report", of: nil, count: 9).isEmpty)
        // Its place is free, and its ID can be used again.
        try await fixture.apply(composed("name-1"))
        #expect(try await fixture.all().map(\.file) == [file])
        await fixture.store.close()
        #expect(try RawFile(home.messages).isSound())
    }

    @Test func composedAndCancelledTogetherIsNoChange() async throws {
        let fixture = MessageStoreFixture(home)
        let changes = try await fixture.apply(
            composed("name-1"), .cancelled(buddy: MessageStoreFixture.grace, name: "name-1"))
        #expect(changes.inserted.isEmpty && changes.changed.isEmpty)
        #expect(try await fixture.all().isEmpty)
    }
}

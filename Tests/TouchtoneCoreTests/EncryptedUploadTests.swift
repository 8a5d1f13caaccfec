// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of files that are sent in encrypted conversations.
@MainActor
@Suite struct EncryptedUploadTests {
    private func encrypted() async throws -> ChatFixture {
        let fixture = try await ChatFixture.withFiles()
        _ = try await fixture.open(ada)
        fixture.chat.setEncrypted(true, ada)
        await fixture.rest()
        _ = fixture.service.takeCalls()
        return fixture
    }

    private func sent(_ fixture: ChatFixture) -> [String] {
        fixture.service.takeCalls().compactMap { if case .send(let text, _) = $0 { text } else { nil } }
    }

    private func isLink(_ text: String, to ending: String, key: Int) -> Bool {
        text.hasPrefix("aesgcm://files.example.org/") && text.hasSuffix("\(key)")
            && text.contains("\(ending)#0000") && !text.contains("photo") && !text.contains("report")
    }

    @Test func serverGetsNoNameNoTypeAndNoSizeInTheClear() async throws {
        let fixture = try await encrypted()
        #expect(try await fixture.attach("/home/photo.jpg", "/home/report.pdf") == [])
        for _ in 1...2 {
            fixture.transfers.running.first?.end()
            await fixture.rest()
        }
        let requests = fixture.service.uploads.requests
        #expect(requests.count == 2)
        for (request, ending) in zip(requests, [".jpg", ".pdf"]) {
            let parts = request.split(separator: " ")
            #expect(parts.dropFirst().map { String($0) } == ["1016", "application/octet-stream"])
            #expect(parts[0].count == 24 + ending.count && parts[0].hasSuffix(ending))
        }
        let links = sent(fixture)
        #expect(
            links.count == 2 && isLink(links[0], to: ".jpg", key: 1) && isLink(links[1], to: ".pdf", key: 2))
        let messages = fixture.store.table.messages(of: ada)
        #expect(messages.map(\.text) == ["photo.jpg", "report.pdf"])
        #expect(messages.allSatisfy { $0.file?.isEncrypted == true && $0.content.protection.isEncrypted })
        #expect(
            messages.allSatisfy { $0.file?.thumbnail == nil && $0.file?.hash == nil && $0.file?.size == 1000 }
        )
    }

    @Test(arguments: [
        ("a.JPG", ".jpg"), ("voice.ogg", ".ogg"), ("secret", ""), ("the.plan", ""), (".jpg", ".jpg"),
        ("a.", ""),
        ("a.tar.gz", ""), ("letter to Ada.pdf", ".pdf"),
    ])
    func hiddenNameKeepsOnlyAnEndingThatTellsTheKind(_ name: String, _ ending: String) {
        let made = (1...20).map { _ in HiddenFileName.make(for: SharedFile(name: name)) }
        #expect(Set(made).count == 20)
        #expect(made.allSatisfy { $0.count == 24 + ending.count && $0.hasSuffix(ending) })
    }

    @Test func wordsGoBeforeTheFileAsAMessageOfTheirOwn() async throws {
        let fixture = try await encrypted()
        let uploads = try #require(fixture.chat.uploads)
        let (drafts, _) = await uploads.drafts(of: ["/home/photo.jpg"], to: ada)
        #expect(await uploads.send(drafts, text: "Look", to: ada) == [])
        await fixture.rest()
        fixture.transfers.running.first?.end()
        await fixture.rest()
        let texts = sent(fixture)
        #expect(texts.count == 2 && texts[0] == "Look" && isLink(texts[1], to: ".jpg", key: 1))
        #expect(fixture.store.table.messages(of: ada).map(\.text) == ["Look", "photo.jpg"])
    }

    @Test func fileWithWordsIsEncryptedIfThatIsSwitchedOnMeanwhile() async throws {
        let fixture = try await ChatFixture.withFiles()
        _ = try await fixture.open(ada)
        let uploads = try #require(fixture.chat.uploads)
        let (drafts, _) = await uploads.drafts(of: ["/home/photo.jpg"], to: ada)
        #expect(await uploads.send(drafts, text: "Look", to: ada) == [])
        await fixture.rest()
        #expect(fixture.transfers.running.map(\.url) == ["https://files.example.org/1/photo.jpg"])
        fixture.chat.setEncrypted(true, ada)
        await fixture.rest()
        #expect(fixture.transfers.running.count == 1, "the first upload is cancelled")
        #expect(fixture.service.uploads.requests.last?.contains(" 1016 application/octet-stream") == true)
        fixture.transfers.running.first?.end()
        await fixture.rest()
        let texts = sent(fixture)
        #expect(texts.count == 2 && texts[0] == "Look" && isLink(texts[1], to: ".jpg", key: 1), "\(texts)")
        let messages = fixture.store.table.messages(of: ada)
        #expect(messages.map(\.text) == ["Look", "photo.jpg"])
        #expect(messages.allSatisfy { $0.content.protection.isEncrypted })
    }

    /// A text has found out that the buddy has keys.
    @Test func uploadBeginsAnewWhenEncryptionBeginsByItself() async throws {
        let fixture = try await ChatFixture.withFiles()
        try await fixture.attach("/home/photo.jpg")
        fixture.service.tell(.encryptionBegan(ada))
        await fixture.rest()
        #expect(fixture.transfers.running.count == 1)
        #expect(
            fixture.service.uploads.requests.last?.contains(" 1016 application/octet-stream") == true)
        fixture.transfers.running.first?.end()
        await fixture.rest()
        let links = sent(fixture)
        #expect(links.count == 1 && isLink(links[0], to: ".jpg", key: 1))
    }

    @Test func fileGoesInTheClearIfEncryptionIsSwitchedOffMeanwhile() async throws {
        let fixture = try await encrypted()
        try await fixture.attach("/home/photo.jpg")
        fixture.chat.setEncrypted(false, ada)
        await fixture.rest()
        fixture.transfers.running.first?.end()
        await fixture.rest()
        #expect(sent(fixture) == ["https://files.example.org/2/photo.jpg"])
    }

    @Test func uploadedFileThatWaitsIsUploadedAgain() async throws {
        let fixture = try await ChatFixture.withFiles(facts: [
            .unsent(SharedFile(name: "photo.jpg", mediaType: "image/jpeg", path: "/home/photo.jpg")),
            .uploaded(buddy: ada, name: "old", url: "https://files.example.org/9/photo.jpg"),
        ])
        #expect(sent(fixture) == ["https://files.example.org/9/photo.jpg"])
        fixture.chat.setEncrypted(true, ada)
        await fixture.rest()
        #expect(fixture.store.table.messages(of: ada).map(\.needsUpload) == [true])
        fixture.transfers.running.first?.end()
        await fixture.rest()
        let links = sent(fixture)
        #expect(links.count == 1 && isLink(links[0], to: ".jpg", key: 1))
    }

    @Test func failedFileInTheClearIsUploadedAgainByRetry() async throws {
        let fixture = try await ChatFixture.withFiles(facts: [
            .unsent(SharedFile(name: "photo.jpg", mediaType: "image/jpeg", path: "/home/photo.jpg")),
            .uploaded(buddy: ada, name: "old", url: "https://files.example.org/9/photo.jpg"),
            .failed(buddy: ada, name: "old", reason: "no"),
        ])
        fixture.chat.setEncrypted(true, ada)
        await fixture.rest()
        fixture.chat.retry(try #require(fixture.store.table.messages(of: ada).first))
        await fixture.rest()
        #expect(sent(fixture) == [])
        fixture.transfers.running.first?.end()
        await fixture.rest()
        let links = sent(fixture)
        #expect(links.count == 1 && isLink(links[0], to: ".jpg", key: 1), "\(links)")
    }

    @Test func uploadInTheClearIsNotTakenForAProtectedMessage() async throws {
        let fixture = try await encrypted()
        try await fixture.attach("/home/photo.jpg")
        await fixture.tell(
            .uploaded(buddy: ada, name: "name-000000000001", url: "https://files.example.org/9/photo.jpg"))
        #expect(fixture.store.table.messages(of: ada).map(\.needsUpload) == [true])
        #expect(sent(fixture) == [])
    }

    @Test func encryptedFileNeverGoesDirectly() async throws {
        let fixture = try await encrypted()
        fixture.service.uploads.takers = [ada]
        try await fixture.attach("/home/photo.jpg")
        fixture.transfers.running.first?.end(.unreachable)
        await fixture.rest()
        fixture.service.uploads.error = .unsupported
        await fixture.goOnline()
        #expect(try await fixture.attach("/home/photo.jpg") == ["Your server does not take files."])
        let message = try #require(fixture.store.table.messages(of: ada).first)
        fixture.chat.selected?.retry(message)
        await fixture.rest()
        #expect(
            fixture.store.table.messages(of: ada).last?.state
                == .failed("Your server does not take files, and only files on a server can be encrypted."))
        #expect(fixture.service.uploads.transfers.begun == [])
    }

    @Test func limitCountsTheEncryptedBytes() async throws {
        let fixture = try await encrypted()
        fixture.service.uploads.limit = 1015
        fixture.service.uploads.takers = [ada]
        await fixture.goOnline()
        #expect(
            try await fixture.attach("/home/photo.jpg") == [
                "“photo.jpg” has 1 kB, but your server takes 999 bytes at most."
            ])
        fixture.service.uploads.limit = 1016
        await fixture.goOnline()
        #expect(try await fixture.attach("/home/photo.jpg") == [])
        #expect(fixture.service.uploads.transfers.begun == [])
    }

    @Test func eachAttemptHasAKeyOfItsOwn() async throws {
        let fixture = try await encrypted()
        try await fixture.attach("/home/photo.jpg")
        fixture.transfers.running.first?.end(.refused(status: 507))
        await fixture.rest()
        fixture.chat.selected?.retry(try #require(fixture.store.table.messages(of: ada).last))
        await fixture.rest()
        fixture.transfers.running.first?.end()
        await fixture.rest()
        let links = sent(fixture)
        #expect(links.count == 1 && isLink(links[0], to: ".jpg", key: 2), "\(links)")
    }

    @Test func pictureOfBuddyIsDownloadedWithoutRequestAndItsTextHasNoKey() async throws {
        let fixture = try await ChatFixture.withFiles()
        let key = String(repeating: "a", count: 88)
        let link = "aesgcm://files.example.org/1/x.jpg#\(key)"
        let file = try #require(SharedFile(encrypted: link))
        var content = MessageContent(file: file)
        content.protection = .encrypted(.blind)
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .buddy, content: content, time: fixture.wall.now, name: "n")))
        let message = try #require(fixture.store.table.messages(of: ada).last)
        #expect(message.text == "x.jpg" && message.summary == "Picture: x.jpg")
        #expect(![message.text, message.summary, message.visibleText].contains { $0.contains(key) })
        fixture.chat.downloads?.look(at: message)
        await fixture.rest()
        #expect(fixture.transfers.downloads.map(\.url) == [link])
        #expect(fixture.transfers.downloads.map(\.limit) == [FileDownloads.maximumPictureSize])
        fixture.transfers.running.first?.end(.damaged)
        await fixture.rest()
        #expect(
            fixture.chat.downloads?.state(of: file)
                == .failed(
                    "The file on the server is not the one that was sent. Ask the sender to send it again."))
    }
}

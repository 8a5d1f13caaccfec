// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct FileUploadTests {
    private static let url = "https://files.example.org/1/photo.jpg"

    private func content(_ text: String) throws -> MessageContent {
        MessageContent(text, files: [try #require(SharedFile(received: Self.url))])
    }

    @Test func fileIsUploadedAndItsMessageSentOnce() async throws {
        let fixture = try await ChatFixture.withFiles()
        let conversation = try await fixture.open(ada)
        #expect(try await fixture.attach("/home/photo.jpg") == [])
        let message = try #require(conversation.window.last)
        #expect(message.state == .waiting && message.isFileAlone && message.needsUpload)
        #expect(fixture.service.uploads.requests == ["photo.jpg 1000 image/jpeg"])
        #expect(fixture.transfers.removals == [true])
        #expect(fixture.service.takeCalls() == [], "the file is not there yet")
        let transfer = try #require(fixture.transfers.running.first)
        transfer.advance(to: 500)
        #expect(fixture.chat.uploads?.progress(of: message)?.fraction == 0.5)
        transfer.end()
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send(Self.url, name: "name-000000000001")])
        #expect(conversation.window.last?.file?.url == Self.url)
        #expect(conversation.window.last?.text == "photo.jpg")
        #expect(conversation.window.last?.file?.hash?.bytes == [UInt8](repeating: 7, count: 32))
        #expect(fixture.chat.uploads?.progress(of: message) == nil)
        // The room or the archive repeats it under the name that the server gave the file.
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .me, content: try content("photo_1.jpg"), time: fixture.wall.now,
                    name: "name-000000000001", archiveName: "a-1")))
        #expect(conversation.window.map(\.text) == ["photo.jpg"])
        #expect(conversation.window.map(\.state) == [.sent])
    }

    @Test func textGoesWithLastFile() async throws {
        let fixture = try await ChatFixture.withFiles()
        let conversation = try await fixture.open(ada)
        await fixture.tell(received("Photos?"))
        let uploads = try #require(fixture.chat.uploads)
        let (drafts, problems) = await uploads.drafts(
            of: ["/home/photo.jpg", "/home/report.pdf", "/home/none"], to: ada)
        #expect(drafts.map(\.name) == ["photo.jpg", "report.pdf"] && problems.count == 1)
        let question = try #require(conversation.window.last)
        let isSent = conversation.send(drafts, text: "Here", inReplyTo: question) { #expect($0 == []) }
        #expect(isSent)
        await fixture.rest()
        for _ in 0..<2 {
            fixture.transfers.running[0].end()
            await fixture.rest()
        }
        let sent = fixture.store.table.messages(of: ada).suffix(2)
        #expect(sent.map(\.text) == ["photo.jpg", "> Photos?\nHere"])
        #expect(sent.map(\.visibleText) == ["photo.jpg", "Here"])
        #expect(sent.map(\.reply?.original) == [nil, .stanza("n-Photos?")])
        #expect(
            sent.last?.sentText == "> Photos?\nHere\nhttps://files.example.org/2/report.pdf")
        #expect(sent.last.map(\.summary) == "File: Here")
        // Too long a text stays in the field.
        fixture.service.maximumTextLength = 2100
        let long = String(repeating: "x", count: 100)
        #expect(!conversation.send(drafts, text: long) { _ in })
        // A device takes files without words, so that these follow.
        fixture.service.uploads.error = .unsupported
        fixture.service.uploads.takers = [ada]
        await fixture.goOnline()
        _ = fixture.service.takeCalls()
        #expect(conversation.send([drafts[0]], text: "Look") { _ in })
        await fixture.rest()
        fixture.service.uploads.transfers.running[0].end()
        await fixture.rest()
        #expect(
            fixture.service.takeCalls().contains { if case .send("Look", _) = $0 { true } else { false } })
    }

    @Test func slotHasSizeWithoutMetadata() async throws {
        let fixture = try await ChatFixture.withFiles()
        fixture.transfers.metadataSize = 100
        try await fixture.attach("/home/photo.jpg")
        #expect(fixture.service.uploads.requests == ["photo.jpg 900 image/jpeg"])
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(fixture.store.table.messages(of: ada).last?.file?.size == 900, "others read this size")
        #expect(fixture.store.table.messages(of: ada).last?.file?.thumbnail == "small 900")
        try await fixture.attach("/home/report.pdf")
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(fixture.store.table.messages(of: ada).last?.file?.thumbnail == nil, "it is no picture")
    }

    @Test func textsDoNotWaitAndFileMovesToEnd() async throws {
        let fixture = try await ChatFixture.withFiles()
        let conversation = try await fixture.open(ada)
        try await fixture.attach("/home/photo.jpg")
        conversation.send("hello")
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send("hello", name: "name-000000000002")])
        #expect(conversation.window.map(\.text) == ["photo.jpg", "hello"])
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send(Self.url, name: "name-000000000001")])
        #expect(conversation.window.map(\.text) == ["hello", "photo.jpg"])
    }

    @Test func filesOfConversationArriveInOrder() async throws {
        let fixture = try await ChatFixture.withFiles()
        let paths = (1...4).map { "/home/\($0).pdf" }
        for path in paths { fixture.files.add(path) }
        fixture.files.problems["/home/2.pdf"] = .unreadable
        let uploads = try #require(fixture.chat.uploads)
        #expect(
            await uploads.attach(paths, to: ada) == ["“2.pdf” can’t be read. Check its permissions."])
        await fixture.rest()
        // One that fails does not stop the others.
        for error in [nil, FileTransferError.refused(status: 507), nil] {
            #expect(fixture.transfers.running.count == 1)
            fixture.transfers.running.first?.end(error)
            await fixture.rest()
        }
        #expect(fixture.transfers.running.isEmpty)
        #expect(
            fixture.service.takeCalls() == [
                .send("https://files.example.org/1/1.pdf", name: "name-000000000001"),
                .send("https://files.example.org/3/4.pdf", name: "name-000000000003"),
            ])
    }

    @Test func twoConversationsAreServedAtATime() async throws {
        let fixture = try await ChatFixture.withFiles()
        let uploads = try #require(fixture.chat.uploads)
        let buddies = [ada, ada, bob, ChatAddress("carl@example.org")]
        for (index, buddy) in buddies.enumerated() {
            fixture.files.add("/home/\(index).pdf")
            #expect(await uploads.attach(["/home/\(index).pdf"], to: buddy) == [])
        }
        await fixture.rest()
        func running() -> [String] { fixture.transfers.running.map { String($0.url.suffix(5)) } }
        #expect(running() == ["0.pdf", "2.pdf"])
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(running() == ["2.pdf", "1.pdf"])
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(running() == ["1.pdf", "3.pdf"])
    }

    @Test func cancelRemovesMessage() async throws {
        let fixture = try await ChatFixture.withFiles()
        let conversation = try await fixture.open(ada)
        try await fixture.attach("/home/photo.jpg")
        let uploads = try #require(fixture.chat.uploads)
        #expect(await uploads.attach([1, 2, 3], name: "picture.png", mediaType: "image/png", to: ada) == nil)
        await fixture.rest()
        #expect(fixture.files.pictures.values.map { $0 } == [[1, 2, 3]])
        for message in conversation.window { uploads.cancel(message) }
        await fixture.rest()
        #expect(conversation.window.isEmpty && conversation.lastMine == nil)
        #expect(fixture.store.table.messages(of: ada).isEmpty)
        #expect(fixture.transfers.running.isEmpty)
        #expect(fixture.files.pictures.isEmpty, "the copy is not needed any more")
        #expect(fixture.files.files["/home/photo.jpg"] != nil)
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [])
    }

    @Test(arguments: [
        FileTransferError.refused(status: 507), .unreachable, .untrustedCertificate, .unreadable,
        .tooLarge(limit: 10), .metadataNotRemoved,
    ])
    func failedUploadIsToldAndRetried(_ error: FileTransferError) async throws {
        let fixture = try await ChatFixture.withFiles()
        let conversation = try await fixture.open(ada)
        try await fixture.attach("/home/photo.jpg")
        fixture.transfers.running[0].end(error)
        await fixture.rest()
        let message = try #require(conversation.window.last)
        guard case .failed(let reason) = message.state else {
            Issue.record("\(message.state)")
            return
        }
        #expect(!reason.isEmpty)
        conversation.retry(message)
        await fixture.rest()
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(
            fixture.service.takeCalls() == [
                .send("https://files.example.org/2/photo.jpg", name: "name-000000000002")
            ])
    }

    @Test func waitingFileIsUploadedOnceServiceIsReady() async throws {
        let fixture = try await ChatFixture.withFiles(online: false)
        fixture.service.uploads.error = .offline
        fixture.service.tell(.state(.online))
        let conversation = try await fixture.open(ada)
        #expect(try await fixture.attach("/home/photo.jpg") == [])
        #expect(conversation.window.map(\.state) == [.waiting])
        #expect(fixture.transfers.begun == [])
        fixture.service.uploads.error = nil
        await fixture.goOnline()
        #expect(fixture.transfers.begun == [Self.url])
        await fixture.goOnline()
        #expect(fixture.transfers.begun == [Self.url], "it is not uploaded twice at the same time")
        fixture.transfers.running[0].end()
        await fixture.rest()
        await fixture.goOnline()
        #expect(
            Set(fixture.service.takeCalls()) == [.send(Self.url, name: "name-000000000001")])
    }

    /// The program ended during the upload, or between the upload and its record.
    @Test func restartUploadsAgainUnderSameID() async throws {
        let file = SharedFile(
            name: "photo.jpg", size: 1000, mediaType: "image/jpeg", path: "/home/photo.jpg")
        let fixture = try await ChatFixture.withFiles(
            online: false,
            facts: [
                .unsent(file)
            ])
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [])
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send(Self.url, name: "old")])
    }

    /// The program ended between the record of the upload and the message.
    @Test func restartSendsUploadedFileWithoutUpload() async throws {
        let file = SharedFile(name: "photo.jpg", path: "/home/photo.jpg")
        let fixture = try await ChatFixture.withFiles(
            online: false,
            facts: [
                .unsent(file),
                .uploaded(buddy: ada, name: "old", url: Self.url),
                .uploaded(buddy: ada, name: "old", url: "https://files.example.org/other"),
                .cancelled(buddy: ada, name: "old"),
            ])
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [.send(Self.url, name: "old")])
        #expect(fixture.transfers.begun == [])
    }

    @Test func vanishedFileFails() async throws {
        let fixture = try await ChatFixture.withFiles(
            online: false,
            facts: [
                .unsent(SharedFile(name: "gone.jpg", path: "/home/gone.jpg"))
            ])
        await fixture.goOnline()
        #expect(
            fixture.store.table.messages(of: ada).map(\.state)
                == [.failed("The file is no longer there. Attach it again.")])
    }

    @Test func tooLargeFileIsRefusedWithBothSizes() async throws {
        let fixture = try await ChatFixture.withFiles()
        fixture.service.uploads.limit = 2000
        await fixture.goOnline()
        fixture.files.add("/home/film.mkv", size: 3_400_000)
        #expect(
            try await fixture.attach("/home/film.mkv", "/home/report.pdf")
                == ["“film.mkv” has 3.4 MB, but your server takes 2 kB at most."])
        fixture.files.add("/home/close.mkv", size: 2001)
        #expect(
            try await fixture.attach("/home/close.mkv")
                == ["“close.mkv” is 1 byte larger than your server takes, which is 2 kB."])
        #expect(fixture.service.uploads.requests == ["report.pdf 1000 application/pdf"])
    }

    @Test(arguments: [FileProblem.missing, .folder, .special, .empty, .unreadable])
    func whatIsNoFileIsExplained(_ problem: FileProblem) async throws {
        let fixture = try await ChatFixture.withFiles()
        fixture.files.problems["/home/x"] = problem
        #expect(try await fixture.attach("/home/x") == [problem.text(of: "x")])
        #expect(fixture.store.table.messages(of: ada).isEmpty)
    }

    @Test func manyFilesAtOnceAreRefused() async throws {
        let fixture = try await ChatFixture.withFiles()
        let uploads = try #require(fixture.chat.uploads)
        let paths = (1...100).map { "/home/\($0)" }
        #expect(
            await uploads.attach(paths, to: ada) == ["You can send at most 20 files at once, not 100."])
        #expect(fixture.service.uploads.requests == [])
    }

    @Test func obstaclesAreExplained() async throws {
        let fixture = try await ChatFixture.withFiles(online: false)
        let uploads = try #require(fixture.chat.uploads)
        #expect(uploads.obstacle(to: ada) == "To send files, add a Jabber account.")
        fixture.service.uploads.error = .unsupported
        await fixture.goOnline()
        #expect(uploads.obstacle(to: ada) == "Your server does not take files.")
        #expect(try await fixture.attach("/home/photo.jpg") == ["Your server does not take files."])
        #expect(uploads.obstacle(to: .operatorAddress) != nil)
        // A different account may have a different server.
        fixture.service.uploads.error = nil
        fixture.service.tell(.account(bob))
        #expect(uploads.obstacle(to: ada) == nil)
    }

    @Test func accountChangeStopsUploads() async throws {
        let fixture = try await ChatFixture.withFiles()
        try await fixture.attach("/home/photo.jpg")
        fixture.service.tell(.account(bob))
        await fixture.rest()
        #expect(fixture.transfers.running.isEmpty)
        #expect(fixture.service.takeCalls() == [])
        fixture.service.tell(.account(nil))
        await fixture.goOnline()
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(fixture.service.takeCalls().count == 1)
    }

    /// The end of the stopped upload is not taken for that of the next one.
    @Test func uploadOfAccountThatCameBackOutlivesEndOfStoppedOne() async throws {
        let fixture = try await ChatFixture.withFiles()
        fixture.thumbnails.isNextHeld = true
        try await fixture.attach("/home/photo.jpg")
        #expect(fixture.thumbnails.isHolding)
        for account in [bob, nil] { fixture.service.tell(.account(account)) }
        await fixture.goOnline()
        #expect(fixture.transfers.running.count == 1)
        fixture.thumbnails.goOn()
        for _ in 0..<100 { await fixture.rest() }
        #expect(fixture.transfers.running.count == 1)
        #expect(fixture.store.table.messages(of: ada).map(\.state) == [.waiting])
        fixture.transfers.running.first?.end()
        await fixture.rest()
        #expect(fixture.service.takeCalls().count == 1)
    }

    @Test func correctionReplacesFileByText() async throws {
        let fixture = try await ChatFixture.withFiles()
        let conversation = try await fixture.open(ada)
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .buddy, content: try content("photo.jpg"), time: fixture.wall.now,
                    name: "n")),
            received("words", corrects: "n"))
        #expect(conversation.window.map(\.text) == ["words"])
        #expect(conversation.window.map(\.file) == [nil])
    }
}

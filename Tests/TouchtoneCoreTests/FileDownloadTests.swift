// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct FileDownloadTests {
    private static let url = "https://files.example.org/1/photo.jpg"
    private static let room = ChatAddress("tea@rooms.example.org")

    /// Delivers a message with a file, shows it, and returns it.
    private func come(
        _ fixture: ChatFixture, from buddy: ChatAddress = ada, sender: MessageSender = .buddy,
        url: String = url, file: SharedFile? = nil, name: String = "n"
    ) async throws -> ChatMessage {
        let plain = try #require(SharedFile(received: url))
        let file = file ?? plain
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: buddy, sender: sender, content: MessageContent(file: file),
                    time: fixture.wall.now, name: name)))
        let message = try #require(fixture.store.table.messages(of: buddy).last)
        fixture.chat.downloads?.look(at: message)
        await fixture.rest()
        return message
    }

    private func state(_ fixture: ChatFixture, _ message: ChatMessage) throws -> FileDownloads.State {
        try #require(fixture.chat.downloads).state(of: #require(message.file))
    }

    @Test func pictureFromBuddyIsFetched() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await come(fixture)
        let download = try #require(fixture.transfers.downloads.first)
        #expect(download.limit == 10 << 20)
        #expect(download.trustedHosts == ["example.org"])
        fixture.transfers.running[0].advance(to: 10, of: 100)
        #expect(try state(fixture, message) == .loading(FileProgress(done: 10, size: 100)))
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(try state(fixture, message) == .present("/cache/photo.jpg"))
        fixture.chat.downloads?.look(at: message)
        await fixture.rest()
        #expect(fixture.transfers.begun == [Self.url])
    }

    @Test func downloadMustBeTheDescribedFile() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let hash = FileHash(.sha256, bytes: [UInt8](repeating: 1, count: 32))
        let file = try #require(
            SharedFile(
                received: Self.url, name: "a.png", size: 20, mediaType: nil, hash: hash, thumbnail: "AAAA"))
        let message = try await come(fixture, file: file)
        #expect(fixture.transfers.downloads.map(\.size) == [20])
        #expect(fixture.transfers.downloads.map(\.hash) == [hash])
        #expect(fixture.chat.downloads?.showsThumbnail(of: message) == true)
        fixture.transfers.running[0].end(.damaged)
        await fixture.rest()
        let reason = "The file on the server is not the one that was sent. Ask the sender to send it again."
        #expect(try state(fixture, message) == .failed(reason))
        // One that is too large to be shown is not fetched, and nobody is asked for its size.
        var large = file
        (large.url, large.size) = (Self.url + "2", 11 << 20)
        let other = try await come(fixture, file: large, name: "large")
        #expect(try state(fixture, other) == .absent && fixture.transfers.begun.count == 1)
        #expect(fixture.transfers.sizeQuestions == [])
        let stranger = try await come(fixture, from: bob, file: file)
        #expect(fixture.chat.downloads?.showsThumbnail(of: stranger) == false)
    }

    /// Whether its download has ended, is going on, or waits.
    @Test(arguments: [0, 1, 4]) func fileOfDeletedMessageLeavesDisk(_ others: Int) async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        for number in 0..<others {
            _ = try await come(fixture, url: "https://files.example.org/\(number)/other.jpg")
        }
        let message = try await come(fixture)
        if others == 0 {
            fixture.transfers.running[0].end()
            await fixture.rest()
            #expect(try state(fixture, message) == .present("/cache/photo.jpg"))
        }
        fixture.files.cache[Self.url] = "/cache/photo.jpg"
        await fixture.tell(
            .annotated(
                MessageAnnotation(
                    .retraction, of: .stanza("n"), buddy: ada, sender: .buddy, time: fixture.wall.now)))
        #expect(fixture.files.cache[Self.url] == nil)
        #expect(try state(fixture, message) == .unknown)
        for transfer in fixture.transfers.running { transfer.end() }
        await fixture.rest()
        #expect(try state(fixture, message) == .unknown)
    }

    @Test func nothingIsFetchedFromOthers() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.service.tell(.room(Room(RoomRecord(Self.room, nickname: "me"))))
        let occupant = MessageSender.occupant(RoomOccupant(nickname: "Ada", address: ada))
        let stranger = ChatAddress("\(Self.room.text)/Ada")
        let cases: [(ChatAddress, MessageSender)] = [
            (bob, .buddy), (Self.room, occupant), (Self.room, .buddy), (stranger, .buddy),
            (ada, .me),
        ]
        for (index, (buddy, sender)) in cases.enumerated() {
            let message = try await come(
                fixture, from: buddy, sender: sender, url: "https://files.example.org/\(index).jpg")
            #expect(try state(fixture, message) == .absent)
        }
        fixture.service.tell(.blocked([ada]))
        _ = try await come(fixture)
        #expect(fixture.transfers.begun == [])
        #expect(fixture.transfers.sizeQuestions == [], "that would tell the sender who reads it, and when")
    }

    @Test func sizeIsKnownFromServerOrDisk() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let downloads = try #require(fixture.chat.downloads)
        var told: [String?] = []
        downloads.observe(by: fixture) { told.append($0.url) }
        let report = "https://files.example.org/report.pdf"
        fixture.transfers.statedSizes[report] = 2_000_000
        let message = try await come(fixture, url: report)
        #expect(fixture.transfers.sizeQuestions == [report])
        #expect(downloads.size(of: try #require(message.file)) == 2_000_000)
        #expect(told == [report, report], "once for its state, once for its size")
        // The account’s own server learns nothing new, whoever sent the file.
        let own = "https://example.org/film.mkv"
        _ = try await come(fixture, from: bob, url: own)
        #expect(fixture.transfers.sizeQuestions == [report, own])
        let picture = try await come(fixture)
        #expect(downloads.size(of: try #require(picture.file)) == nil)
        fixture.transfers.running[0].advance(to: 10, of: 1000)
        #expect(downloads.size(of: try #require(picture.file)) == 1000)
        fixture.files.add("/cache/song.ogg", size: 77)
        fixture.files.cache["https://files.example.org/song.ogg"] = "/cache/song.ogg"
        let song = try await come(fixture, url: "https://files.example.org/song.ogg")
        #expect(downloads.size(of: try #require(song.file)) == 77)
        #expect(fixture.transfers.sizeQuestions == [report, own])
    }

    @Test func otherFilesAreFetchedOnRequest() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await come(fixture, url: "https://files.example.org/report.pdf")
        #expect(try state(fixture, message) == .absent)
        #expect(fixture.transfers.begun == [])
        let downloads = try #require(fixture.chat.downloads)
        let saving = Task { await downloads.save(message, to: "file:///home/report.pdf") }
        await fixture.rest()
        fixture.transfers.running[0].end()
        #expect(await saving.value == nil)
        #expect(fixture.files.copies == ["/cache/report.pdf to file:///home/report.pdf"])
    }

    @Test(arguments: [
        FileTransferError.invalidAddress, .privateAddress, .unsafeRedirect, .untrustedCertificate,
        .unreachable, .refused(status: 404), .refused(status: 500), .tooLarge(limit: 10), .incomplete,
        .unwritable, .invalidResponse,
    ])
    func failureIsToldAndRetried(_ error: FileTransferError) async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await come(fixture)
        fixture.transfers.running[0].end(error)
        await fixture.rest()
        guard case .failed(let reason) = try state(fixture, message) else {
            Issue.record("no failure")
            return
        }
        #expect(!reason.isEmpty)
        fixture.chat.downloads?.show(message)
        await fixture.rest()
        fixture.transfers.running[0].end()
        await fixture.rest()
        #expect(try state(fixture, message) == .present("/cache/photo.jpg"))
    }

    @Test func pictureIsFetchedOnceServerCanBeReached() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await come(fixture)
        fixture.transfers.running[0].end(.unreachable)
        await fixture.rest()
        await fixture.goOnline()
        // The panel shows the row again, because its state has changed.
        #expect(try state(fixture, message) == .unknown)
        fixture.chat.downloads?.look(at: message)
        await fixture.rest()
        #expect(fixture.transfers.begun.count == 2)
        fixture.transfers.running[0].end(.refused(status: 404))
        await fixture.rest()
        await fixture.goOnline()
        #expect(try state(fixture, message) != .unknown, "the server has answered")
    }

    @Test func downloadIsCancelled() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await come(fixture)
        let downloads = try #require(fixture.chat.downloads)
        downloads.cancel(message)
        await fixture.rest()
        #expect(try state(fixture, message) == .absent)
        #expect(fixture.transfers.running.isEmpty)
        downloads.look(at: message)
        await fixture.rest()
        #expect(fixture.transfers.begun.count == 1, "the user does not want it")
    }

    @Test func fewFilesAreDownloadedAtATime() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        for number in 1...5 {
            _ = try await come(fixture, url: "https://files.example.org/\(number).png")
        }
        #expect(fixture.transfers.begun.count == 3)
        fixture.transfers.running[1].end()
        await fixture.rest()
        #expect(fixture.transfers.begun.count == 4)
    }

    @Test func fileInCacheIsNotDownloadedAgain() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.files.cache[Self.url] = "/cache/1/photo.jpg"
        let message = try await come(fixture)
        #expect(try state(fixture, message) == .present("/cache/1/photo.jpg"))
        #expect(fixture.transfers.begun == [])
    }

    @Test func unsavedFileIsExplained() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.files.cache[Self.url] = "/cache/1/photo.jpg"
        fixture.files.problems["file:///full/a"] = .unwritable("No space left on device")
        let message = try await come(fixture)
        #expect(
            await fixture.chat.downloads?.save(message, to: "file:///full/a")
                == "“photo.jpg” can’t be saved (No space left on device). Choose a different folder.")
    }

    // MARK: - Offers

    /// Delivers an offer, shows its message, and returns it.
    private func offered(_ fixture: ChatFixture, isOpen: Bool = true) async throws -> ChatMessage {
        let file = SharedFile(offer: "1", name: "../holiday.png", size: 1000)
        if isOpen { fixture.service.uploads.offers = [try #require(file.url)] }
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .buddy, content: MessageContent(file: file), time: fixture.wall.now,
                    name: file.url)))
        let message = try #require(fixture.store.table.messages(of: ada).last)
        fixture.chat.downloads?.look(at: message)
        await fixture.rest()
        return message
    }

    @Test func offerIsAcceptedOnRequestOnly() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await offered(fixture)
        #expect(try state(fixture, message) == .absent)
        #expect(message.summary == "Picture: holiday.png" && message.file?.host == "")
        let (downloads, direct) = (try #require(fixture.chat.downloads), fixture.service.uploads.transfers)
        #expect(direct.begun == [])
        let saving = Task { await downloads.save(message, to: "file:///home/holiday.png") }
        await fixture.rest()
        direct.running[0].advance(to: 500)
        #expect(try state(fixture, message) == .loading(FileProgress(done: 500, size: 1000)))
        direct.running[0].end()
        #expect(await saving.value == nil)
        #expect(fixture.files.copies == ["/cache/holiday.png to file:///home/holiday.png"])
        #expect(try state(fixture, message) == .present("/cache/holiday.png"))
        #expect(fixture.transfers.begun == [])
    }

    @Test func offerIsDeclinedOrCancelled() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let (downloads, uploads) = (try #require(fixture.chat.downloads), fixture.service.uploads)
        let first = try await offered(fixture)
        downloads.cancel(first)
        #expect(uploads.declined == ["offer:1"])
        #expect(try state(fixture, first) == .failed("You declined the file."))
        downloads.show(first)
        await fixture.rest()
        #expect(uploads.transfers.begun == [])
        let again = try await ChatFixture()
        await again.goOnline()
        let second = try await offered(again)
        let path = Task { await again.chat.downloads?.path(of: second) }
        await again.rest()
        again.chat.downloads?.cancel(second)
        #expect(await path.value == .some(nil))
        await again.rest()
        #expect(again.service.uploads.transfers.running.isEmpty)
        #expect(try state(again, second) == .failed("You declined the file."))
    }

    @Test func endedOfferIsExplained() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let ended = "The file is no longer offered. Ask the sender to send it again."
        let message = try await offered(fixture)
        fixture.service.tell(.offerEnded("offer:1"))
        #expect(try state(fixture, message) == .failed(ended))
        // After a restart, the message is still there.
        let restarted = try await ChatFixture()
        #expect(try state(restarted, try await offered(restarted, isOpen: false)) == .failed(ended))
    }

    @Test(arguments: [
        (
            FileTransferError.incomplete,
            "The transfer ended before the file was complete. Ask the sender to send it again."
        ),
        (.damaged, "The file arrived damaged. Ask the sender to send it again."),
        (.unwritable, "The file can’t be saved. Check the free space of the disk."),
    ])
    func failedOfferIsExplained(_ error: FileTransferError, _ text: String) async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let message = try await offered(fixture)
        let path = Task { await fixture.chat.downloads?.path(of: message) }
        await fixture.rest()
        fixture.service.uploads.transfers.running[0].end(error)
        #expect(await path.value == .some(nil))
        #expect(try state(fixture, message) == .failed(text))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of files that the server does not take, and that are offered directly to the buddy's device.
@MainActor
@Suite struct FileOfferTests {
    /// Returns a phone whose server takes no files, with a buddy who is online.
    private func withoutService(takes: Bool = true) async throws -> ChatFixture {
        let fixture = try await ChatFixture.withFiles()
        fixture.service.uploads.error = .unsupported
        if takes { fixture.service.uploads.takers = [ada, bob] }
        fixture.service.tell(.presence(ada, device: "phone", DevicePresence(.online)))
        await fixture.goOnline()
        return fixture
    }

    @Test func fileIsOfferedToDevice() async throws {
        let fixture = try await withoutService()
        fixture.transfers.metadataSize = 100
        let (uploads, direct) = (try #require(fixture.chat.uploads), fixture.service.uploads.transfers)
        #expect(uploads.obstacle(to: ada) == nil)
        let conversation = try await fixture.open(ada)
        #expect(try await fixture.attach("/home/photo.jpg", "/home/report.pdf") == [])
        #expect(direct.begun == ["photo.jpg 900 image/jpeg"])
        #expect(fixture.transfers.removals == [true])
        let message = try #require(conversation.window.first)
        #expect(uploads.isOffered(message))
        direct.running[0].advance(to: 450)
        #expect(!uploads.isOffered(message) && uploads.progress(of: message)?.fraction == 0.5)
        direct.running[0].end()
        await fixture.rest()
        direct.running[0].end(.declined)
        await fixture.rest()
        #expect(conversation.window.map(\.state) == [.failed("Ada declined the file."), .delivered])
        let sent = try #require(conversation.window.last)
        #expect(sent.file?.isOffer == true && !sent.needsUpload && sent.text == "photo.jpg")
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [], "the device has it")
        #expect(direct.begun.count == 2)
        conversation.correct(sent, to: "text")
        await fixture.rest()
        #expect(conversation.correctable == nil && fixture.service.takeCalls() == [], "a file stays")
    }

    @Test func fileThatDeviceDoesNotConfirmIsSent() async throws {
        let fixture = try await withoutService()
        fixture.service.uploads.confirms = false
        let conversation = try await fixture.open(ada)
        #expect(try await fixture.attach("/home/report.pdf") == [])
        fixture.service.uploads.transfers.running[0].end()
        await fixture.rest()
        #expect(conversation.window.map(\.state) == [.sent])
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [])
    }

    @Test func offerToOfflineBuddyIsExplained() async throws {
        let fixture = try await withoutService(takes: false)
        let reason =
            "Your server does not take files, and Ada is not online with an app that takes them directly."
        #expect(try await fixture.attach("/home/photo.jpg") == [reason])
        fixture.service.tell(.presence(ada, device: "phone", nil))
        #expect(fixture.chat.uploads?.obstacle(to: ada) == "Your server does not take files.")
        // It was attached before the server’s features were known.
        let restarted = try await ChatFixture.withFiles(
            online: false, facts: [.unsent(SharedFile(name: "photo.jpg", path: "/home/photo.jpg"))])
        restarted.service.uploads.error = .unsupported
        await restarted.goOnline()
        #expect(restarted.store.table.messages(of: ada).map(\.state) == [.failed(reason)])
    }

    @Test func tooLargeFileIsOfferedToDevice() async throws {
        let fixture = try await ChatFixture.withFiles()
        fixture.service.uploads.limit = 500
        fixture.service.uploads.takers = [ada]
        await fixture.goOnline()
        #expect(try await fixture.attach("/home/photo.jpg") == [])
        #expect(fixture.service.uploads.transfers.begun == ["photo.jpg 1000 image/jpeg"])
        #expect(fixture.transfers.begun == [])
    }

    @Test func otherUploadsDoNotWaitForAnswers() async throws {
        let fixture = try await withoutService()
        let uploads = try #require(fixture.chat.uploads)
        let buddies = [ada, bob] + (1...3).map { ChatAddress("\($0)@example.org") }
        fixture.service.uploads.takers = Set(buddies)
        for buddy in buddies {
            fixture.service.tell(.buddy(BuddyRecord(buddy, tellsMe: true), version: nil))
            fixture.service.tell(.presence(buddy, device: "phone", DevicePresence(.online)))
        }
        for buddy in buddies { #expect(await uploads.attach(["/home/photo.jpg"], to: buddy) == []) }
        await fixture.rest()
        #expect(fixture.service.uploads.transfers.running.count == 5)
    }

    @Test func offerIsRepeatedAfterOutageAndCancelled() async throws {
        let fixture = try await withoutService()
        let direct = fixture.service.uploads.transfers
        try await fixture.attach("/home/photo.jpg")
        direct.running[0].end(.unreachable)
        await fixture.rest()
        #expect(fixture.store.table.messages(of: ada).map(\.state) == [.waiting])
        await fixture.goOnline()
        #expect(direct.running.count == 1 && direct.begun.count == 2)
        fixture.chat.uploads?.cancel(try #require(fixture.store.table.messages(of: ada).first))
        await fixture.rest()
        #expect(direct.running.isEmpty && fixture.store.table.messages(of: ada).isEmpty)
    }
}

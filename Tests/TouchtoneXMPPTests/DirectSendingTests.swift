// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import TouchtoneFiles
import XCTest

@testable import TouchtoneXMPP

/// Tests of files that are offered directly to a buddy's device, through an independent server.
final class DirectSendingTests: XMPPTestCase {
    /// The file is larger than the server takes, and the program is killed while the buddy decides.
    func testLargeFileReachesBuddyDirectly() throws {
        try onMainActor {
            let (grace, alan) = (try FilePhone("grace"), try FilePhone("alan"))
            let (graceAddress, alanAddress) = (grace.fixture.address, alan.fixture.address)
            try befriend(grace.fixture, alan.fixture)
            let bytes = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
            let path = try grace.write(bytes, "film ä.mkv")
            let sender = grace.fixture.chat
            let problems = try awaited { await sender.uploads?.attach([path], to: alanAddress) }
            XCTAssertEqual(problems, [])
            waitUntil("it is offered") { alan.messages(graceAddress).count == 1 }
            let downloads = try XCTUnwrap(alan.fixture.chat.downloads)
            grace.fixture.restart()
            waitUntil("it is offered again") { alan.messages(graceAddress).count == 2 }
            let message = try XCTUnwrap(alan.messages(graceAddress).last)
            XCTAssertEqual([message.text, message.file?.name], ["film ä.mkv", "film ä.mkv"])
            XCTAssertEqual(message.file?.size, 1_500_000)
            XCTAssertEqual(grace.messages(alanAddress).map(\.state), [.waiting])
            let came = try awaited { await downloads.path(of: message) }
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: XCTUnwrap(came))), bytes)
            waitUntil("the sender knows") { grace.messages(alanAddress).map(\.state) == [.delivered] }
            XCTAssertEqual(alan.messages(graceAddress).count, 2, "no text has come")
            let own = try XCTUnwrap(grace.messages(alanAddress).first)
            let shown = try awaited { [chat = grace.fixture.chat] in await chat.downloads?.path(of: own) }
            XCTAssertEqual(shown, path)
            for phone in [grace, alan] { phone.fixture.end() }
        }
    }

    func testDeclinedFileIsToldAndOfflineBuddyIsExplained() throws {
        try onMainActor {
            let (grace, alan) = (try FilePhone("grace"), try FilePhone("alan"))
            let (graceAddress, alanAddress) = (grace.fixture.address, alan.fixture.address)
            try befriend(grace.fixture, alan.fixture)
            let path = try grace.write(Data(count: 1_100_000), "film.mkv")
            let (sender, name) = (grace.fixture.chat, alanAddress.text)
            _ = try awaited { await sender.uploads?.attach([path], to: alanAddress) }
            waitUntil("it is offered") { alan.messages(graceAddress).count == 1 }
            let message = try XCTUnwrap(alan.messages(graceAddress).first)
            let downloads = try XCTUnwrap(alan.fixture.chat.downloads)
            downloads.look(at: message)
            waitUntil("it is shown") { message.file.map(downloads.state) == .absent }
            downloads.cancel(message)
            waitUntil("the sender knows") {
                if case .failed? = grace.messages(alanAddress).first?.state { true } else { false }
            }
            let row = try XCTUnwrap(sender.buddies.row(of: alanAddress))
            XCTAssertEqual(
                grace.messages(alanAddress).map(\.state), [.failed("\(row.name) declined the file.")])
            alan.fixture.end()
            waitUntil("\(name) is offline") { sender.buddies.row(of: alanAddress)?.availability == .offline }
            let problems = try awaited { await sender.uploads?.attach([path], to: alanAddress) }
            XCTAssertEqual(problems, ["“film.mkv” has 1.1 MB, but your server takes 1 MB at most."])
            grace.fixture.end()
        }
    }

    func testScriptedDeviceGetsBlocksHashAndEnd() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let offer = try Offer("hello", by: desk, to: device)
            XCTAssertEqual(device.actions, ["session-initiate"])
            let request = try XCTUnwrap(device.came.first?.payload)
            let content = try XCTUnwrap(request.child("content"))
            let file = try XCTUnwrap(content.children.first.flatMap { FileDescription($0) })
            XCTAssertEqual([file.name, "\(file.size)", file.mediaType], ["a.txt", "5", "text/plain"])
            XCTAssertEqual(file.hash, .promised)
            XCTAssertEqual(try device.ask(device.acceptance(block: "2")), "")
            XCTAssertEqual(try device.ask(device.acceptance(block: "2")), "unexpected-request")
            waitUntil("it has everything") { device.came.last?.payload?.name == "close" }
            let blocks = device.came.compactMap(\.payload).filter { $0.name == "data" }
            XCTAssertEqual(blocks.map { $0["seq"] }, ["0", "1", "2"])
            let bytes = blocks.flatMap { Base64.decode($0.text) ?? [] }
            XCTAssertEqual(String(decoding: bytes, as: UTF8.self), "hello")
            let checksum = device.came.compactMap { $0.payload?.child("checksum", FileDescription.namespace) }
            XCTAssertEqual(
                checksum.first.flatMap { FileDescription.hash(inChecksum: $0) },
                .known(try SCRAMHash.sha256.hash(Array("hello".utf8))))
            XCTAssertNil(offer.result)
            XCTAssertEqual(try device.ask(device.end("success")), "")
            waitUntil("it is sent") { offer.result != nil }
            XCTAssertEqual(try offer.result?.get(), true)
            XCTAssertEqual(offer.progress, [2, 4, 5])
            // A device that does not end the session may have failed with what it received.
            let second = try Offer("hello", by: desk, to: device)
            let count = device.came.count
            XCTAssertEqual(try device.ask(device.acceptance()), "")
            waitUntil("it has everything") { device.came.count == count + 4 }
            XCTAssertEqual(try device.ask(device.ping()), "", "the last request is answered before")
            desk.clock.advance(by: .seconds(60))
            waitUntil("it is sent") { second.result != nil }
            XCTAssertEqual(try second.result?.get(), false)
            waitUntil("the device knows") { device.actions.last == "session-terminate success" }
        }
    }

    func testHostileAndSilentDevicesEndOffers() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let text = String(repeating: "x", count: 1000)
            let steps: [(@MainActor (RawDevice) throws -> Void, FileTransferError)] = [
                ({ XCTAssertEqual(try $0.ask($0.end("decline")), "") }, .declined),
                ({ XCTAssertEqual(try $0.ask($0.end("success")), "") }, .incomplete),
                ({ XCTAssertEqual(try $0.ask($0.end("nonsense")), "") }, .incomplete),
                ({ XCTAssertEqual(try $0.ask($0.acceptance(stream: "other")), "bad-request") }, .incomplete),
                ({ XCTAssertEqual(try $0.ask($0.acceptance(block: "0")), "bad-request") }, .incomplete),
                (
                    {
                        $0.refuses = "open"
                        XCTAssertEqual(try $0.ask($0.acceptance()), "")
                    }, .incomplete
                ),
                (
                    {
                        $0.refuses = "data"
                        XCTAssertEqual(try $0.ask($0.acceptance()), "")
                    }, .incomplete
                ),
                (
                    {
                        $0.answers = false
                        XCTAssertEqual(try $0.ask($0.acceptance(block: "1")), "")
                        XCTAssertEqual(try $0.ask($0.close()), "")
                    }, .incomplete
                ),
            ]
            for (number, (step, error)) in steps.enumerated() {
                let offer = try Offer(text, by: desk, to: device)
                try step(device)
                XCTAssertEqual(offer.failure(), error, "\(number)")
                (device.refuses, device.answers) = ("", true)
            }
            // Cancelled by the user.
            let cancelled = try Offer(text, by: desk, to: device)
            cancelled.cancel()
            XCTAssertEqual(cancelled.failure(), .cancelled)
            waitUntil("the device knows") { device.actions.last == "session-terminate cancel" }
            // Offline.
            let left = try Offer(text, by: desk, to: device)
            device.session.client.signOut()
            XCTAssertEqual(left.failure(), .incomplete)
            let chat = desk.chat
            XCTAssertFalse(try awaited { await chat.direct.canOffer(to: ChatAddress(device.jid)) })
        }
    }

    func testSilentDeviceIsAskedForSecondsOnly() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let (chat, buddy) = (desk.chat, ChatAddress(device.jid))
            waitUntil("it is online") { !chat.direct.devices.devices(of: device.jid).isEmpty }
            device.session.client.isPaused = true
            let timers = desk.clock.pending
            let answer = Task { await chat.direct.canOffer(to: buddy) }
            waitUntil("it is asked") { desk.clock.pending > timers }
            desk.clock.advance(by: .seconds(5))
            XCTAssertFalse(try awaited { await answer.value })
            device.session.client.isPaused = false
            XCTAssertTrue(try awaited { await chat.direct.canOffer(to: buddy) })
        }
    }

    func testUnansweredOfferEnds() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let other = try RawDevice(to: desk)
            let silent = try Offer("hello", by: desk, to: other)
            XCTAssertEqual(try other.ask(other.ping()), "", "the offer is acknowledged before")
            desk.clock.advance(by: .seconds(600))
            XCTAssertEqual(silent.failure(), .declined)
        }
    }
}

/// Makes two phones each other's buddies.
@MainActor
private func befriend(_ one: RoomFixture, _ other: RoomFixture) throws {
    let (chat, otherChat) = (one.chat, other.chat)
    try awaited { try await chat.add(other.address.text, name: "") }
    waitUntil("one is asked") { otherChat.buddies.requests.map(\.id) == [one.address] }
    try awaited { try await otherChat.add(one.address.text, name: "") }
    waitUntil("they are online") {
        chat.buddies.row(of: other.address)?.availability == .online
            && otherChat.buddies.row(of: one.address)?.availability == .online
    }
}

/// A file that is offered to a device.
@MainActor
private final class Offer {
    private(set) var result: Result<Bool, FileTransferError>?
    private(set) var progress: [Int64] = []
    private var task: Task<Void, Never>?

    init(
        _ text: String, by desk: XMPPAccountFixture, to device: RawDevice, file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        let before = device.offerCount
        let path = "\(try TemporaryFolders.make("touchtone-offer"))/a.txt"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let (chat, transfers, buddy) = (desk.chat, try transfers(), ChatAddress(device.jid))
        waitUntil("it is online", file: file, line: line) {
            !chat.direct.devices.devices(of: device.jid).isEmpty
        }
        XCTAssertTrue(try awaited { await chat.direct.canOffer(to: buddy) }, file: file, line: line)
        task = Task {
            do throws(FileTransferError) {
                let file = try await transfers.open(path, mediaType: "text/plain", removesMetadata: false)
                let isConfirmed = try await chat.direct.offer(
                    file, named: "a.txt", mediaType: "text/plain", to: buddy
                ) { [weak self] in
                    self?.progress.append($0)
                }
                result = .success(isConfirmed)
            } catch {
                result = .failure(error)
            }
        }
        waitUntil("it is offered", file: file, line: line) { device.offerCount == before + 1 }
    }

    func cancel() { task?.cancel() }

    /// Waits for the failure, and returns it.
    func failure(file: StaticString = #filePath, line: UInt = #line) -> FileTransferError? {
        waitUntil("it has ended", file: file, line: line) { result != nil }
        if case .failure(let error)? = result { return error }
        return nil
    }
}

extension RawDevice {
    /// The last offer.
    private var offer: XMLElement? {
        came.compactMap(\.payload).last { $0["action"] == "session-initiate" }
    }

    /// The number of offers so far.
    fileprivate var offerCount: Int { actions.filter { $0 == "session-initiate" }.count }

    private var sid: String { offer?["sid"] ?? "" }

    private var stream: String { offer?.child("content")?.children.last?["sid"] ?? "" }

    /// Returns the request that accepts the last offer.
    fileprivate func acceptance(stream: String? = nil, block: String = "4096") -> String {
        let file = "<file><size>5</size></file>"
        return Wire.session("session-accept", sid, Wire.content(file, stream ?? self.stream, block: block))
    }

    /// Returns the request that ends the last session.
    fileprivate func end(_ reason: String) -> String { Wire.terminate(reason, sid) }

    /// Returns the request that asks whether the last session exists.
    fileprivate func ping() -> String { Wire.session("session-info", sid) }

    fileprivate func close() -> String { Wire.close(stream) }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import TouchtoneFiles
import XCTest

@testable import TouchtoneXMPP

/// Tests of files that a buddy's device offers directly, through an independent server.
final class DirectReceivingTests: XMPPTestCase {
    func testFileIsReceivedOnlyOnRequest() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            XCTAssertEqual(try device.ask(Wire.offer(name: "../a.txt", extra: Wire.hash("hello"))), "")
            waitUntil("it is offered") { desk.came.count == 1 }
            let message = try XCTUnwrap(desk.came.first)
            XCTAssertEqual(message.buddy, ChatAddress(device.jid))
            XCTAssertEqual([message.text, message.file?.name], ["a.txt", "a.txt"])
            XCTAssertEqual(message.file?.size, 5)
            XCTAssertEqual(message.file?.isOffer, true)
            let offer = try XCTUnwrap(desk.offers.first)
            XCTAssert(desk.chat.direct.isOffered(offer))
            // Nothing is taken before the user accepts it.
            XCTAssertEqual(try device.ask(Wire.open()), "not-acceptable")
            XCTAssertEqual(try device.ask(Wire.bytes("hello", 0)), "unexpected-request")
            XCTAssertEqual(device.came.count, 0)
            let acceptance = Acceptance(offer, by: desk.chat.direct)
            waitUntil("it is accepted") { device.actions == ["session-accept"] }
            XCTAssertEqual(
                device.came[0].payload?.child("content")?.children.last?["block-size"], "4096")
            XCTAssertEqual(try device.ask(Wire.open(block: "8192")), "resource-constraint")
            XCTAssertEqual(try device.ask(Wire.open()), "")
            // A block is acknowledged once it is written.
            acceptance.file.isHeld = true
            try device.send(Wire.bytes("hel", 0))
            waitUntil("it is being written") { acceptance.file.isWaiting }
            var answer: String?
            let client = device.session.client
            let (next, target) = (try XMLElementTests.read(Wire.bytes("lo", 1)), device.target)
            Task { answer = (try? await client.request(.set, to: target, next)) == nil ? "" : "payload" }
            XCTAssertEqual(try device.ask(Wire.session("session-info")), "", "the sender's ping overtakes it")
            XCTAssertNil(answer)
            acceptance.file.goOn()
            waitUntil("it is acknowledged") { answer != nil }
            XCTAssertEqual(try device.ask(Wire.close()), "")
            waitUntil("it is saved") { acceptance.file.isFinished && acceptance.result != nil }
            XCTAssertEqual(acceptance.file.text, "hello")
            XCTAssertEqual(acceptance.progress, [3, 5])
            waitUntil("the sender knows") { device.actions.last == "session-terminate success" }
            XCTAssertFalse(desk.chat.direct.isOffered(offer))
            XCTAssertEqual(desk.endedOffers, [])
        }
    }

    func testHashIsAwaitedAndVerified() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let promising = Wire.offer(extra: Wire.promise)
            for (hash, isGood) in [("hello", true), ("hellO", false)] {
                let acceptance = try opened(desk, device, promising)
                XCTAssertEqual(try device.ask(Wire.bytes("hello", 0)), "")
                XCTAssertEqual(try device.ask(Wire.close()), "")
                XCTAssertNil(acceptance.result)
                XCTAssertEqual(try device.ask(Wire.checksum(Wire.hash(hash))), "")
                waitUntil("it has ended") { acceptance.result != nil }
                XCTAssertEqual(acceptance.file.isFinished, isGood)
                let last = "session-terminate \(isGood ? "success" : "media-error")"
                waitUntil("the sender knows") { device.actions.last == last }
            }
            let acceptance = try opened(desk, device, promising)
            XCTAssertEqual(try device.ask(Wire.bytes("hello", 0)), "")
            XCTAssertEqual(try device.ask(Wire.terminate("success")), "")
            XCTAssertEqual(acceptance.failure(), .incomplete, "the hash is missing")
        }
    }

    func testHostileTransfersEndWithReason() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let big = Base64.encode([UInt8](repeating: 1, count: 4097))
            let cases: [([String], String, String, FileTransferError)] = [
                ([Wire.bytes("he", 1)], "unexpected-request", "failed-transport", .damaged),
                (
                    [Wire.bytes("he", 0), Wire.bytes("he", 0)], "unexpected-request", "failed-transport",
                    .damaged
                ),
                ([Wire.data("aGU", 0)], "bad-request", "failed-transport", .damaged),
                ([Wire.data(" aGU=", 0)], "bad-request", "failed-transport", .damaged),
                ([Wire.data("", 0)], "bad-request", "failed-transport", .damaged),
                ([Wire.data(big, 0)], "bad-request", "failed-transport", .damaged),
                ([Wire.bytes("hello!", 0)], "not-acceptable", "media-error", .damaged),
                ([Wire.bytes("hello", 0), Wire.bytes("!", 1)], "not-acceptable", "media-error", .damaged),
                ([Wire.bytes("hell", 0), Wire.close()], "", "failed-transport", .incomplete),
                (
                    [Wire.checksum("<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>AAAA</hash>")],
                    "bad-request",
                    "media-error", .damaged
                ),
                (
                    try [Wire.bytes("hello", 0), Wire.checksum(Wire.hash("x")), Wire.close()], "",
                    "media-error", .damaged
                ),
            ]
            for (steps, condition, reason, error) in cases {
                let acceptance = try opened(desk, device)
                for step in steps.dropLast() { XCTAssertEqual(try device.ask(step), "") }
                XCTAssertEqual(try device.ask(try XCTUnwrap(steps.last)), condition, "\(steps)")
                XCTAssertEqual(acceptance.failure(), error, "\(steps)")
                waitUntil("the sender knows") { device.actions.last == "session-terminate \(reason)" }
                XCTAssertEqual(try device.ask(Wire.bytes("he", 0)), "item-not-found")
            }
            // A sender that does not wait for the disk.
            let acceptance = try opened(desk, device, Wire.offer(size: "<size>1000000</size>"))
            acceptance.file.isHeld = true
            for number in 0..<20 { try device.send(Wire.bytes("he", number)) }
            XCTAssertEqual(acceptance.failure(), .damaged)
            acceptance.file.goOn()
            // A full disk.
            let full = try opened(desk, device)
            full.file.isFull = true
            XCTAssertEqual(try device.ask(Wire.bytes("he", 0)), "item-not-found")
            XCTAssertEqual(full.failure(), .unwritable)
            waitUntil("the sender knows") { device.actions.last == "session-terminate failed-application" }
        }
    }

    func testStrangersAreRefusedLikeByDeviceWithoutFeature() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk, isBuddy: false)
            for text in [
                Wire.offer(), Wire.open(), Wire.bytes("he", 0), Wire.terminate("cancel"), Wire.session("x"),
            ] {
                XCTAssertEqual(try device.ask(text), "service-unavailable")
            }
            XCTAssertEqual(desk.came, [])
        }
    }

    func testMalformedOffersAreRefused() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let long = String(repeating: "x", count: 257)
            let file = "<file><size>5</size></file>"
            for text in [
                Wire.offer(size: ""), Wire.offer(size: "<size>-5</size>"), Wire.offer(size: "<size>x</size>"),
                Wire.offer(size: "<size>99999999999999999999</size>"), Wire.offer(sid: ""),
                Wire.offer(sid: long),
                Wire.session("session-initiate"), Wire.session("session-initiate", "s", "<content name=''/>"),
                Wire.offer(extra: "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>!</hash>"),
            ] { XCTAssertEqual(try device.ask(text), "bad-request", text) }
            XCTAssertEqual(device.came.count, 0)
            let voice =
                "<content creator='initiator' name='v' senders='initiator'>"
                + "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/></content>"
            for (text, reason) in [
                (Wire.offer(senders: "responder"), "unsupported-applications"),
                (Wire.session("session-initiate", "s1", voice), "unsupported-applications"),
                (
                    Wire.session("session-initiate", "s1", Wire.content(file) + Wire.content(file)),
                    "unsupported-applications"
                ), (Wire.offer(block: "0"), "unsupported-transports"),
                (Wire.offer(stream: long), "unsupported-transports"),
                (
                    Wire.offer().replacingOccurrences(of: "transports:ibb", with: "transports:s5b"),
                    "unsupported-transports"
                ), (Wire.offer(size: "<size>0</size>"), "decline"),
                (Wire.offer(size: "<size>4294967297</size>"), "decline"),
            ] {
                XCTAssertEqual(try device.ask(text), "", text)
                waitUntil("it is refused") { device.actions.last == "session-terminate \(reason)" }
            }
            XCTAssertEqual(desk.came, [])
            for text in [
                Wire.session("session-accept"), Wire.session("session-info"), Wire.terminate("success"),
            ] {
                XCTAssertEqual(try device.ask(text), "item-not-found")
            }
        }
    }

    func testOffersAreBounded() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            for number in 1...20 {
                XCTAssertEqual(try device.ask(Wire.offer(sid: "s\(number)", stream: "b\(number)")), "")
            }
            XCTAssertEqual(try device.ask(Wire.offer(sid: "s1")), "unexpected-request")
            XCTAssertEqual(device.came.count, 0)
            XCTAssertEqual(try device.ask(Wire.offer(sid: "s21", stream: "b21")), "")
            waitUntil("it is refused") { device.actions == ["session-terminate busy"] }
            XCTAssertEqual(Set(desk.offers).count, 20)
            // A stream belongs to one session.
            XCTAssertEqual(try device.ask(Wire.terminate("cancel", "s20")), "")
            XCTAssertEqual(try device.ask(Wire.offer(sid: "s22", stream: "b1")), "")
            waitUntil("it is refused") { device.actions.count == 2 }
            XCTAssertEqual(desk.endedOffers, [desk.offers[19]])
        }
    }

    func testEndedTransfersLeaveNothing() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            // Cancelled by the user.
            let cancelled = try opened(desk, device)
            cancelled.cancel()
            XCTAssertEqual(cancelled.failure(), .cancelled)
            waitUntil("the sender knows") { device.actions.last == "session-terminate cancel" }
            // Declined by the user.
            XCTAssertEqual(try device.ask(Wire.offer()), "")
            waitUntil("it is offered") { desk.offers.count == 2 }
            desk.chat.direct.decline(desk.offers[1])
            waitUntil("the sender knows") { device.actions.last == "session-terminate decline" }
            // Cancelled by the sender.
            let ended = try opened(desk, device)
            XCTAssertEqual(try device.ask(Wire.terminate("cancel")), "")
            XCTAssertEqual(ended.failure(), .incomplete)
            // Silent.
            let silent = try opened(desk, device)
            XCTAssertEqual(try device.ask(Wire.bytes("he", 0)), "")
            desk.clock.advance(by: .seconds(60))
            XCTAssertEqual(silent.failure(), .incomplete)
            waitUntil("the sender knows") { device.actions.last == "session-terminate timeout" }
            // Silent after the last byte.
            let complete = try opened(desk, device)
            XCTAssertEqual(try device.ask(Wire.bytes("hello", 0)), "")
            desk.clock.advance(by: .seconds(60))
            waitUntil("it is saved") { complete.file.isFinished }
            waitUntil("the sender knows") { device.actions.last == "session-terminate success" }
            // Offline.
            let left = try opened(desk, device)
            XCTAssertEqual(try device.ask(Wire.offer(sid: "s2", stream: "b2")), "")
            waitUntil("it is offered") { desk.offers.count == 7 }
            device.session.client.signOut()
            XCTAssertEqual(left.failure(), .incomplete)
            waitUntil("the other one is gone, too") { desk.endedOffers.contains(desk.offers[6]) }
            let late = Acceptance(desk.offers[6], by: desk.chat.direct)
            XCTAssertEqual(late.failure(), .offerEnded)
            XCTAssertEqual(device.came.count, device.actions.count)
        }
    }

    func testLostStreamEndsTransfers() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let acceptance = try opened(desk, device)
            XCTAssertEqual(try device.ask(Wire.offer(sid: "s2", stream: "b2")), "")
            waitUntil("it is offered") { desk.offers.count == 2 }
            desk.chat.signOut()
            XCTAssertEqual(acceptance.failure(), .incomplete)
            XCTAssertEqual(desk.endedOffers, [desk.offers[1]])
            waitUntil("the sender knows") {
                device.actions.filter { $0 == "session-terminate cancel" }.count == 2
            }
        }
    }

    /// A file on the disk is complete, or not there.
    func testFileIsWrittenToItsFolderAlone() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            let folder = try TemporaryFolders.make("touchtone-direct")
            let transfers = try transfers()
            for isWhole in [false, true] {
                let before = desk.offers.count
                XCTAssertEqual(try device.ask(Wire.offer(name: "../../b.txt", extra: Wire.hash("hello"))), "")
                waitUntil("it is offered") { desk.offers.count == before + 1 }
                let (offer, chat) = (try XCTUnwrap(desk.offers.last), desk.chat)
                var result: Result<DownloadedFile, any Error>?
                Task {
                    do {
                        let file = try await transfers.create(in: folder, name: "../../b.txt")
                        result = .success(try await chat.direct.receive(offer, into: file) { _ in })
                    } catch {
                        result = .failure(error)
                    }
                }
                waitUntil("it is accepted") { device.actions.last == "session-accept" }
                XCTAssertEqual(try device.ask(Wire.open()), "")
                XCTAssertEqual(try device.ask(Wire.bytes(isWhole ? "hello" : "jello", 0)), "")
                XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder).count, 1)
                XCTAssertEqual(try device.ask(Wire.close()), "")
                waitUntil("it has ended") { result != nil }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                XCTAssertEqual(names, isWhole ? ["b.txt"] : [])
            }
            XCTAssertEqual(try String(contentsOfFile: "\(folder)/b.txt", encoding: .utf8), "hello")
        }
    }
}

/// Offers a file, accepts it, and opens the stream.
@MainActor
private func opened(
    _ desk: XMPPAccountFixture, _ device: RawDevice, _ offer: String = Wire.offer()
) throws -> Acceptance {
    let before = desk.offers.count
    XCTAssertEqual(try device.ask(offer), "")
    waitUntil("it is offered") { desk.offers.count == before + 1 }
    let accepts = device.actions.filter { $0 == "session-accept" }.count
    let acceptance = Acceptance(try XCTUnwrap(desk.offers.last), by: desk.chat.direct)
    waitUntil("it is accepted") {
        device.actions.filter { $0 == "session-accept" }.count == accepts + 1
    }
    XCTAssertEqual(try device.ask(Wire.open()), "")
    return acceptance
}

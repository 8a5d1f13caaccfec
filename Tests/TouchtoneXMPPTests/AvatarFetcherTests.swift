// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneStore
@testable import TouchtoneXMPP

/// Tests of buddies' pictures, published on an independent server, and of invalid ones.
final class AvatarFetcherTests: XMPPTestCase {
    func testPublishedPictureIsShownAndRemoved() throws {
        try onMainActor {
            let (grace, alan, picture) = try desksWithPicture()
            // The same picture is neither requested nor reported again.
            try publish(picture, alan)
            let client = alan.client
            try awaited {
                try await client.publish(
                    XMLElement("metadata", PubSub.avatarMetadata), id: "none", in: PubSub.avatarMetadata)
            }
            waitUntil("it goes") { grace.pictures[alan.address]?.last == .some(nil) }
            XCTAssertEqual(grace.pictures[alan.address], [picture, nil])
        }
    }

    func testCardPictureIsUsedWithoutPublishedOne() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            let picture: [UInt8] = Array("GIF89a and so on".utf8)
            let photo = XMLElement(
                "PHOTO", VCardTemp.namespace, [:],
                [
                    XMLElement("TYPE", VCardTemp.namespace, text: "image/gif"),
                    XMLElement("BINVAL", VCardTemp.namespace, text: Base64.encode(picture)),
                ])
            let client = alan.client
            let card = XMLElement("vCard", VCardTemp.namespace, [:], [photo])
            _ = try awaited { try await client.request(.set, card) }
            let hash = try XCTUnwrap(AvatarFetcher.hash(picture))
            client.send(
                Presence(
                    extensions: [
                        XMLElement(
                            "x", VCardTemp.update, [:], [XMLElement("photo", VCardTemp.update, text: hash)])
                    ]
                ).element)
            waitUntil("it comes") { grace.pictures[alan.address]?.contains(picture) == true }
        }
    }

    func testPictureIsNotRequestedAtNextSignIn() throws {
        try onMainActor {
            let home = NSTemporaryDirectory() + "touchtone-\(UUID())"
            defer { try? FileManager.default.removeItem(atPath: home) }
            let folders = UserFolders(home: home) { _ in nil }
            let (own, alan) = (try account("grace"), try fixture("alan"))
            let picture: [UInt8] = Array("\u{89}PNG and so on".utf8)
            let hash = try XCTUnwrap(AvatarFetcher.hash(picture))
            let folder = try XCTUnwrap(AvatarFetcher.hash(Array("grace".utf8)))
            let path = "\(folders.cache)/avatars/\(folder)/\(hash)"
            /// Signs in as a new run of the program, and waits for the picture.
            @MainActor
            func run(_ what: String, _ body: @MainActor (XMPPAccountFixture) throws -> Void = { _ in }) throws
            {
                let files = AvatarFiles(folders)
                files.account = "grace"
                let grace = XMPPAccountFixture(own, pictures: files)
                waitUntil("she is ready") { grace.readyCount == 1 }
                try body(grace)
                waitUntil(what) { grace.pictures[alan.address] != nil }
                XCTAssertEqual(grace.pictures[alan.address], [picture], what)
                _ = try awaited { await files.picture(named: hash) }
                grace.chat.signOut()
                waitUntil("the stream has ended") { !grace.client.isLeaving }
            }
            try run("it comes from the server") { grace in
                try befriend(grace, alan)
                try publish(picture, alan)
            }
            try Data(picture.dropLast()).write(to: URL(fileURLWithPath: path))
            try run("a damaged one comes from the server")
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: path)), Data(picture))
            // The server announces it still, but has it no more.
            let client = alan.client
            try awaited { try await client.retract(hash, in: PubSub.avatarData) }
            try run("it comes from the disk")
            let items = try awaited {
                try? await client.published(PubSub.avatarData, by: client.account.jid.bare, id: hash)
            }
            XCTAssert(items?.isEmpty ?? true, "the server has it after all")
        }
    }

    func testPictureReturnsWhenUserSignsInAgain() throws {
        try onMainActor {
            let (grace, alan, picture) = try desksWithPicture()
            // Without the account, its buddies and their pictures are forgotten.
            grace.chat.signOut()
            grace.chat.signIn()
            waitUntil("it comes again") { grace.pictures[alan.address] == [picture, picture] }
        }
    }

    func testDamagedStoredPictureIsRequested() throws {
        try onMainActor {
            let fixture = try AvatarFetcherFixture()
            let hash = try XCTUnwrap(AvatarFetcher.hash([5]))
            fixture.cache.kept[hash] = [9]
            fixture.published = [5]
            fixture.pictures.handle(fixture.notice(hash, bytes: 1))
            waitUntil("it comes") { fixture.told == [[5]] }
            XCTAssertEqual(fixture.questions, 1)
            XCTAssertEqual(fixture.cache.kept, [hash: [5]])
        }
    }

    func testMismatchedPictureIsNotShown() throws {
        try onMainActor {
            let fixture = try AvatarFetcherFixture()
            let good: [UInt8] = [1, 2, 3]
            let large = [UInt8](repeating: 7, count: AvatarFetcher.maximumBytes + 1)
            let hash = try XCTUnwrap(AvatarFetcher.hash(good))
            // Content that differs from its hash; too large, as announced or in fact; at a web address; with an invalid
            // identifier. Each belongs to a different buddy, and a valid picture follows, because they are fetched in
            // turn.
            fixture.published = [9, 9, 9]
            fixture.pictures.handle(fixture.notice(hash, bytes: 3, of: "a@localhost"))
            fixture.pictures.handle(fixture.notice(hash, bytes: 3, of: "a@localhost"))
            fixture.answer = {
                $0 == AvatarFetcher.hash(large) ? large : $0 == AvatarFetcher.hash([4]) ? [4] : nil
            }
            fixture.pictures.handle(
                fixture.notice(try XCTUnwrap(AvatarFetcher.hash(large)), bytes: 10, of: "b@localhost"))
            fixture.pictures.handle(
                fixture.notice(hash, bytes: AvatarFetcher.maximumBytes + 1, of: "c@localhost"))
            fixture.pictures.handle(
                fixture.notice(
                    try XCTUnwrap(AvatarFetcher.hash([4])), bytes: 1, url: "https://example.org/track.png",
                    of: "d@localhost"))
            fixture.pictures.handle(fixture.notice("../../x", bytes: 3, of: "e@localhost"))
            fixture.pictures.handle(
                fixture.notice(
                    try XCTUnwrap(AvatarFetcher.hash([4])).uppercased(), bytes: 1, of: "f@localhost"))
            waitUntil("the good one comes") { !fixture.told.isEmpty && fixture.questions >= 3 }
            XCTAssertEqual(fixture.told, [[4]])
            XCTAssertEqual(fixture.questions, 3)
        }
    }

    func testPicturesAreRequestedOneAtATimeAndOnce() throws {
        try onMainActor {
            let fixture = try AvatarFetcherFixture()
            let pictures = (0..<50).map { [UInt8($0)] }
            for picture in pictures {
                let hash = try XCTUnwrap(AvatarFetcher.hash(picture))
                let buddy = "buddy\(picture[0])@localhost"
                for _ in 0..<3 { fixture.pictures.handle(fixture.notice(hash, bytes: 1, of: buddy)) }
            }
            fixture.answer = { hash in pictures.first { AvatarFetcher.hash($0) == hash } }
            waitUntil("all have come") { fixture.told.count == 50 }
            XCTAssertEqual(fixture.questions, 50)
            XCTAssertEqual(fixture.maximumAtOnce, 1)
        }
    }

    func testStoredPictureIsNotRequested() throws {
        try onMainActor {
            let fixture = try AvatarFetcherFixture()
            let hash = try XCTUnwrap(AvatarFetcher.hash([5]))
            fixture.cache.kept[hash] = [5]
            fixture.pictures.handle(fixture.notice(hash, bytes: 1))
            waitUntil("it comes") { fixture.told == [[5]] }
            XCTAssertEqual(fixture.questions, 0)
            fixture.published = [6]
            fixture.pictures.handle(fixture.notice(try XCTUnwrap(AvatarFetcher.hash([6])), bytes: 1))
            waitUntil("the other comes") { fixture.told == [[5], [6]] }
            XCTAssertEqual(fixture.cache.kept.count, 2)
        }
    }
}

@MainActor
private func publish(_ picture: [UInt8], _ fixture: XMPPAccountFixture) throws {
    let hash = try XCTUnwrap(AvatarFetcher.hash(picture))
    let data = XMLElement("data", PubSub.avatarData, text: Base64.encode(picture))
    let info = XMLElement(
        "info", PubSub.avatarMetadata,
        ["id": hash, "bytes": "\(picture.count)", "type": "image/png"])
    let metadata = XMLElement("metadata", PubSub.avatarMetadata, [:], [info])
    let client = fixture.client
    try awaited {
        try await client.publish(data, id: hash, in: PubSub.avatarData)
        try await client.publish(metadata, id: hash, in: PubSub.avatarMetadata)
    }
}

/// A cache in memory.
@MainActor
final class MemoryCache: AvatarStore {
    var account = ""
    var kept: [String: [UInt8]] = [:]
    func picture(named sha1: String) async -> [UInt8]? { kept[sha1] }
    func keep(_ picture: [UInt8], named sha1: String) { kept[sha1] = picture }
    func removeAll() { kept = [:] }
}

/// An avatar fetcher with a server controlled by the test.
@MainActor
private final class AvatarFetcherFixture {
    var published: [UInt8] = []
    var answer: (String) -> [UInt8]? = { _ in nil }
    let cache = MemoryCache()
    private(set) var told: [[UInt8]?] = []
    private(set) var questions = 0
    private(set) var maximumAtOnce = 0
    private var atOnce = 0
    private(set) lazy var pictures = AvatarFetcher(
        AvatarFetcher.Source(
            published: { [unowned self] _, _, id in await published(id) },
            card: { _ throws(RequestError) in throw .timeout }), cache: cache,
        emit: { [unowned self] in told.append($1) })

    init() throws {}

    private func published(_ id: String) async -> [PubSub.Item] {
        let bytes = answer(id) ?? published
        questions += 1
        atOnce += 1
        maximumAtOnce = max(maximumAtOnce, atOnce)
        await Task.yield()
        atOnce -= 1
        let data = XMLElement(
            "data", PubSub.avatarData, text: Base64.encode(bytes))
        return [PubSub.Item(id: id, payload: data)]
    }

    func notice(
        _ hash: String, bytes: Int, url: String? = nil, of buddy: String = "alan@localhost"
    ) -> PubSub.Change {
        let info = XMLElement(
            "info", PubSub.avatarMetadata, ["id": hash, "bytes": "\(bytes)", "type": "image/png", "url": url])
        let metadata = XMLElement("metadata", PubSub.avatarMetadata, [:], [info])
        // The test has written this address.
        guard let owner = JID(buddy) else { preconditionFailure(buddy) }
        return PubSub.Change(
            owner: owner, node: PubSub.avatarMetadata, items: [PubSub.Item(id: hash, payload: metadata)],
            retracted: [], isEmptied: false)
    }
}

extension XMPPAccountFixture {
    /// The reported pictures of each buddy.
    var pictures: [ChatAddress: [[UInt8]?]] {
        var pictures: [ChatAddress: [[UInt8]?]] = [:]
        for case .picture(let buddy, let picture) in events { pictures[buddy, default: []].append(picture) }
        return pictures
    }
}

/// Returns the desks of two buddies, the first of which has the picture that the second has published.
@MainActor
private func desksWithPicture() throws -> (XMPPAccountFixture, XMPPAccountFixture, [UInt8]) {
    let (grace, alan) = try desks()
    try befriend(grace, alan)
    let picture: [UInt8] = Array("\u{89}PNG and so on".utf8)
    try publish(picture, alan)
    waitUntil("it comes") { grace.pictures[alan.address] == [picture] }
    return (grace, alan, picture)
}

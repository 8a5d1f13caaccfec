// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Buddies' pictures, as they publish them, over a server that nobody here wrote, and as they should not be.
final class PictureTests: XMPPTestCase {
    func testAPublishedPictureComesAndGoes() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            let picture: [UInt8] = Array("\u{89}PNG and so on".utf8)
            try publish(picture, alan)
            waitUntil("it comes") { grace.pictures[alan.address] == [picture] }
            // The same again is not asked for again; none is told.
            try publish(picture, alan)
            let client = alan.client
            try awaited {
                try await client.publish(
                    XMLElement("metadata", PubSub.avatarMetadata), id: "none", in: PubSub.avatarMetadata,
                    isPrivate: false)
            }
            waitUntil("it goes") { grace.pictures[alan.address]?.last == .some(nil) }
            XCTAssertEqual(grace.pictures[alan.address], [picture, nil])
        }
    }

    func testAPictureOnACardComesWhereNoneIsPublished() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            let picture: [UInt8] = Array("GIF89a and so on".utf8)
            let photo = XMLElement(
                "PHOTO", Card.namespace, [:],
                [
                    XMLElement("TYPE", Card.namespace, text: "image/gif"),
                    XMLElement("BINVAL", Card.namespace, text: Base64.encode(picture)),
                ])
            let client = alan.client
            let card = XMLElement("vCard", Card.namespace, [:], [photo])
            _ = try awaited { try await client.request(.set, card) }
            let hash = try XCTUnwrap(Pictures.hash(picture))
            client.send(
                Presence(
                    extensions: [
                        XMLElement(
                            "x", Card.update, [:], [XMLElement("photo", Card.update, text: hash)])
                    ]
                ).element)
            waitUntil("it comes") { grace.pictures[alan.address]?.contains(picture) == true }
        }
    }

    func testWhatIsNotWhatItIsSaidToBeIsNotShown() throws {
        try onMainActor {
            let lab = try PictureLab()
            let good: [UInt8] = [1, 2, 3]
            let large = [UInt8](repeating: 7, count: Pictures.mostBytes + 1)
            let hash = try XCTUnwrap(Pictures.hash(good))
            // Other bytes than were told of; too many of them, by their word or in truth; elsewhere on the web; under no
            // name that could be one. One buddy each, and in the end one whose picture is good: they go in turn.
            lab.published = [9, 9, 9]
            lab.pictures.take(lab.notice(hash, bytes: 3, of: "a@localhost"))
            lab.pictures.take(lab.notice(hash, bytes: 3, of: "a@localhost"))
            lab.answer = { $0 == Pictures.hash(large) ? large : $0 == Pictures.hash([4]) ? [4] : nil }
            lab.pictures.take(
                lab.notice(try XCTUnwrap(Pictures.hash(large)), bytes: 10, of: "b@localhost"))
            lab.pictures.take(lab.notice(hash, bytes: Pictures.mostBytes + 1, of: "c@localhost"))
            lab.pictures.take(
                lab.notice(
                    try XCTUnwrap(Pictures.hash([4])), bytes: 1, url: "https://example.org/track.png",
                    of: "d@localhost"))
            lab.pictures.take(lab.notice("../../x", bytes: 3, of: "e@localhost"))
            lab.pictures.take(
                lab.notice(try XCTUnwrap(Pictures.hash([4])).uppercased(), bytes: 1, of: "f@localhost"))
            waitUntil("the good one comes") { !lab.told.isEmpty && lab.questions >= 3 }
            XCTAssertEqual(lab.told, [[4]])
            XCTAssertEqual(lab.questions, 3)
        }
    }

    func testPicturesAreAskedForOneAtATimeAndOnce() throws {
        try onMainActor {
            let lab = try PictureLab()
            let pictures = (0..<50).map { [UInt8($0)] }
            for picture in pictures {
                let hash = try XCTUnwrap(Pictures.hash(picture))
                let buddy = "buddy\(picture[0])@localhost"
                for _ in 0..<3 { lab.pictures.take(lab.notice(hash, bytes: 1, of: buddy)) }
            }
            lab.answer = { hash in pictures.first { Pictures.hash($0) == hash } }
            waitUntil("all have come") { lab.told.count == 50 }
            XCTAssertEqual(lab.questions, 50)
            XCTAssertEqual(lab.mostAtOnce, 1)
        }
    }

    func testAPictureThatIsKeptIsNotAskedFor() throws {
        try onMainActor {
            let lab = try PictureLab()
            let hash = try XCTUnwrap(Pictures.hash([5]))
            lab.cache.kept[hash] = [5]
            lab.pictures.take(lab.notice(hash, bytes: 1))
            waitUntil("it comes") { lab.told == [[5]] }
            XCTAssertEqual(lab.questions, 0)
            lab.published = [6]
            lab.pictures.take(lab.notice(try XCTUnwrap(Pictures.hash([6])), bytes: 1))
            waitUntil("the other comes") { lab.told == [[5], [6]] }
            XCTAssertEqual(lab.cache.kept.count, 2)
        }
    }
}

@MainActor
private func publish(_ picture: [UInt8], _ desk: Desk) throws {
    let hash = try XCTUnwrap(Pictures.hash(picture))
    let data = XMLElement("data", PubSub.avatarData, text: Base64.encode(picture))
    let info = XMLElement(
        "info", PubSub.avatarMetadata,
        ["id": hash, "bytes": "\(picture.count)", "type": "image/png"])
    let metadata = XMLElement("metadata", PubSub.avatarMetadata, [:], [info])
    let client = desk.client
    try awaited {
        try await client.publish(data, id: hash, in: PubSub.avatarData, isPrivate: false)
        try await client.publish(metadata, id: hash, in: PubSub.avatarMetadata, isPrivate: false)
    }
}

/// A cache in memory.
@MainActor
private final class MemoryCache: PictureCache {
    var kept: [String: [UInt8]] = [:]
    func picture(named sha1: String) async -> [UInt8]? { kept[sha1] }
    func keep(_ picture: [UInt8], named sha1: String) { kept[sha1] = picture }
}

/// Pictures from a server that says what the test says.
@MainActor
private final class PictureLab {
    var published: [UInt8] = []
    var answer: (String) -> [UInt8]? = { _ in nil }
    let cache = MemoryCache()
    private(set) var told: [[UInt8]?] = []
    private(set) var questions = 0
    private(set) var mostAtOnce = 0
    private var atOnce = 0
    private(set) lazy var pictures = Pictures(
        Pictures.Source(
            published: { [unowned self] _, _, id in await published(id) },
            card: { _ throws(RequestError) in throw .timeout }), cache: cache,
        tell: { [unowned self] in told.append($1) })

    init() throws {}

    private func published(_ id: String) async -> [PubSub.Item] {
        let bytes = answer(id) ?? published
        questions += 1
        atOnce += 1
        mostAtOnce = max(mostAtOnce, atOnce)
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
        // An address that the test has written.
        guard let owner = JID(buddy) else { preconditionFailure(buddy) }
        return PubSub.Change(
            owner: owner, node: PubSub.avatarMetadata, items: [PubSub.Item(id: hash, payload: metadata)],
            retracted: [], isEmptied: false)
    }
}

extension Desk {
    /// The pictures of each, as they were told.
    var pictures: [ChatAddress: [[UInt8]?]] {
        var pictures: [ChatAddress: [[UInt8]?]] = [:]
        for case .picture(let buddy, let picture) in events { pictures[buddy, default: []].append(picture) }
        return pictures
    }
}

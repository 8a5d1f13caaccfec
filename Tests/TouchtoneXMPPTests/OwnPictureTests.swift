// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the user's own picture: published (XEP-0084), and in the vCard (XEP-0153, XEP-0398).
final class OwnPictureTests: XMPPTestCase {
    /// The beginning of a PNG file of 3 by 2 pixels, which is all that is read.
    private static let picture: [UInt8] =
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3,
            0, 0, 0, 2,
        ]
        + [8, 2, 0, 0, 0]

    func testPictureIsPublishedAndRemoved() throws {
        try onMainActor {
            let (grace, other) = try devices()
            XCTAssert(grace.xmpp.pictures.convertsPictures)
            let chat = grace.chat
            try awaited { try await chat.setPicture(Self.picture) }
            XCTAssertEqual(chat.ownPicture, Self.picture)
            waitUntil("the other device has it") { other.chat.ownPicture == Self.picture }
            // The server has put it into the vCard.
            let client = other.program.client
            let card = try awaited { try await client.card() }
            XCTAssertEqual(card.photo, Self.picture)
            try awaited { try await chat.setPicture(nil) }
            XCTAssertNil(chat.ownPicture)
            waitUntil("the other device has none") { other.chat.ownPicture == nil }
            for fixture in [grace, other] { fixture.end() }
        }
    }

    func testPictureIsPutIntoCardWhereServerDoesNot() throws {
        try onMainActor {
            let (grace, other) = try devices()
            grace.xmpp.pictures.learn([])
            let chat = grace.chat
            try awaited { try await chat.setPicture(Self.picture) }
            XCTAssertEqual(grace.xmpp.context.ownPhoto, OwnPicture(Self.picture)?.hash)
            let client = other.program.client
            let card = try awaited { try await client.card() }
            XCTAssertEqual(card.photo, Self.picture)
            try awaited { try await chat.setPicture(nil) }
            XCTAssertEqual(grace.xmpp.context.ownPhoto, "")
            for fixture in [grace, other] { fixture.end() }
        }
    }

    func testPictureOfOtherDeviceIsFollowedWhereServerDoesNot() throws {
        try onMainActor {
            let (grace, other) = try devices()
            for fixture in [grace, other] { fixture.xmpp.pictures.learn([]) }
            grace.xmpp.pictures.readOwn()
            waitUntil("she has none") { grace.xmpp.context.ownPhoto == "" }
            let chat = other.chat
            try awaited { try await chat.setPicture(Self.picture) }
            waitUntil("the card is read again") {
                grace.xmpp.context.ownPhoto == OwnPicture(Self.picture)?.hash
            }
            for fixture in [grace, other] { fixture.end() }
        }
    }

    func testPresenceSaysThatPicturesAreSupported() {
        XCTAssertEqual(VCardTemp.photoUpdate(nil), XMLElement("x", "vcard-temp:x:update"))
        XCTAssertEqual(VCardTemp.photoUpdate("").children.map(\.name), ["photo"])
    }

    func testOnlyPicturesThatOthersCanShowArePublished() throws {
        try onMainActor {
            let grace = try RoomFixture("grace")
            let chat = grace.chat
            let tooLarge = Self.picture + [UInt8](repeating: 0, count: AvatarFetcher.maximumBytes)
            for wrong in [[], Array("GIF89a and so on, longer than a header".utf8), tooLarge] {
                XCTAssertThrowsError(try awaited { try await chat.setPicture(wrong) })
            }
            XCTAssertNil(chat.ownPicture)
            grace.end()
            waitUntil("she is offline") { chat.state != .online }
            XCTAssertThrowsError(try awaited { try await chat.setPicture(nil) }) {
                XCTAssertEqual($0 as? ChatServiceError, .offline)
            }
        }
    }

    func testMetadataHasSizeOfPicture() throws {
        let picture = try XCTUnwrap(OwnPicture(Self.picture))
        let info = try XCTUnwrap(picture.metadata.children.first)
        XCTAssertEqual(info["width"], "3")
        XCTAssertEqual(info["height"], "2")
        XCTAssertEqual(info["bytes"], "29")
        XCTAssertEqual(info["type"], "image/png")
        XCTAssertEqual(info["id"], AvatarFetcher.hash(Self.picture))
    }

    func testCardKeepsWhatOthersStored() throws {
        let card = try XMLElementTests.read(
            "<vCard xmlns='vcard-temp'><FN>Grace</FN><PHOTO><BINVAL>AAAA</BINVAL></PHOTO><X/></vCard>")
        let new = VCardTemp.setting(Self.picture, in: card)
        XCTAssertEqual(new.children.map(\.name), ["FN", "X", "PHOTO"])
        XCTAssertEqual(VCardTemp(new)?.photo, Self.picture)
        XCTAssertEqual(VCardTemp.setting(nil, in: card).children.map(\.name), ["FN", "X"])
        XCTAssertEqual(VCardTemp.setting(nil, in: nil).children, [])
    }
}

/// Returns two devices of an account that are notified of its pictures.
@MainActor
private func devices() throws -> (RoomFixture, RoomFixture) {
    let grace = try RoomFixture("grace")
    return (grace, try RoomFixture("grace", account: grace.account))
}

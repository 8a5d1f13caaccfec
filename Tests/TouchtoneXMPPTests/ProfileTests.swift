// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of profiles in vCards (XEP-0054), through an independent server.
final class ProfileTests: XMPPTestCase {
    func testProfileIsPublishedAndSeenByOthers() throws {
        try onMainActor {
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            let (own, other, address) = (grace.chat, alan.chat, grace.address)
            XCTAssertEqual(try awaited { try await own.ownProfile() }, Profile())
            try awaited {
                try await own.changeProfile([
                    .name: "Grace <Hopper>", .nickname: "amazing", .company: "Navy", .number: "+1 555",
                    .email: "grace@example.org", .website: "https://example.org/?a&b",
                ])
            }
            var expected = Profile([
                .name: ["Grace <Hopper>"], .nickname: ["amazing"], .company: ["Navy"], .number: ["+1 555"],
                .email: ["grace@example.org"], .website: ["https://example.org/?a&b"],
            ])
            XCTAssertEqual(try awaited { try await own.ownProfile() }, expected)
            XCTAssertEqual(try awaited { try await other.profile(of: address) }, expected)
            try awaited { try await own.changeProfile([.name: "Grace", .number: ""]) }
            (expected.texts[.name], expected.texts[.number]) = (["Grace"], nil)
            XCTAssertEqual(try awaited { try await other.profile(of: address) }, expected)
            XCTAssertEqual(
                try awaited { try await own.profile(of: ChatAddress("nobody@localhost")) }, Profile())
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testOfflineAccountHasNoProfile() throws {
        try onMainActor {
            let grace = try RoomFixture("grace")
            let chat = grace.chat
            grace.end()
            waitUntil("she is offline") { chat.state != .online }
            for request in [
                { _ = try await chat.ownProfile() }, { try await chat.changeProfile([.name: ""]) },
            ]
                as [@MainActor @Sendable () async throws -> Void]
            {
                XCTAssertThrowsError(try awaited { try await request() }) {
                    XCTAssertEqual($0 as? ChatServiceError, .offline)
                }
            }
        }
    }

    func testOnlyChangedTextsAreReplaced() throws {
        let card = try XMLElementTests.read(
            """
            <vCard xmlns='vcard-temp'><FN>Grace</FN><TEL><HOME/><NUMBER>1</NUMBER></TEL>\
            <TEL><NUMBER>2</NUMBER></TEL><ORG><ORGUNIT>Lab</ORGUNIT></ORG><PHOTO><BINVAL>AAAA</BINVAL></PHOTO><X/>\
            </vCard>
            """)
        let new = VCardTemp.setting([.number: "3", .company: "Navy", .website: "w"], in: card)
        XCTAssertEqual(new.children.map(\.name), ["FN", "TEL", "TEL", "ORG", "PHOTO", "X", "URL"])
        XCTAssertEqual(new.child("TEL")?.children.map(\.name), ["HOME", "NUMBER"])
        XCTAssertEqual(new.child("ORG")?.children.map(\.name), ["ORGUNIT", "ORGNAME"])
        XCTAssertEqual(
            VCardTemp(new)?.profile,
            Profile([.name: ["Grace"], .number: ["3", "2"], .company: ["Navy"], .website: ["w"]]))
        XCTAssertEqual(VCardTemp(new)?.photo, [0, 0, 0])
        let less = VCardTemp.setting([.number: "", .name: "", .email: ""], in: card)
        XCTAssertEqual(less.children.map(\.name), ["TEL", "ORG", "PHOTO", "X"])
        XCTAssertEqual(VCardTemp.setting([:], in: nil).children, [])
        // Empty elements are filled in, unless there is a text.
        let empty = try XMLElementTests.read(
            "<vCard xmlns='vcard-temp'><FN/><TEL><FAX/></TEL><TEL><NUMBER>1</NUMBER></TEL></vCard>")
        let filled = VCardTemp.setting([.name: "Grace", .number: "2"], in: empty)
        XCTAssertEqual(filled.children.map(\.name), ["FN", "TEL", "TEL"])
        XCTAssertEqual(VCardTemp(filled)?.profile, Profile([.name: ["Grace"], .number: ["2"]]))
    }

    func testHostileCardsAreBounded() throws {
        let number = "<TEL><NUMBER>5</NUMBER></TEL>"
        let card = try XMLElementTests.read(
            "<vCard xmlns='vcard-temp'><FN> \n</FN><NICKNAME/><TEL/><TEL><NUMBER/></TEL>"
                + "<FN xmlns='x'>other</FN><EMAIL>no child</EMAIL>"
                + String(repeating: number, count: 1000) + "</vCard>")
        let numbers = Array(repeating: "5", count: VCardTemp.maximumTexts)
        XCTAssertEqual(VCardTemp(card)?.profile, Profile([.number: numbers]))
    }
}

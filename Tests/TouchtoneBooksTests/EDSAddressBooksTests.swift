// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import XCTest

/// Tests of the desktop's address books against Evolution Data Server, on the test's own bus.
final class EDSAddressBooksTests: XCTestCase {
    private var bus: DesktopBus?

    override func setUpWithError() throws {
        do {
            let service = "/usr/libexec/evolution-source-registry"
            guard FileManager.default.isExecutableFile(atPath: service) else {
                throw MissingPeer(name: service, package: "evolution-data-server")
            }
            bus = try DesktopBus(hasService: !name.contains("WithoutService"))
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
    }

    override func tearDown() { bus?.end() }

    func testBooksAreReadAndFollowed() throws {
        let bus = try XCTUnwrap(bus)
        let added = try bus.address("add", card("Grace", ["TEL;TYPE=CELL:555-1234", photo]), card("Ada", []))
        let reader = try bus.watch()
        XCTAssertEqual(reader.readLine(), "service")
        let lines = Set((0..<3).compactMap { _ in reader.readLine() })
        XCTAssertEqual(
            lines,
            ["present Grace|tel/mobile/555-1234|true", "photo of Grace: \(jpeg.count)", "present Ada||false"])

        let ids = try bus.address(
            "add", card("Linus", ["TEL;TYPE=HOME:555-0100", "X-JABBER;TYPE=HOME:linus@example.org"]))
        XCTAssertEqual(
            reader.readLine(), "present Linus|tel/home/555-0100,xmpp/home/linus@example.org|false")
        try bus.address("change", try XCTUnwrap(ids.first), card("Linus T.", ["X-SIP:sip:l@example.org"]))
        XCTAssertEqual(reader.readLine(), "present Linus T.|sip/other/sip:l@example.org|false")
        try bus.address("remove", try XCTUnwrap(added.last))
        XCTAssertEqual(reader.readLine(), "gone")
    }

    func testKilledBookReturnsAndRemovedBookDoesNot() throws {
        let bus = try XCTUnwrap(bus)
        try bus.address("add", card("Grace", []))
        let reader = try bus.watch()
        XCTAssertEqual(reader.readLine(), "service")
        XCTAssertEqual(reader.readLine(), "present Grace||false")
        try bus.address("kill")
        XCTAssertEqual(reader.readLine(), "book gone system-address-book")
        XCTAssertEqual(reader.readLine(), "present Grace||false")

        let book = try XCTUnwrap(try bus.address("new", "Work").first)
        XCTAssertEqual(reader.readLine(), "present In Work||false")
        try bus.address("drop", book)
        var line = reader.readLine()
        // A contact added while the book is read may be reported twice.
        while line == "present In Work||false" { line = reader.readLine() }
        XCTAssertEqual(line, "book gone \(book)")
    }

    func testNothingIsStartedWithoutService() throws {
        XCTAssertEqual(try bus?.watch().readLine(), "no service")
    }

    private let photo = "PHOTO;ENCODING=b;TYPE=JPEG:\(Data(jpeg).base64EncodedString())"

    private func card(_ name: String, _ lines: [String]) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "FN:\(name)"] + lines + ["END:VCARD"]).joined(separator: "\r\n")
    }
}

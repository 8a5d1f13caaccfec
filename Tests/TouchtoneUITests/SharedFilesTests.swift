// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of messages with several files, with a text about them, and with a thumbnail.
final class SharedFilesTests: GtkTestCase {
    private static func file(_ name: String, thumbnail: String? = nil) throws -> SharedFile {
        try XCTUnwrap(
            SharedFile(
                received: "https://files.example.org/\(name)", name: name, size: nil, mediaType: nil,
                hash: nil,
                thumbnail: thumbnail))
    }

    @MainActor
    private static func buttons(_ name: String, in widget: Widget) -> [Widget] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == name
                && gtk_widget_is_visible($0) != 0
        }
    }

    /// Three pictures are two beside each other and one below, a text below them, and each is saved on its own.
    func testPicturesOfOneMessageAreGridWithText() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let path = try writePicture()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let files = try ["a.png", "b.png", "c.png"].map { try Self.file($0) }
            for file in files {
                fixture.files.cache[file.url ?? ""] = path
            }
            fixture.files.add(path, mediaType: "image/png")
            fixture.come(MessageContent("Look!", files: files))
            let name = "Grace, \(fixture.time): Look!, a.png, b.png, c.png"
            let row = try XCTUnwrap(fixture.row("Conversation", name), "\(fixture.rows("Conversation"))")
            @MainActor func pictures() -> [Widget] { Self.buttons("Open Picture", in: row) }
            waitUntil("they are shown") { pictures().count == 3 }
            fixture.settle()
            let places = pictures().map { $0.area(in: row) }
            XCTAssertEqual(places[0].y, places[1].y)
            XCTAssertGreaterThan(places[1].x, places[0].x + places[0].width - 1)
            XCTAssertGreaterThan(places[2].y, places[0].y + places[0].height - 1)
            XCTAssertEqual(places[2].x, places[0].x)
            let label = descendants(of: row).first {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
                    && String(cString: gtk_label_get_text($0.cast())) == "Look!"
            }
            XCTAssertGreaterThan(try XCTUnwrap(label).area(in: row).y, places[2].y + places[2].height - 1)
            fixture.navigator.file = FileDialog.Answer(uri: "file:///home/b.png")
            fixture.click(row, button: 3)
            XCTAssertEqual(
                fixture.menuItems.prefix(3), ["Save “a.png”…", "Save “b.png”…", "Save “c.png”…"])
            for key in [GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Return] { fixture.type(key) }
            waitUntil("one is saved") { !fixture.files.copies.isEmpty }
            XCTAssertEqual(fixture.navigator.fileRequests.map(\.newName), ["b.png"])
            fixture.clear()
        }
    }

    func testThumbnailIsShownUntilPictureIsThere() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let path = try writePicture(width: 40, height: 20)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let small = try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
            let file = try Self.file("a.png", thumbnail: small)
            let stranger = ChatAddress("stranger@example.org")
            fixture.come(MessageContent(file: file))
            waitUntil("the download has begun") { !fixture.transfers.running.isEmpty }
            waitUntil("the thumbnail is shown") { fixture.button("Show Picture") != nil }
            fixture.transfers.running[0].end(.damaged)
            fixture.settle()
            let row = fixture.row("Conversation", "Grace")
            XCTAssert(
                fixture.labels(in: row).contains(
                    "The file on the server is not the one that was sent. Ask the sender to send it again."))
            // A click on it tries again.
            fixture.click(fixture.button("Show Picture"))
            waitUntil("the download has begun") { !fixture.transfers.running.isEmpty }
            // That of a stranger is not shown.
            fixture.come(MessageContent(file: try Self.file("b.png", thumbnail: small)), from: stranger)
            fixture.open(stranger)
            fixture.settle()
            XCTAssertEqual(Self.buttons("Show Picture", in: fixture.widget).count, 1, "the key alone")
            fixture.clear()
        }
    }

    /// The words go with the last file, under its picture; what is written meanwhile stays with its conversation.
    func testFilesAreShownBeforeTheyAreSentWithText() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            for name in ["a", "b", "c"] { fixture.files.add("/home/\(name).pdf") }
            let view = fixture.insides.conversation
            view.attach(uris: ["file:///home/a.pdf", "file:///home/b.pdf"])
            waitUntil("they are shown") { fixture.labels(in: fixture.widget).contains("2 files to send") }
            view.attach(uris: ["file:///home/c.pdf"])
            waitUntil("they are shown") { fixture.labels(in: fixture.widget).contains("3 files to send") }
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("Add a caption"))
            fixture.click(fixture.button("Remove b.pdf"))
            fixture.settle()
            fixture.type("Read this")
            fixture.open(MessagePanelFixture.edsger)
            XCTAssertNil(fixture.button("Remove a.pdf"))
            fixture.open()
            fixture.click(fixture.field)
            fixture.sendFiles(2)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "")
            XCTAssertNil(fixture.button("Remove a.pdf"))
            XCTAssertEqual(
                fixture.rows("Conversation"),
                ["you, \(fixture.time): file a.pdf", "you, \(fixture.time): Read this, c.pdf"])
            for _ in 0..<2 {
                waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
                fixture.transfers.running[0].end()
                fixture.settle()
            }
            let texts = fixture.service.calls.compactMap {
                if case .send(let text, _) = $0 { text } else { nil }
            }
            XCTAssertEqual(
                texts,
                ["https://files.example.org/1/a.pdf", "Read this\nhttps://files.example.org/2/c.pdf"])
            // Escape removes them all.
            view.attach(uris: ["file:///home/a.pdf"])
            waitUntil("it is shown") { fixture.button("Remove a.pdf") != nil }
            fixture.settle()
            fixture.type(GDK_KEY_Escape)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertNil(fixture.button("Remove a.pdf"))
            XCTAssertEqual(fixture.rows("Conversation").count, 2)
            fixture.clear()
        }
    }
}

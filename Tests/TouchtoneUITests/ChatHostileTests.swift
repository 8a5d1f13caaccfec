// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of hostile messages: they are shown literally, and break nothing.
final class ChatHostileTests: GtkTestCase {
    func testTextIsNeverMarkup() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            for text in [
                "<b>bold</b> <span size='999999'>x", "&amp; &#x41; &lt;",
                "<a href=\"file:///etc/passwd\">click</a>",
                "]]> <!-- ' \" `", "https://a.example/?a=1&b=<script>", "%s %n %p",
            ] {
                fixture.come(text)
                fixture.settle()
                let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): \(text)"), text)
                XCTAssert(fixture.labels(in: row).contains(text), "\(fixture.labels(in: row))")
            }
            fixture.clear()
        }
    }

    func testControlCharactersAreShownWithoutEffect() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("a\u{0}b\u{7}c\u{1b}[31md\u{7f}e\u{9b}f\r\nnext")
            fixture.settle()
            let row = try XCTUnwrap(fixture.rows("Conversation").first)
            XCTAssert(
                row.hasPrefix("Grace, \(fixture.time): a\u{2400}b\u{2407}c\u{241b}[31md\u{2421}e\u{fffd}f"),
                row)
            XCTAssert(row.hasSuffix("next"), row)
            fixture.clear()
        }
    }

    func testNameCannotChangeTextDirection() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let name = "Gr\u{202e}ace\u{2066}\n<b>" + String(repeating: "x", count: 100_000)
            fixture.service.tell(
                .buddy(
                    BuddyRecord(MessagePanelFixture.grace, name: name, tellsMe: true, toldByMe: true),
                    version: "2"))
            fixture.service.tell(
                .presence(
                    MessagePanelFixture.grace, device: "desk",
                    DevicePresence(.online, status: "\u{202e}\n" + String(repeating: "y", count: 100_000))))
            waitUntil("the name is shown") {
                fixture.rows("Buddies").contains { $0.hasPrefix("Grace <b>xxx") }
            }
            fixture.open()
            fixture.come("hello")
            fixture.settle()
            for text in fixture.rows("Buddies") + fixture.rows("Conversation")
                + fixture.labels(in: fixture.widget)
            {
                XCTAssertLessThan(text.unicodeScalars.count, 400)
                XCTAssertFalse(text.unicodeScalars.contains("\u{202e}"))
            }
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), 430)
            fixture.clear()
        }
    }

    func testLongMessageIsFoldedAndExpandsInParts() throws {
        try onMainActor {
            for text in [
                String(repeating: "x", count: 100_000), String(repeating: "word ", count: 20_000),
                String(repeating: "a\n", count: 5_000), "e" + String(repeating: "\u{301}", count: 100_000),
                String(repeating: "👩‍👩‍👧‍👦", count: 4_000),
            ] {
                let fixture = try MessagePanelFixture()
                fixture.meet()
                fixture.open()
                fixture.come(text)
                fixture.come("after")
                fixture.settle()
                XCTAssertLessThanOrEqual(fixture.rows("Conversation").count, 2)
                XCTAssertLessThan(fixture.rows("Conversation")[0].unicodeScalars.count, 1300)
                let list = try XCTUnwrap(fixture.list("Conversation"))
                XCTAssertLessThan(gtk_widget_get_allocated_height(list), 2500)
                fixture.click(try XCTUnwrap(fixture.fold("Show All")))
                fixture.settle()
                XCTAssertNil(fixture.fold("Show All"))
                fixture.type(GDK_KEY_End)
                fixture.settle()
                // The last part is above. The number of additional parts that fit depends on the font.
                XCTAssertGreaterThan(fixture.rows("Conversation").count, 1)
                XCTAssertLessThan(fixture.rows("Conversation").count, 60)
                XCTAssertEqual(fixture.rows("Conversation").last, "Grace, \(fixture.time): after")
                fixture.click(try XCTUnwrap(fixture.fold("Show Less")))
                fixture.settle()
                XCTAssertLessThanOrEqual(fixture.rows("Conversation").count, 2)
                fixture.clear()
            }
        }
    }

    func testPartsOfLongTextAddUpToText() {
        for text in [
            String(repeating: "word and another\n", count: 900), String(repeating: "x", count: 10_000), "",
            "short",
            String(repeating: "👩‍👩‍👧‍👦", count: 1_000), "e" + String(repeating: "\u{301}", count: 5_000),
            String(repeating: "ab\r\n", count: 3_000),
        ] {
            let parts = LongText.parts(of: text)
            XCTAssertEqual(parts.joined(), text)
            XCTAssert(parts.allSatisfy { $0.unicodeScalars.count <= LongText.maximumScalars })
            XCTAssertEqual(LongText.isLong(text), parts.count > 1)
        }
        // Words and emoji sequences stay whole.
        let words = LongText.parts(of: String(repeating: "word ", count: 2_000))
        XCTAssert(words.allSatisfy { $0.hasSuffix("word ") })
        let families = LongText.parts(of: String(repeating: "👩‍👩‍👧‍👦", count: 1_000))
        XCTAssertEqual(families.map(\.count).reduce(0, +), 1_000)
    }

    func testSelectionIsCopiedAsTyped() {
        let emoticons = try? Emoticons(Array("1F604 :) :-)\n".utf8))
        let body = MessageBody("a :) b https://x.example/ü c", emoticons: emoticons ?? .none)
        let shown = body.markup
        XCTAssert(
            shown.hasPrefix("a \u{1F604} b \u{2066}<a href=\"0\">https://x.example/ü</a>\u{2069} c"), shown)
        XCTAssertEqual(body.typed(for: 0..<5), "a :) b")
        XCTAssertEqual(body.typed(for: 2..<3), ":)")
        XCTAssertEqual(body.typed(for: 5..<12), " https")
        XCTAssertEqual(body.typed(for: 0..<100), "a :) b https://x.example/ü c")
        XCTAssertEqual(body.shown, "a \u{1F604} b https://x.example/ü c")
    }

    func testPicturesOfStrangersAreReadWithBounds() throws {
        try onMainActor {
            let good = try XCTUnwrap(png(width: 40, height: 30))
            let large = try XCTUnwrap(png(width: 2100, height: 8))
            var lying = good
            // The width in the file header, set to 65,536.
            lying.replaceSubrange(16..<20, with: [0, 1, 0, 0])
            for (bytes, isGood) in [
                (good, true), (large, false), (lying, false), (Array(good.prefix(60)), false), ([], false),
                (Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8), false),
                ([0x89, 0x50, 0x4e, 0x47] + [UInt8](repeating: 0xff, count: 2000), false),
                // What follows the end is cut off.
                (good + [UInt8](repeating: 0, count: 1 << 20), true),
                (good + [UInt8](repeating: 0, count: 2 << 20), false),
            ] {
                let read = Variable<Picture??>(nil)
                Picture.read(bytes, side: 22, scale: 2) { read.value = .some($0) }
                waitUntil("it is read") { read.value != nil }
                let picture = read.value.flatMap { $0 }
                XCTAssertEqual(picture != nil, isGood, "\(bytes.count) bytes")
                if let picture { XCTAssertEqual(cairo_image_surface_get_width(picture.surface), 44) }
            }
        }
    }
}

/// Returns a picture file.
@MainActor
func png(width: gint, height: gint) -> [UInt8]? {
    guard let pixels = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    gdk_pixbuf_fill(pixels, 0x2266_aaff)
    var (bytes, count): (UnsafeMutablePointer<CChar>?, gsize) = (nil, 0)
    guard gdk_pixbuf_save_to_bufferv(pixels, &bytes, &count, "png", nil, nil, nil) != 0, let bytes else {
        return nil
    }
    defer { g_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
}

extension MessagePanelFixture {
    /// Returns the key that expands or collapses a message, if it is visible.
    func fold(_ name: String) -> Widget? {
        guard let list = list("Conversation") else { return nil }
        return descendants(of: list).first {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == name
                && gtk_widget_get_mapped($0) != 0 && isSeen($0, in: list)
        }
    }
}

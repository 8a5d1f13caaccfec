// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the text of past calls in the call log.
final class KeptTextTests: GtkTestCase {
    fileprivate static let text = KeptCallText(lines: [
        .init(.farEnd, "Hello"), .init(.farEnd, "<b>\u{202E}there"), .init(.own, "Hi Grace"),
    ])

    func testMouseOpensTextOfItsCall() throws {
        try onMainActor {
            let fixture = try CallsPageFixture.withText()
            let row = try XCTUnwrap(fixture.row("Calls", "Grace, incoming"))
            XCTAssert(fixture.description(of: row).contains("with text"), fixture.description(of: row))
            let keys = descendants(of: fixture.widget).filter {
                accessibleName(of: $0) == "Show Text" && gtk_widget_is_visible($0) != 0
            }
            XCTAssertEqual(keys.count, 1, "only calls with text have the key")
            fixture.click(keys.first)
            fixture.settle()
            XCTAssertEqual(
                fixture.textLines, ["Grace: Hello", "Grace: <b>there", "you: Hi Grace"])
            let labels = fixture.texts
            XCTAssertEqual(labels.count { $0 == "you" }, 1)
            XCTAssertFalse(labels.contains("There was more text than is kept of a call."))
            fixture.click(fixture.button("Copy All"))
            XCTAssertEqual(fixture.clipboard, "Grace: Hello\nGrace: <b>\u{202E}there\nyou: Hi Grace")
            fixture.settle()
            XCTAssertEqual(fixture.textLines, [])
            XCTAssertEqual(fixture.navigator.notes, [])
            fixture.clear()
        }
    }

    func testKeyboardOpensTextAndCopiesLine() throws {
        try onMainActor {
            let fixture = try CallsPageFixture.withText()
            fixture.enter()
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            let items = fixture.menuItems
            let place = try XCTUnwrap(items.firstIndex(of: "Show Text"), "\(items)")
            for _ in 0..<place { fixture.type(GDK_KEY_Down) }
            fixture.type(GDK_KEY_Return)
            waitUntil("the text is shown") { fixture.textLines.count == 3 }
            waitUntil("its first line has the focus") {
                gtk_window_get_focus(fixture.widget.cast()).flatMap { accessibleName(of: $0) }
                    == "Grace: Hello"
            }
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Down)
            fixture.type("c", with: Modifier.control)
            XCTAssertEqual(fixture.clipboard, "Hi Grace")
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssertEqual(fixture.textLines, [])
            // Calls without text have no such item.
            fixture.enter()
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            XCTAssertFalse(fixture.menuItems.contains("Show Text"))
            fixture.type(GDK_KEY_Escape)
            fixture.clear()
        }
    }

    func testCutTextSaysSoAndLongTextFits() throws {
        try onMainActor {
            let lines = (0..<1_000).map { number in
                KeptCallText.Line(number % 2 == 0 ? .own : .farEnd, String(repeating: "W", count: 500))
            }
            let fixture = try CallsPageFixture.withText(KeptCallText(lines: lines, isCut: true))
            let begun = ContinuousClock.now
            fixture.click(fixture.button("Show Text"))
            fixture.settle()
            XCTAssertLessThan(ContinuousClock.now - begun, .seconds(3))
            XCTAssert(fixture.texts.contains("There was more text than is kept of a call."))
            XCTAssertLessThan(fixture.textLines.count, 60, "only some rows are built")
            fixture.clear()
        }
    }

    func testTextIsFoundAndGoesWithItsCall() throws {
        try onMainActor {
            let fixture = try CallsPageFixture.withText()
            fixture.history.text = "hi gr"
            fixture.settle()
            XCTAssertEqual(fixture.calls.count, 1)
            fixture.history.text = ""
            fixture.settle()
            let call = try XCTUnwrap(fixture.history.window.first)
            fixture.enter()
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            XCTAssertNil(fixture.button("Show Text"))
            fixture.clickNotice("Undo")
            fixture.click(fixture.button("Show Text"))
            fixture.settle()
            waitUntil("the text is shown") { fixture.textLines.count == 3 }
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.textLines.isEmpty }
            gtk_test_widget_wait_for_draw(fixture.widget)
            gtk_widget_grab_focus(try XCTUnwrap(fixture.row("Calls", "Grace, incoming")))
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            fixture.clock.advance(by: Toast.time)
            fixture.settle()
            XCTAssertNil(fixture.store.texts[call.id])
            fixture.clear()
        }
    }

    func testLockedPhoneShowsNoText() throws {
        try onMainActor {
            let people = People([])
            people.calls.fill(.made(.incoming, "5550142", name: "Grace", seconds: 60), text: Self.text)
            let fixture = try PhoneWindowFixture(passcode: "1234", directory: people.directory)
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            fixture.act("calls")
            waitUntil("the call is listed") { fixture.row("Calls", "Grace") != nil }
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.click(fixture.button("Show Text"))
            waitUntil("the text is shown") { fixture.row("Text of the call", "Grace: Hello") != nil }
            let line = try XCTUnwrap(fixture.row("Text of the call", "Grace: Hello"))
            let held = GObjectRef(retaining: gtk_widget_get_accessible(line))
            fixture.lock.lock()
            handleEvents()
            let texts = descendants(of: fixture.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map(\.text)
            XCTAssertFalse(texts.contains { $0.contains("Hello") }, "\(texts)")
            let name = atk_object_get_name(held.cast()).map { String(cString: $0) } ?? ""
            XCTAssertFalse(name.contains("Hello"), "assistive tools still read \(name)")
            XCTAssertNil(fixture.button("Show Text"))
            fixture.clear()
        }
    }
}

extension CallsPageFixture {
    /// Returns a page with calls, the newest of which has text.
    fileprivate static func withText(_ text: KeptCallText = KeptTextTests.text) throws -> CallsPageFixture {
        let fixture = try CallsPageFixture(PastCall.some)
        fixture.store.fill(.made(.incoming, "5550142", name: "Grace", seconds: 60), text: text)
        fixture.history.reload()
        fixture.settle()
        return fixture
    }

    /// The lines of the open text, as assistive tools read them.
    fileprivate var textLines: [String] { rows("Text of the call") }
}

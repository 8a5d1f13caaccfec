// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of what can be done with a call that rings, beside answering and declining it.
final class IncomingActionsTests: GtkTestCase {
    func testRingingCallerIsBlockedInMenuOfDecline() throws {
        try onMainActor {
            let (fixture, line, list) = try Self.fixture()
            line.offer("5551234")
            handleEvents()
            gtk_widget_grab_focus(try XCTUnwrap(fixture.shown("Decline")))
            fixture.type(GDK_KEY_Menu)
            waitUntil("the menu is open") { fixture.menuItems == ["Send To…", "Decline and Block"] }
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            waitUntil("the caller is blocked") { list.entries == ["5551234"] }
            XCTAssertEqual(fixture.phone.calls.calls, [])
            XCTAssertTrue(fixture.window.panel.folding.isOpen)
            let notice = "555-1234 can’t call you any more."
            waitUntil("the notice is seen") { fixture.seen.contains(notice) }
            XCTAssertTrue(fixture.window.panel.side.toast.act())
            XCTAssertEqual(list.entries, [])
            fixture.clear()
        }
    }

    func testWaitingCallerIsBlockedAndCallGoesOn() throws {
        try onMainActor {
            let (fixture, line, list) = try Self.fixture()
            fixture.talk("5550100", on: line)
            line.offer("", address: "sip:eve@example.org")
            handleEvents()
            XCTAssertTrue(Self.isOffered(in: fixture))
            g_action_group_activate_action(OpaquePointer(fixture.window.window), "block", nil)
            XCTAssertEqual(list.entries, ["eve@example.org"])
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected])
            XCTAssertFalse(Self.isOffered(in: fixture))
            fixture.clear()
        }
    }

    func testRingingCallIsSentElsewhere() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            let window = OpaquePointer(fixture.window.window)
            XCTAssertEqual(g_action_group_get_action_enabled(window, "send-to"), 0, "no call rings")
            line.offer("5551234")
            g_action_group_activate_action(window, "send-to", nil)
            handleEvents()
            for (text, problem) in [
                ("nobody", "Enter a number, or an address such as name@example.org"),
                ("5551234", "The call can’t go there."), ("112", "The call can’t go there."),
            ] {
                fixture.answer(text)
                waitUntil("\(text) is refused") { fixture.seen.contains(problem) }
                XCTAssertEqual(line.calls[0].diverted, [])
            }
            fixture.answer("555-0100")
            waitUntil("the call is sent") { line.calls[0].diverted.map(\.number.text) == ["5550100"] }
            XCTAssertEqual(fixture.phone.calls.calls, [])
            XCTAssertEqual(fixture.phone.calls.lastEnd?.endReason, .diverted)
            XCTAssertEqual(g_action_group_get_action_enabled(window, "send-to"), 0)
            fixture.clear()
        }
    }

    func testDisplaySaysThatCallsGoElsewhere() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            XCTAssertFalse(fixture.phone.statusText.contains("DIVERT"))
            let target = RemoteParty(DialledNumber("5550100") ?? DialledNumber())
            line.diversion = Diversion(of: .all, to: target, after: .seconds(20))
            fixture.phone.lineStateChanged()
            XCTAssertEqual(fixture.phone.statusText, "DIVERT")
            line.diversion = nil
            fixture.phone.lineStateChanged()
            XCTAssertFalse(fixture.phone.statusText.contains("DIVERT"))
            fixture.clear()
        }
    }

    /// Nobody is blocked without being known, and never emergency services.
    func testOthersCannotBeBlocked() throws {
        try onMainActor {
            let (fixture, line, list) = try Self.fixture()
            XCTAssertFalse(Self.isOffered(in: fixture), "no call rings")
            for number in ["", "112"] {
                line.offer(number)
                XCTAssertFalse(Self.isOffered(in: fixture), number)
                g_action_group_activate_action(OpaquePointer(fixture.window.window), "block", nil)
                XCTAssertNotNil(fixture.phone.calls.incoming)
                fixture.phone.calls.hangUpAll()
            }
            list.save = nil
            line.offer("5551234")
            XCTAssertFalse(Self.isOffered(in: fixture), "the list is locked")
            XCTAssertEqual(list.entries, [])
            fixture.clear()
        }
    }

    @MainActor
    private static func fixture() throws -> (PhoneWindowFixture, ScriptedLine, BlockList) {
        let fixture = try PhoneWindowFixture()
        let list = fixture.phone.calls.blockList
        list.save = { list.entries = $0 }
        fixture.phone.calls.acceptCalls(from: fixture.lines)
        return (fixture, fixture.talkingLine(), list)
    }

    @MainActor
    private static func isOffered(in fixture: PhoneWindowFixture) -> Bool {
        g_action_group_get_action_enabled(OpaquePointer(fixture.window.window), "block") != 0
    }
}

extension PhoneWindowFixture {
    /// Enters a text into the field of the popover, and confirms it.
    fileprivate func answer(_ text: String) {
        let field = gtk_window_get_focus(window.window)
        guard let field, cgtk_instance_is_a(field, gtk_entry_get_type()) != 0 else {
            return XCTFail("no field has the focus")
        }
        gtk_entry_set_text(field.cast(), text)
        gtk_widget_activate(field)
        handleEvents()
    }
}

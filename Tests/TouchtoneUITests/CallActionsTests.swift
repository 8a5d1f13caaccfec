// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the actions on calls of the history.
final class CallActionsTests: GtkTestCase {
    func testClickFillsInNumberWithoutDialling() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.click(try XCTUnwrap(fixture.row("Calls", "555-0100")))
            fixture.click(try XCTUnwrap(fixture.row("Calls", "555-0104")))
            XCTAssertEqual(fixture.navigator.notes, ["enter 5550100", "enter 5550104"])
            fixture.clear()
        }
    }

    func testReturnRecallsAndReturnDials() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.enter()
            fixture.type(GDK_KEY_Return)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.navigator.notes, ["enter 5558675309", "enter 5550104"])
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.navigator.notes.last, "call 5550104")
            // The row recalls again after its call, and after the number was edited.
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.navigator.notes.last, "enter 5550104")
            fixture.phone.press(.tone(.one), by: .pointer)
            fixture.phone.release(by: .pointer)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.navigator.notes.last, "enter 5550104")
            XCTAssertEqual(fixture.navigator.notes.count, 5)
            fixture.clear()
        }
    }

    func testDoubleClickDials() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            let row = try XCTUnwrap(fixture.row("Calls", "555-0100"))
            fixture.click(row)
            fixture.click(row)
            XCTAssertEqual(fixture.navigator.notes.last, "call 5550100")
            fixture.clear()
        }
    }

    func testRowHasKeyToCall() throws {
        try onMainActor {
            let fixture = try CallsPageFixture([
                .made(.incoming, "5550104", minutesAgo: 1, end: .noAnswer),
                .made(.incoming, "", minutesAgo: 2, end: .noAnswer),
            ])
            let keys = fixture.keys(named: "Call")
            XCTAssertEqual(keys.count, 1, "nobody can be called without a number")
            fixture.click(try XCTUnwrap(keys.first))
            XCTAssertEqual(fixture.navigator.notes, ["call 5550104"])
            fixture.clear()
        }
    }

    func testMenuCallsCopiesWritesAndAdds() throws {
        try onMainActor {
            let grace = NewContact(
                ContactCard(
                    name: "Grace",
                    methods: [
                        ContactMethod(.number, "(555) 867-5309"), ContactMethod(.xmpp, "grace@example.org"),
                    ]))
            let fixture = try CallsPageFixture(PastCall.some, people: [grace])
            let items = [
                "Call", "Edit Before Calling", "Message", "Copy Number", "Show Contact", "Block Calls",
                "Delete",
            ]
            for (steps, note) in [
                (1, "call 5558675309"), (2, "enter 5558675309"), (3, "message grace@example.org"),
                (5, "show contact"),
            ] {
                fixture.click(fixture.row("Calls", "Grace, missed"), button: 3)
                XCTAssertEqual(fixture.menuItems, items)
                for _ in 0..<steps { fixture.type(GDK_KEY_Down) }
                fixture.type(GDK_KEY_Return)
                fixture.settle()
                XCTAssertEqual(fixture.navigator.notes.last, note)
            }
            // By the keyboard, and for a party that is no contact, whose number can be texted.
            let unknown = items.map { $0 == "Show Contact" ? "Add to Contacts…" : $0 }
            fixture.enter()
            fixture.type(GDK_KEY_Down)
            for (steps, note) in [(2, "message 5550104"), (4, "add [\"555-0104\"]")] {
                fixture.type(GDK_KEY_F10, with: Modifier.shift)
                XCTAssertEqual(fixture.menuItems, unknown)
                for _ in 0..<steps { fixture.type(GDK_KEY_Down) }
                fixture.type(GDK_KEY_Return)
                fixture.settle()
                XCTAssertEqual(fixture.navigator.notes.last, note)
            }
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            for _ in 0..<3 { fixture.type(GDK_KEY_Down) }
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.clipboard, "555-0104")
            fixture.type(GDK_KEY_Up)
            fixture.type("c", with: Modifier.control)
            XCTAssertEqual(fixture.clipboard, "(555) 867-5309")
            fixture.clear()
        }
    }

    func testCallInProgressBlocksNewCallFromList() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.phone.call(try XCTUnwrap(DialledNumber("5550199")))
            fixture.enter()
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            // The first enabled item is a different one.
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.navigator.notes, ["enter 5558675309"])
            fixture.clear()
        }
    }

    func testCallWithoutNumberCannotBeReturned() throws {
        try onMainActor {
            let fixture = try CallsPageFixture([.made(.incoming, "", end: .noAnswer)])
            XCTAssertEqual(fixture.calls.first?.hasPrefix("Unknown caller, missed"), true)
            fixture.enter()
            fixture.type(GDK_KEY_Return)
            fixture.type("c", with: Modifier.control)
            XCTAssertEqual(fixture.navigator.notes, [])
            fixture.clear()
        }
    }

    func testCallerIsBlockedAndUnblocked() throws {
        try onMainActor {
            let calls: [PastCall] = [
                .made(.incoming, "555-0104", end: .blocked), .made(.incoming, "", end: .noAnswer),
            ]
            let fixture = try CallsPageFixture(calls)
            let list = fixture.phone.calls.blockList
            list.save = { list.entries = $0 }
            XCTAssert(fixture.calls.contains { $0.hasPrefix("555-0104, blocked") }, "\(fixture.calls)")
            for (item, entries, notice) in [
                ("Block Calls", ["5550104"], "555-0104 can’t call you any more."),
                ("Unblock Calls", [], "555-0104 can call you again."),
            ] {
                let before = list.entries
                fixture.click(fixture.row("Calls", "555-0104"), button: 3)
                fixture.choose(itemWith: item)
                XCTAssertEqual(list.entries, entries)
                XCTAssertEqual(fixture.notice, notice)
                fixture.clickNotice("Undo")
                XCTAssertEqual(list.entries, before)
                XCTAssertNil(fixture.notice)
                list.entries = ["5550104"]
            }
            fixture.click(fixture.row("Calls", "Unknown caller"), button: 3)
            XCTAssertEqual(fixture.menuItems.suffix(2), ["Block Calls", "Delete"])
            fixture.choose(itemWith: "Block Calls")
            XCTAssertEqual(list.entries, ["5550104"], "a caller without a number cannot be blocked")
            fixture.clear()
        }
    }

    func testDeleteRemovesCallAndNoticeRestoresIt() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.enter()
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            XCTAssertEqual(fixture.calls.count, 4)
            XCTAssertEqual(fixture.notice, "Call deleted.")
            fixture.clickNotice("Undo")
            XCTAssertEqual(fixture.calls.count, 5)
            XCTAssertNil(fixture.notice)
            XCTAssertEqual(fixture.store.deleted.count, 0)
            XCTAssertEqual(fixture.store.forgotten, 0)
            fixture.clear()
        }
    }

    func testDeletedCallIsPurgedWhenNoticeCloses() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.enter()
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            XCTAssertEqual(fixture.store.deleted.count, 1)
            fixture.clock.advance(by: Toast.time)
            fixture.settle()
            XCTAssertEqual(fixture.store.deleted.count, 0)
            XCTAssertEqual(fixture.store.forgotten, 1)
            // The focus is on the next call.
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            XCTAssertEqual(fixture.calls.count, 2)
            XCTAssertEqual(fixture.store.deleted.count, 2, "each has an undo of its own")
            for count in [3, 4] {
                fixture.type("z", with: Modifier.control)
                fixture.settle()
                XCTAssertEqual(fixture.calls.count, count)
            }
            fixture.clear()
        }
    }

    func testPageMenuDeletesAll() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            fixture.click(fixture.button("Calls menu"))
            fixture.chooseFromPopover("Delete All Calls")
            fixture.settle()
            XCTAssertEqual(fixture.calls, [])
            XCTAssertEqual(fixture.notice, "5 calls deleted.")
            fixture.clickNotice("Undo")
            XCTAssertEqual(fixture.calls.count, 5)
            fixture.clear()
        }
    }

    func testAllCallsAreExportedToFile() throws {
        try onMainActor {
            let fixture = try CallsPageFixture(PastCall.some)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            fixture.click(fixture.button("Calls menu"))
            fixture.chooseFromPopover("Export…")
            fixture.settle()
            XCTAssertEqual(fixture.navigator.fileRequests.map(\.newName), ["calls.csv"])
            XCTAssertNil(fixture.notice, "no file was chosen")
            let file = folder.appendingPathComponent("calls.csv")
            fixture.navigator.file = FileDialog.Answer(uri: file.absoluteString)
            fixture.export()
            waitUntil("it is said") { fixture.notice == "Calls exported." }
            let text = try String(contentsOf: file, encoding: .utf8)
            XCTAssertEqual(text.components(separatedBy: "\r\n").count, 7)
            XCTAssert(text.contains("5558675309"))
            fixture.navigator.file = FileDialog.Answer(
                uri: folder.appendingPathComponent("none/calls.csv").absoluteString)
            fixture.export()
            waitUntil("the failure is said") {
                fixture.notice?.hasPrefix("The file can’t be written: ") == true
            }
            fixture.store.trouble = .failed("no")
            fixture.export()
            waitUntil("the failure is said") {
                fixture.notice?.hasPrefix("The calls can’t be read: ") == true
            }
            fixture.clear()
        }
    }
}

extension CallsPageFixture {
    /// Activates the menu action that exports all calls to a file.
    fileprivate func export() {
        guard let actions = gtk_widget_get_action_group(button("Calls menu"), "calls") else { return }
        g_action_group_activate_action(actions, "export", nil)
        settle()
    }

    /// Activates an item of the open popover.
    fileprivate func chooseFromPopover(_ words: String) {
        let found = Variable<Widget?>(nil)
        waitUntil("there is \(words)") {
            found.value = descendants(of: widget).first {
                cgtk_instance_is_a($0, gtk_model_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                    && accessibleName(of: $0) == words
            }
            return found.value != nil
        }
        if let item = found.value { gtk_button_clicked(item.cast()) }
        handleEvents()
    }
}

extension CallsPageFixture {
    /// The visible buttons with a name.
    fileprivate func keys(named name: String) -> [Widget] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                && accessibleName(of: $0) == name
        }
    }
}

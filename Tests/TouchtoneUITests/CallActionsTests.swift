// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// What is done with calls of the history.
final class CallActionsTests: GtkTestCase {
    func testAClickFillsInAndNothingDials() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            let row = try XCTUnwrap(desk.row("Calls", "555-0100"))
            desk.click(row)
            desk.click(row)
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(Set(desk.notes), ["fill in 5550100"])
            desk.clear()
        }
    }

    func testTheMenuCallsCopiesWritesAndAdds() throws {
        try onMainActor {
            let grace = NewContact(
                ContactCard(
                    name: "Grace",
                    ways: [ContactWay(.number, "(555) 867-5309"), ContactWay(.xmpp, "grace@example.org")]))
            let desk = try CallsDesk(PastCall.some, people: [grace])
            let items = [
                "Call", "Put into the Display", "Message", "Copy Number", "Add to Contacts…", "Delete",
            ]
            for (steps, note) in [
                (1, "call 5558675309"), (2, "fill in 5558675309"), (3, "message grace@example.org"),
                (5, "add 5558675309"),
            ] {
                desk.click(desk.row("Calls", "Grace, missed"), button: 3)
                XCTAssertEqual(desk.menuItems, items)
                for _ in 0..<steps { desk.type(GDK_KEY_Down) }
                desk.type(GDK_KEY_Return)
                desk.settle()
                XCTAssertEqual(desk.notes.last, note)
            }
            // By the keyboard, and of somebody without a Jabber address.
            desk.enter()
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_F10, with: Modifier.shift)
            XCTAssertEqual(desk.menuItems, items.filter { $0 != "Message" })
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.clipboard, "555-0104")
            desk.type(GDK_KEY_Up)
            desk.type("c", with: Modifier.control)
            XCTAssertEqual(desk.clipboard, "(555) 867-5309")
            desk.clear()
        }
    }

    func testInACallAnotherIsNotBegunFromTheList() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.isFree.value = false
            desk.enter()
            desk.type(GDK_KEY_F10, with: Modifier.shift)
            // The first that can be taken is another.
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.notes, ["fill in 5558675309"])
            desk.clear()
        }
    }

    func testWhoHasNoNumberIsNotCalled() throws {
        try onMainActor {
            let desk = try CallsDesk([.made(.incoming, "", end: .noAnswer)])
            XCTAssertEqual(desk.calls.first?.hasPrefix("Unknown caller, missed"), true)
            desk.enter()
            desk.type(GDK_KEY_Return)
            desk.type("c", with: Modifier.control)
            XCTAssertEqual(desk.notes, [])
            desk.clear()
        }
    }

    func testDeleteTakesOneAwayAndTheNoticeBringsItBack() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.enter()
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Delete)
            desk.settle()
            XCTAssertEqual(desk.calls.count, 4)
            XCTAssertEqual(desk.notice, "Call deleted.")
            desk.clickNotice("Undo")
            XCTAssertEqual(desk.calls.count, 5)
            XCTAssertNil(desk.notice)
            XCTAssertEqual(desk.store.deleted.count, 0)
            XCTAssertEqual(desk.store.forgotten, 0)
            desk.clear()
        }
    }

    func testWhatIsDeletedIsForgottenAsTheNoticeGoes() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.enter()
            desk.type(GDK_KEY_Delete)
            desk.settle()
            XCTAssertEqual(desk.store.deleted.count, 1)
            desk.clock.pass(Toast.time)
            desk.settle()
            XCTAssertEqual(desk.store.deleted.count, 0)
            XCTAssertEqual(desk.store.forgotten, 1)
            // The keyboard is on the next one.
            desk.type(GDK_KEY_Delete)
            desk.settle()
            desk.type(GDK_KEY_Delete)
            desk.settle()
            XCTAssertEqual(desk.calls.count, 2)
            XCTAssertEqual(desk.store.deleted.count, 2, "each has an undo of its own")
            for count in [3, 4] {
                desk.type("z", with: Modifier.control)
                desk.settle()
                XCTAssertEqual(desk.calls.count, count)
            }
            desk.clear()
        }
    }

    func testTheMenuOfThePageDeletesAll() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            desk.click(desk.button("Calls menu"))
            desk.chooseFromPopover("Delete All Calls")
            desk.settle()
            XCTAssertEqual(desk.calls, [])
            XCTAssertEqual(desk.notice, "5 calls deleted.")
            desk.clickNotice("Undo")
            XCTAssertEqual(desk.calls.count, 5)
            desk.clear()
        }
    }

    func testAllCallsAreWrittenToAFile() throws {
        try onMainActor {
            let desk = try CallsDesk(PastCall.some)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            desk.click(desk.button("Calls menu"))
            desk.chooseFromPopover("Export…")
            desk.settle()
            XCTAssertEqual(desk.notes, ["ask calls.csv"])
            XCTAssertNil(desk.notice, "no file was chosen")
            let file = folder.appendingPathComponent("calls.csv")
            desk.file.value = file.absoluteString
            desk.export()
            waitUntil("it is said") { desk.notice == "The calls are in the file." }
            let text = try String(contentsOf: file, encoding: .utf8)
            XCTAssertEqual(text.components(separatedBy: "\r\n").count, 7)
            XCTAssert(text.contains("5558675309"))
            desk.file.value = folder.appendingPathComponent("none/calls.csv").absoluteString
            desk.export()
            waitUntil("the failure is said") {
                desk.notice?.hasPrefix("The file can’t be written: ") == true
            }
            desk.store.trouble = .failed("no")
            desk.export()
            waitUntil("the failure is said") { desk.notice?.hasPrefix("The calls can’t be read: ") == true }
            desk.clear()
        }
    }
}

extension CallsDesk {
    /// Takes the action of the menu that writes all calls to a file.
    fileprivate func export() {
        guard let actions = gtk_widget_get_action_group(button("Calls menu"), "calls") else { return }
        g_action_group_activate_action(actions, "export", nil)
        settle()
    }

    /// Takes an item of the popover that is open.
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

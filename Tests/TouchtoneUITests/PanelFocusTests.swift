// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that the panel has the focus as soon as one of its pages is opened, and keeps it.
///
/// Otherwise, letters would become digits, and Return would dial.
final class PanelFocusTests: GtkTestCase {
    func testTextTypedRightAfterPageIsOpenedReachesPage() throws {
        try onMainActor {
            for (page, width, isOpen) in PanelPageName.allCases.flatMap({ page in
                [(page, 804, true), (page, 804, false), (page, 380, false)] as [(PanelPageName, gint, Bool)]
            }) {
                let fixture = try PhoneWindowFixture(
                    width: width, panel: isOpen, directory: People().directory)
                fixture.phone.paste("5550100")
                // Without a turn of the main loop, no row is built yet.
                g_action_group_activate_action(OpaquePointer(fixture.window.window), page.rawValue, nil)
                XCTAssertTrue(fixture.window.panel.side.hasFocus, "\(page) \(width) \(isOpen)")
                fixture.type("grace")
                fixture.type(GDK_KEY_Return)
                XCTAssertEqual(fixture.display, "555-0100", "\(page) \(width) \(isOpen)")
                XCTAssertEqual(fixture.line.numbers, [], "\(page) \(width) \(isOpen)")
                XCTAssertEqual(fixture.tones.tones, [])
                fixture.clear()
            }
        }
    }

    func testContactsPageStartsInItsSearch() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.act("contacts")
            fixture.type("ed")
            let search = try XCTUnwrap(fixture.find("Search contacts", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "ed")
            waitUntil("only he is listed") { fixture.rows("Contacts").count == 1 }
            fixture.act("contacts")
            XCTAssertEqual(gtk_widget_has_focus(search), 0, "the shortcut goes on to the rows")
            XCTAssertTrue(fixture.window.panel.side.hasFocus)
            fixture.clear()
        }
    }

    func testPagesWithoutRowsKeepFocus() throws {
        try onMainActor {
            for page in PanelPageName.allCases {
                let fixture = try PhoneWindowFixture(panel: false)
                fixture.phone.paste("5550100")
                fixture.act(page.rawValue)
                for _ in 0..<3 {
                    fixture.type("grace")
                    handleEvents()
                }
                XCTAssertTrue(fixture.window.panel.side.hasFocus, "\(page)")
                XCTAssertEqual(fixture.display, "555-0100")
                XCTAssertEqual(fixture.tones.tones, [])
                fixture.clear()
            }
        }
    }

    func testPanelKeepsFocusWhenFocusedWidgetGoes() throws {
        try onMainActor {
            let people = People([NewContact(ContactCard(name: "Grace Hopper"))])
            let fixture = try PhoneWindowFixture(directory: people.directory)
            fixture.phone.paste("5550100")
            fixture.act("contacts")
            waitUntil("she is listed") { fixture.rows("Contacts").count == 1 }
            fixture.enter("Contacts")
            let contact = try XCTUnwrap(people.book.rows.first)
            people.book.delete([contact])
            waitUntil("she is gone") { people.book.rows.isEmpty }
            handleEvents()
            fixture.type("7")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.display, "555-0100")
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.act("phone")
            fixture.type("1")
            XCTAssertEqual(fixture.display, "(555) 010-01")
            fixture.clear()
        }
    }

    func testNothingIsSentWhileConversationIsOpened() throws {
        try onMainActor {
            let service = FakeChatService()
            service.numbers.found = ChatAddress("sms.example.org")
            let fixture = try PhoneWindowFixture(account: service)
            fixture.chat.select(.operatorAddress)
            waitUntil("there is a field") { fixture.find("Message", ATK_ROLE_TEXT) != nil }
            fixture.phone.paste("+15558675309")
            g_action_group_activate_action(OpaquePointer(fixture.window.window), "message", nil)
            XCTAssertTrue(fixture.window.panel.side.hasFocus)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, [])
            waitUntil("its conversation is open") {
                fixture.chat.selected?.buddy == ChatAddress("+15558675309@sms.example.org")
            }
            let number = fixture.display
            fixture.type("hello")
            XCTAssertEqual(fixture.display, number)
            fixture.clear()
        }
    }
}

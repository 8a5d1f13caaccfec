// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The panel, beside the phone and in its place.
final class PanelTests: GtkTestCase {
    func testTheMessagesKeyAndF9FoldThePanelAndTheSettingRemembers() throws {
        try onMainActor {
            let desk = try Desk()
            XCTAssert(desk.window.panel.folding.isOpen)
            desk.act("panel")
            XCTAssertFalse(desk.window.panel.folding.isOpen)
            XCTAssertFalse(desk.settings[flag: "panel-visible"])
            desk.click("Messages")
            XCTAssert(desk.window.panel.folding.isOpen)
            XCTAssert(desk.settings[flag: "panel-visible"])
            desk.clear()
        }
    }

    func testAChangeFromOutsideIsFollowed() throws {
        try onMainActor {
            let desk = try Desk()
            desk.settings[flag: "panel-visible"] = false
            waitUntil("the panel is closed") { !desk.window.panel.folding.isOpen }
            let messages = try XCTUnwrap(desk.find("Messages"))
            XCTAssertEqual(gtk_toggle_button_get_active(messages.cast()), 0)
            desk.clear()
        }
    }

    func testTheWindowGrowsAndShrinksByThePanelAndThePhoneKeepsItsPlace() throws {
        try onMainActor {
            let desk = try Desk()
            let key = try XCTUnwrap(desk.find("5"))
            let before = gtk_widget_get_allocated_width(key)
            let wide = gtk_widget_get_allocated_width(desk.widget)
            desk.act("panel")
            waitUntil("the window is narrower") { gtk_widget_get_allocated_width(desk.widget) < wide - 200 }
            XCTAssertEqual(gtk_widget_get_allocated_width(key), before)
            desk.act("panel")
            waitUntil("the window is as wide as before") {
                gtk_widget_get_allocated_width(desk.widget) == wide
            }
            XCTAssertEqual(gtk_widget_get_allocated_width(key), before)
            desk.clear()
        }
    }

    func testANarrowWindowShowsThePhoneFirstAndThePanelAsAPage() throws {
        try onMainActor {
            let desk = try Desk(width: 380)
            waitUntil("the window is folded") { desk.window.panel.folding.isFolded }
            XCTAssertFalse(desk.window.panel.folding.isOpen)
            XCTAssertNotEqual(gtk_widget_get_child_visible(desk.find("5")), 0)
            desk.click("Messages")
            waitUntil("the panel is the page") { desk.window.panel.folding.isOpen }
            let back = try XCTUnwrap(desk.find("Back"))
            XCTAssertNotEqual(gtk_widget_get_visible(back), 0)
            gtk_button_clicked(back.cast())
            waitUntil("the phone is the page") { !desk.window.panel.folding.isOpen }
            XCTAssert(desk.settings[flag: "panel-visible"], "a page is no setting")
            desk.clear()
        }
    }

    func testTheMenuStandsAtTheEndOfItsRowBeforeAndAfter() throws {
        try onMainActor {
            let desk = try Desk()
            let menu = try XCTUnwrap(desk.find("Main menu"))
            let before = left(of: menu, in: desk.widget)
            desk.act("panel")
            waitUntil("the window's buttons are beside the menu") {
                left(of: menu, in: desk.widget) < before - 60
            }
            desk.act("panel")
            waitUntil("the menu is back at the end") { left(of: menu, in: desk.widget) == before }
            desk.clear()
        }
    }

    func testTheMessagesKeyIsLitWhileSomethingIsUnread() throws {
        try onMainActor {
            let desk = try Desk()
            desk.act("panel")
            let key = try XCTUnwrap(desk.find("Messages"))
            desk.receive("hello")
            waitUntil("it is lit") {
                gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread") != 0
            }
            XCTAssertEqual(desk.accessibleDescription(of: key), "1 unread")
            desk.act("panel")
            desk.chat.select(.exchange)
            waitUntil("it is out") {
                gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread") == 0
            }
            desk.clear()
        }
    }

    func testWhatIsTypedInThePanelIsThePanels() throws {
        try onMainActor {
            let desk = try Desk()
            desk.chat.select(.exchange)
            waitUntil("there is a field") { desk.messageField != nil }
            let field = try XCTUnwrap(desk.messageField)
            gtk_widget_grab_focus(field)
            desk.type("555a")
            desk.type(GDK_KEY_BackSpace)
            desk.type(GDK_KEY_a, with: Modifier.control)
            desk.type(GDK_KEY_c, with: Modifier.control)
            XCTAssertEqual(desk.display, "")
            let copied = Variable<String??>(nil)
            Clipboard.read { copied.value = .some($0) }
            waitUntil("the clipboard answers") { copied.value != nil }
            XCTAssertEqual(copied.value, "555")
            // Return on a row opens a conversation, and dials nothing.
            let rows = try XCTUnwrap(
                descendants(of: desk.widget).first { accessibleName(of: $0) == "Buddies" })
            gtk_widget_child_focus(rows, GTK_DIR_TAB_FORWARD)
            desk.phone.paste("123")
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.line.numbers, [])
            XCTAssertEqual(desk.display, "123")
            desk.clear()
        }
    }

    func testAFoldedPanelIsNotBuilt() throws {
        try onMainActor {
            let desk = try Desk(panel: false)
            handleEvents()
            XCTAssertFalse(desk.window.panel.messages.isBuilt)
            desk.act("panel")
            waitUntil("it is built") { desk.window.panel.messages.isBuilt }
            desk.clear()
        }
    }
}

extension Desk {
    /// A message of the Operator's comes.
    fileprivate func receive(_ text: String) {
        service.tell(
            .facts([
                .came(
                    CameMessage(
                        buddy: .exchange, sender: .buddy, text: text,
                        time: ChatTime(milliseconds: 1_315_870_461_000)))
            ]))
    }

    fileprivate func accessibleDescription(of widget: Widget) -> String? {
        atk_object_get_description(gtk_widget_get_accessible(widget)).map { String(cString: $0) }
    }

    /// The field that messages are written in, once it is seen.
    fileprivate var messageField: Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_text_view_get_type()) != 0 && gtk_widget_is_visible($0) != 0
        }
    }
}

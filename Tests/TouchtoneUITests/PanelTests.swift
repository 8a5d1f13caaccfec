// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the panel beside the phone and in its place.
final class PanelTests: GtkTestCase {
    func testMessagesKeyAndF9FoldPanelAndSettingRemembers() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            XCTAssert(fixture.window.panel.folding.isOpen)
            fixture.act("panel")
            XCTAssertFalse(fixture.window.panel.folding.isOpen)
            XCTAssertFalse(fixture.settings[flag: "panel-visible"])
            fixture.click("Messages")
            XCTAssert(fixture.window.panel.folding.isOpen)
            XCTAssert(fixture.settings[flag: "panel-visible"])
            fixture.clear()
        }
    }

    func testBuddiesMayChangeAfterTheWindow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let grace = ChatAddress("grace@example.org")
            fixture.clear()
            fixture.service.tell(
                .buddy(BuddyRecord(grace, name: "Grace", tellsMe: true, toldByMe: true), version: nil))
            waitUntil("the list has the buddy") { fixture.chat.buddies.order.contains(grace) }
            XCTAssertNotNil(fixture.window)
        }
    }

    func testExternalSettingChangeIsFollowed() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.settings[flag: "panel-visible"] = false
            waitUntil("the panel is closed") { !fixture.window.panel.folding.isOpen }
            let messages = try XCTUnwrap(fixture.find("Messages"))
            XCTAssertEqual(gtk_toggle_button_get_active(messages.cast()), 0)
            fixture.clear()
        }
    }

    func testPanelResizesWindowAndPhoneKeepsPlace() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let key = try XCTUnwrap(fixture.find("5"))
            let before = gtk_widget_get_allocated_width(key)
            let wide = gtk_widget_get_allocated_width(fixture.widget)
            fixture.act("panel")
            waitUntil("the window is narrower") {
                gtk_widget_get_allocated_width(fixture.widget) < wide - 200
            }
            XCTAssertEqual(gtk_widget_get_allocated_width(key), before)
            fixture.act("panel")
            waitUntil("the window is as wide as before") {
                gtk_widget_get_allocated_width(fixture.widget) == wide
            }
            XCTAssertEqual(gtk_widget_get_allocated_width(key), before)
            fixture.clear()
        }
    }

    func testNarrowWindowShowsPhoneFirstAndPanelAsPage() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 380)
            waitUntil("the window is folded") { fixture.window.panel.folding.isFolded }
            XCTAssertFalse(fixture.window.panel.folding.isOpen)
            XCTAssertNotEqual(gtk_widget_get_child_visible(fixture.find("5")), 0)
            fixture.click("Messages")
            waitUntil("the panel is the page") { fixture.window.panel.folding.isOpen }
            let back = try XCTUnwrap(fixture.find("Back"))
            XCTAssertNotEqual(gtk_widget_get_visible(back), 0)
            gtk_button_clicked(back.cast())
            waitUntil("the phone is the page") { !fixture.window.panel.folding.isOpen }
            XCTAssert(fixture.settings[flag: "panel-visible"], "a page is no setting")
            fixture.clear()
        }
    }

    func testAltZeroMovesFromPanelToPhone() throws {
        try onMainActor {
            for width: gint in [804, 380] {
                let fixture = try PhoneWindowFixture(width: width)
                fixture.act("contacts")
                waitUntil("the panel is shown") { fixture.window.panel.folding.isOpen }
                waitUntil("the panel has the focus") { fixture.window.panel.side.hasFocus }
                fixture.act("phone")
                XCTAssertFalse(fixture.window.panel.side.hasFocus)
                XCTAssertEqual(
                    fixture.window.panel.folding.isOpen, width == 804, "a page gives way to the phone")
                fixture.type("7")
                XCTAssertEqual(fixture.display, "7")
                fixture.clear()
            }
        }
    }

    func testPagesOfWidePanelStayReadable() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 1560)
            for page in ["calls", "contacts"] {
                fixture.act(page)
                let body = try XCTUnwrap(
                    descendants(of: fixture.widget).first {
                        gtk_widget_get_mapped($0) != 0
                            && gtk_style_context_has_class(gtk_widget_get_style_context($0), "panel-body")
                                != 0
                    }, page)
                waitUntil("\(page) is laid out") { gtk_widget_get_allocated_width(body) > 700 }
                XCTAssertLessThanOrEqual(gtk_widget_get_allocated_width(body), 760, page)
            }
            fixture.clear()
        }
    }

    func testWordsAreInMiddleOfPageKeys() throws {
        try onMainActor {
            defer { setTextScale(1) }
            for scale: gint in [1, 2] {
                setTextScale(scale)
                let fixture = try PhoneWindowFixture(width: 1200)
                waitUntilIdle(rounds: 3)
                gtk_test_widget_wait_for_draw(fixture.widget)
                for (name, word) in [("Messages page", "MESSAGES"), ("Calls page", "CALLS")] {
                    let key = try XCTUnwrap(fixture.find(name))
                    let label = try XCTUnwrap(
                        descendants(of: key).first {
                            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && $0.text == word
                        })
                    let rows = try XCTUnwrap(Ink(of: label).rows)
                    var top: gint = 0
                    gtk_widget_translate_coordinates(label, key, 0, 0, nil, &top)
                    // Twice the distance between the middle of the letters and that of the key.
                    let distance = 2 * Int(top) + rows.lowerBound + rows.upperBound + 1
                    let height = Int(gtk_widget_get_allocated_height(key))
                    XCTAssertLessThanOrEqual(abs(distance - height), 1, "\(word), \(scale): \(rows)")
                }
                fixture.clear()
            }
        }
    }

    func testMenuStaysAtEndOfItsRow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let menu = try XCTUnwrap(fixture.find("Main menu"))
            let before = left(of: menu, in: fixture.widget)
            fixture.act("panel")
            waitUntil("the window's buttons are beside the menu") {
                left(of: menu, in: fixture.widget) < before - 60
            }
            fixture.act("panel")
            waitUntil("the menu is back at the end") { left(of: menu, in: fixture.widget) == before }
            fixture.clear()
        }
    }

    func testMessagesKeyIsLitWhileMessagesAreUnread() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.act("panel")
            let key = try XCTUnwrap(fixture.find("Messages"))
            fixture.receive("hello")
            waitUntil("it is lit") {
                gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread") != 0
            }
            XCTAssertEqual(fixture.accessibleDescription(of: key), "1 unread")
            fixture.act("panel")
            fixture.chat.select(.operatorAddress)
            waitUntil("it is out") {
                gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread") == 0
            }
            fixture.clear()
        }
    }

    func testMessagesKeyIsLitWhileSomebodyAsks() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.act("panel")
            let key = try XCTUnwrap(fixture.find("Messages"))
            let ada = ChatAddress("ada@example.org")
            fixture.service.tell(.request(ada, text: ""))
            XCTAssertEqual(fixture.accessibleDescription(of: key), "1 request")
            XCTAssertNotEqual(gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread"), 0)
            fixture.window.panel.showRequests()
            XCTAssert(fixture.window.panel.folding.isOpen)
            fixture.service.tell(.requestGone(ada))
            XCTAssertEqual(fixture.accessibleDescription(of: key), "")
            fixture.clear()
        }
    }

    func testTextTypedInPanelStaysInPanel() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.chat.select(.operatorAddress)
            waitUntil("there is a field") { fixture.messageField != nil }
            let field = try XCTUnwrap(fixture.messageField)
            gtk_widget_grab_focus(field)
            fixture.type("555a")
            fixture.type(GDK_KEY_BackSpace)
            fixture.type(GDK_KEY_a, with: Modifier.control)
            fixture.type(GDK_KEY_c, with: Modifier.control)
            XCTAssertEqual(fixture.display, "")
            let copied = Variable<String??>(nil)
            Clipboard.read { copied.value = .some($0) }
            waitUntil("the clipboard answers") { copied.value != nil }
            XCTAssertEqual(copied.value, "555")
            // Return on a row opens a conversation, and dials nothing.
            let rows = try XCTUnwrap(
                descendants(of: fixture.widget).first { accessibleName(of: $0) == "Buddies" })
            gtk_widget_child_focus(rows, GTK_DIR_TAB_FORWARD)
            fixture.phone.paste("123")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, [])
            XCTAssertEqual(fixture.display, "123")
            fixture.clear()
        }
    }

    func testFoldedPanelIsNotBuilt() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(panel: false)
            handleEvents()
            XCTAssertFalse(fixture.window.panel.messages.insides != nil)
            fixture.act("panel")
            waitUntil("it is built") { fixture.window.panel.messages.insides != nil }
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Delivers a message from the Operator.
    fileprivate func receive(_ text: String) {
        service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: .operatorAddress, sender: .buddy, text: text,
                        time: ChatTime(milliseconds: 1_315_870_461_000)))
            ]))
    }

    fileprivate func accessibleDescription(of widget: Widget) -> String? {
        atk_object_get_description(gtk_widget_get_accessible(widget)).map { String(cString: $0) }
    }

    /// The message field once it is visible.
    fileprivate var messageField: Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_text_view_get_type()) != 0 && gtk_widget_is_visible($0) != 0
        }
    }
}

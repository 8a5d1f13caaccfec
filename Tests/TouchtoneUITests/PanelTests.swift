// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// The panel, beside the phone and in its place.
final class PanelTests: GtkTestCase {
    func testTheMessagesKeyAndF9FoldThePanelAndTheSettingRemembers() throws {
        try onMainActor {
            let desk = try Desk()
            XCTAssert(desk.window.folding.isOpen)
            desk.act("panel")
            XCTAssertFalse(desk.window.folding.isOpen)
            XCTAssertFalse(desk.settings[flag: "panel-visible"])
            desk.click("Messages")
            XCTAssert(desk.window.folding.isOpen)
            XCTAssert(desk.settings[flag: "panel-visible"])
            desk.clear()
        }
    }

    func testAChangeFromOutsideIsFollowed() throws {
        try onMainActor {
            let desk = try Desk()
            desk.settings[flag: "panel-visible"] = false
            waitUntil("the panel is closed") { !desk.window.folding.isOpen }
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
            waitUntil("the window is folded") { desk.window.folding.isFolded }
            XCTAssertFalse(desk.window.folding.isOpen)
            XCTAssertNotEqual(gtk_widget_get_child_visible(desk.find("5")), 0)
            desk.click("Messages")
            waitUntil("the panel is the page") { desk.window.folding.isOpen }
            let back = try XCTUnwrap(desk.find("Back"))
            XCTAssertNotEqual(gtk_widget_get_visible(back), 0)
            gtk_button_clicked(back.cast())
            waitUntil("the phone is the page") { !desk.window.folding.isOpen }
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
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that the menus that a right click opens are opened by both menu keys as well.
final class MenuKeyTests: GtkTestCase {
    func testMenuKeysOpenMenuOfDisplay() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("5558675309")
            for byMenuKey in [true, false] {
                fixture.askForMenu(byMenuKey: byMenuKey)
                waitUntil("the menu of the display is open") { !fixture.menuItems.isEmpty }
                fixture.type(GDK_KEY_Escape)
                waitUntil("it is closed") { fixture.menuItems.isEmpty }
            }
            fixture.clear()
        }
    }

    func testMenuKeysOpenMenusOfRows() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.chat.send("good morning", to: MessagePanelFixture.grace)
            fixture.settle()
            for (list, item) in [("Buddies", "Open"), ("Conversation", "Copy")] {
                fixture.enter(list)
                for byMenuKey in [true, false] {
                    fixture.askForMenu(byMenuKey: byMenuKey)
                    waitUntil("\(list): the menu is open") { fixture.menuItems.contains(item) }
                    fixture.type(GDK_KEY_Escape)
                    waitUntil("\(list): it is closed") { fixture.menuItems.isEmpty }
                }
            }
            fixture.clear()
        }
    }
}

extension WorkedIn {
    /// Types the Menu key or, otherwise, Shift+F10.
    fileprivate func askForMenu(byMenuKey: Bool) {
        if byMenuKey { type(GDK_KEY_Menu) } else { type(GDK_KEY_F10, with: Modifier.shift) }
    }
}

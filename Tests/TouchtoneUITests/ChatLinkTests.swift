// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Links, copying, and the keyboard in a conversation.
final class ChatLinkTests: GtkTestCase {
    func testLinksAreOpenedByClickAndByKeyboard() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.come("https://example.org/a")
            desk.come("(555) 867-5309")
            desk.settle()
            desk.click(desk.balloon("Grace, \(desk.time): https"))
            desk.settle()
            XCTAssertEqual(desk.links, [.web("https://example.org/a")])
            // By the keyboard: into the list, to the last row, into its links.
            desk.enter("Conversation")
            desk.type(GDK_KEY_End)
            XCTAssertEqual(desk.focusedName, "Grace, \(desk.time): (555) 867-5309")
            desk.type(GDK_KEY_Tab)
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.links.last, .number("5558675309"))
            // On from there the list is left.
            desk.type(GDK_KEY_Tab)
            XCTAssertNil(desk.rows("Conversation").first { $0 == desk.focusedName })
            desk.come("https://example.org/b or 867-5309 or both")
            desk.settle()
            desk.enter("Conversation")
            desk.type(GDK_KEY_End)
            for link in [TextLink.web("https://example.org/b"), .number("8675309")] {
                desk.type(GDK_KEY_Tab)
                desk.type(GDK_KEY_Return)
                desk.settle()
                XCTAssertEqual(desk.links.last, link)
            }
            desk.type(GDK_KEY_Tab, with: Modifier.shift)
            desk.type(GDK_KEY_Tab, with: Modifier.shift)
            XCTAssertEqual(
                desk.focusedName, "Grace, \(desk.time): https://example.org/b or 867-5309 or both")
            desk.clear()
        }
    }

    func testTheEmojiKeyOpensGtksChooser() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.click(desk.button("Emoji"))
            waitUntil("the chooser is there") {
                desk.popovers.contains {
                    String(cString: g_type_name_from_instance($0.cast())) == "GtkEmojiChooser"
                }
            }
            desk.clear()
        }
    }

    func testTabGoesThroughThePanelInAFewSteps() throws {
        try onMainActor {
            let desk = try ChatDesk { try $0.fill(facts: talk(300)) }
            desk.meet()
            desk.open()
            desk.click(desk.field)
            var steps = 0
            repeat {
                desk.type(GDK_KEY_Tab)
                steps += 1
            } while gtk_widget_has_focus(desk.field) == 0 && steps < 40
            XCTAssertLessThan(steps, 16)
            desk.clear()
        }
    }

    func testCopyGivesTheTextAsTyped() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.come("hello :) <b>")
            desk.settle()
            XCTAssertEqual(desk.rows("Conversation"), ["Grace, \(desk.time): hello 😄 <b>"])
            desk.enter("Conversation")
            desk.type("c", with: Modifier.control)
            XCTAssertEqual(desk.clipboard, "hello :) <b>")
            // What is selected alone: the last word, by a double click.
            Clipboard.write("before")
            let balloon = try XCTUnwrap(desk.balloon("Grace"))
            desk.hover(balloon)
            for _ in 0..<3 {
                cxtest_button(1, true)
                cxtest_button(1, false)
            }
            handleEvents()
            desk.type("c", with: Modifier.control)
            XCTAssertEqual(desk.clipboard, "hello :) <b>")
            desk.clear()
        }
    }

    func testTheMenuOfAMessageOffersWhatCanBeDone() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.chat.send("call (555) 867-5309", to: ChatDesk.grace)
            desk.settle()
            let row = try XCTUnwrap(desk.row("Conversation", "you"))
            desk.click(row, button: 3)
            XCTAssertEqual(desk.menuItems, ["Copy", "Open (555) 867-5309", "Correct"])
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.clipboard, "call (555) 867-5309")
            XCTAssertEqual(desk.menuItems, [])
            // By the keyboard, too.
            desk.enter("Conversation")
            desk.type(GDK_KEY_F10, with: Modifier.shift)
            XCTAssertEqual(desk.menuItems, ["Copy", "Open (555) 867-5309", "Correct"])
            desk.type(GDK_KEY_Up)
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.fieldText, "call (555) 867-5309")
            desk.clear()
        }
    }

    func testTheMenuOfABuddyOffersWhatCanBeDone() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.come("hi", from: ChatAddress("stranger@example.org"))
            desk.settle()
            for (name, items) in [
                ("Grace", ["Open", "Rename…", "Remove…", "Block…", "Copy Address"]), ("Operator", ["Open"]),
                ("stranger", ["Open", "Add to Buddies", "Block…", "Copy Address"]),
            ] {
                waitUntil("\(name) is there") { desk.row("Buddies", name) != nil }
                desk.settle()
                desk.click(desk.row("Buddies", name), button: 3)
                XCTAssertEqual(desk.menuItems, items)
                desk.type(GDK_KEY_Escape)
                desk.settle()
            }
            desk.clear()
        }
    }
}

extension ChatDesk {
    /// The popovers that are seen, as assistive tools find them: children of the window.
    var popovers: [Widget] {
        let frame = gtk_widget_get_accessible(widget)
        return (0..<atk_object_get_n_accessible_children(frame)).compactMap { index in
            guard let child = atk_object_ref_accessible_child(frame, index) else { return nil }
            defer { g_object_unref(child) }
            guard cgtk_instance_is_a(child, gtk_accessible_get_type()) != 0,
                let widget = gtk_accessible_get_widget(child.cast()), gtk_widget_is_visible(widget) != 0,
                cgtk_instance_is_a(widget, gtk_popover_get_type()) != 0
            else { return nil }
            return widget
        }
    }
}

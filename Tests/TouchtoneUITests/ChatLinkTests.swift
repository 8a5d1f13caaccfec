// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of links, copying and the keyboard in a conversation.
final class ChatLinkTests: GtkTestCase {
    func testPlaceShowsItsCoordinates() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("geo:52.5163,13.3777;u=10")
            fixture.settle()
            fixture.click(fixture.balloon("Grace, \(fixture.time): 📍 52.5163, 13.3777"))
            fixture.settle()
            let place = try XCTUnwrap(GeoURI("geo:52.5163,13.3777"))
            XCTAssertEqual(fixture.navigator.links, [.place(place)])
            fixture.clear()
        }
    }

    func testClickAndKeyboardOpenLinks() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("https://example.org/a")
            fixture.come("(555) 867-5309")
            fixture.settle()
            fixture.click(fixture.balloon("Grace, \(fixture.time): https"))
            fixture.settle()
            XCTAssertEqual(fixture.navigator.links, [.web("https://example.org/a")])
            // By the keyboard: into the list, to the last row, into its links.
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_End)
            XCTAssertEqual(fixture.focusedName, "Grace, \(fixture.time): (555) 867-5309")
            fixture.type(GDK_KEY_Tab)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.navigator.links.last, .number("5558675309"))
            // The next Tab leaves the list.
            fixture.type(GDK_KEY_Tab)
            XCTAssertNil(fixture.rows("Conversation").first { $0 == fixture.focusedName })
            fixture.come("https://example.org/b or 867-5309 or both")
            fixture.settle()
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_End)
            for link in [TextLink.web("https://example.org/b"), .number("8675309")] {
                fixture.type(GDK_KEY_Tab)
                fixture.type(GDK_KEY_Return)
                fixture.settle()
                XCTAssertEqual(fixture.navigator.links.last, link)
            }
            fixture.type(GDK_KEY_Tab, with: Modifier.shift)
            fixture.type(GDK_KEY_Tab, with: Modifier.shift)
            XCTAssertEqual(
                fixture.focusedName, "Grace, \(fixture.time): https://example.org/b or 867-5309 or both")
            fixture.clear()
        }
    }

    func testEmojiKeyOpensGtkChooser() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.click(fixture.button("Emoji"))
            waitUntil("the chooser is there") {
                fixture.popovers.contains {
                    String(cString: g_type_name_from_instance($0.cast())) == "GtkEmojiChooser"
                }
            }
            fixture.clear()
        }
    }

    func testTabCrossesPanelInFewSteps() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture { try $0.fill(facts: talk(300)) }
            fixture.meet()
            fixture.open()
            fixture.click(fixture.field)
            var steps = 0
            repeat {
                fixture.type(GDK_KEY_Tab)
                steps += 1
            } while gtk_widget_has_focus(fixture.field) == 0 && steps < 40
            XCTAssertLessThan(steps, 16)
            fixture.clear()
        }
    }

    func testCopyReturnsTextAsTyped() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("hello :) <b>")
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["Grace, \(fixture.time): hello 😄 <b>"])
            fixture.enter("Conversation")
            fixture.type("c", with: Modifier.control)
            XCTAssertEqual(fixture.clipboard, "hello :) <b>")
            // Only the selection: the last word, by a double click.
            Clipboard.write("before")
            let balloon = try XCTUnwrap(fixture.balloon("Grace"))
            fixture.hover(balloon)
            for _ in 0..<3 {
                cxtest_button(1, true)
                cxtest_button(1, false)
            }
            handleEvents()
            fixture.type("c", with: Modifier.control)
            XCTAssertEqual(fixture.clipboard, "hello :) <b>")
            fixture.clear()
        }
    }

    func testEncryptedMessageSaysThatItIs() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            for sender in [MessageSender.buddy, .me] {
                fixture.service.tell(
                    .updates([
                        .received(
                            ReceivedMessage(
                                buddy: MessagePanelFixture.grace, sender: sender,
                                content: MessageContent("Use another app", encryption: "OMEMO"),
                                time: fixture.wall.now,
                                name: "1"))
                    ]))
            }
            fixture.settle()
            let note = "sent an encrypted message that this phone can’t read (OMEMO)."
            XCTAssertEqual(
                fixture.rows("Conversation"),
                ["Grace, \(fixture.time): Grace \(note)", "you, \(fixture.time): You \(note)"])
            let row = try XCTUnwrap(fixture.row("Conversation", "you"))
            fixture.click(row, button: 3)
            XCTAssertEqual(
                fixture.menuItems, ["Copy", "Delete for Everyone…", "Delete Here…", "Details…"],
                "nobody can edit what cannot be read")
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(
                fixture.clipboard, "This message is encrypted, and Touchtone can’t read it.")
            fixture.click(fixture.field)
            fixture.type(GDK_KEY_Up)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "")
            fixture.clear()
        }
    }

    func testMessageMenuOffersAvailableActions() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.chat.send("call (555) 867-5309", to: MessagePanelFixture.grace)
            fixture.settle()
            let row = try XCTUnwrap(fixture.row("Conversation", "you"))
            fixture.click(row, button: 3)
            // It still waits to be sent, and so can’t be deleted.
            let items = ["Reply", "Copy", "Open (555) 867-5309", "Forward…", "Edit", "Details…"]
            XCTAssertEqual(fixture.menuItems, items)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.clipboard, "call (555) 867-5309")
            XCTAssertEqual(fixture.menuItems, [])
            // By the keyboard, too.
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            XCTAssertEqual(fixture.menuItems, items)
            fixture.type(GDK_KEY_Up)
            fixture.type(GDK_KEY_Up)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "call (555) 867-5309")
            fixture.clear()
        }
    }

    func testBuddyMenuOffersAvailableActions() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.come("hi", from: ChatAddress("stranger@example.org"))
            fixture.settle()
            for (name, items) in [
                (
                    "Grace",
                    [
                        "Open", "Encryption…", "Profile…", "Rename…", "Remove…", "Block…", "Pin", "Mute",
                        "Turn On Real-Time Text", "Copy Address",
                    ]
                ),
                ("Operator", ["Open", "Encryption…", "Pin", "Mute"]),
                (
                    "stranger",
                    [
                        "Open", "Encryption…", "Profile…", "Add to Buddies", "Block…", "Pin", "Mute",
                        "Hide Conversation", "Copy Address",
                    ]
                ),
            ] {
                waitUntil("\(name) is there") { fixture.row("Buddies", name) != nil }
                fixture.settle()
                fixture.click(fixture.row("Buddies", name), button: 3)
                XCTAssertEqual(fixture.menuItems, items)
                fixture.type(GDK_KEY_Escape)
                fixture.settle()
            }
            fixture.clear()
        }
    }

    func testBuddyWhoShowsNoStatusIsAskedAgain() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            let ada = ChatAddress("ada@example.org")
            fixture.service.tell(.buddy(BuddyRecord(ada, name: "Ada", toldByMe: true), version: "2"))
            waitUntil("Ada is there") { fixture.row("Buddies", "Ada") != nil }
            fixture.settle()
            fixture.click(fixture.row("Buddies", "Ada"), button: 3)
            let item = "Ask for Status…"
            XCTAssert(fixture.menuItems.contains(item), "\(fixture.menuItems)")
            for _ in 0..<20 where fixture.selectedMenuItem != item { fixture.type(GDK_KEY_Down) }
            _ = fixture.service.takeCalls()
            fixture.type(GDK_KEY_Return)
            waitUntil("it asks") { fixture.button("Ask") != nil }
            fixture.settle()
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.service.takeCalls(), [.add(ada, "Ada")])
            fixture.service.tell(
                .buddy(BuddyRecord(ada, name: "Ada", tellsMe: true, toldByMe: true), version: "3"))
            fixture.settle()
            fixture.click(fixture.row("Buddies", "Ada"), button: 3)
            XCTAssertFalse(fixture.menuItems.contains(item))
            fixture.clear()
        }
    }
}

extension MessagePanelFixture {
    /// The visible popovers, as assistive tools find them: children of the window.
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

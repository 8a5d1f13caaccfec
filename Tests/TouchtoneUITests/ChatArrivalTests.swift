// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the movement with which a message arrives, and of what stays of one that is deleted.
final class ChatArrivalTests: GtkTestCase {
    func testNewMessageRisesOnceWhereTheDesktopWantsMotion() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            defer {
                gtk_settings_get_default().map { gtk_settings_reset_property($0, "gtk-enable-animations") }
                fixture.clear()
            }
            for isAnimated in [true, false] {
                setAnimations(isAnimated)
                fixture.come("\(isAnimated)")
                waitUntil("it is shown") { fixture.messageRow("\(isAnimated)") != nil }
                let row = try XCTUnwrap(fixture.messageRow("\(isAnimated)"))
                XCTAssertEqual(row.arrival.isRunning, isAnimated)
                let height = gtk_widget_get_allocated_height(row.box)
                waitUntil("it is at its place") { !row.arrival.isRunning }
                fixture.settle()
                XCTAssertEqual(gtk_widget_get_opacity(try XCTUnwrap(gtk_bin_get_child(row.box.cast()))), 1)
                if height > 1 { XCTAssertEqual(gtk_widget_get_allocated_height(row.box), height) }
            }
        }
    }

    func testOnlyMessagesInSightRise() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            setAnimations(true)
            defer {
                gtk_settings_get_default().map { gtk_settings_reset_property($0, "gtk-enable-animations") }
                fixture.clear()
            }
            for number in 0..<30 { fixture.come("message \(number)") }
            fixture.settle()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            fixture.hover(gtk_widget_get_parent(list))
            fixture.wheel(down: false)
            fixture.settle()
            XCTAssertNotNil(fixture.button("Last message"))
            // Its row is built, because it is near.
            fixture.come("below")
            waitUntil("it is there") { fixture.messageRow("below") != nil }
            XCTAssertEqual(fixture.messageRow("below")?.arrival.isRunning, false)
        }
    }

    func testTypedTextBecomesItsMessageWithoutMoving() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.chat.setRealTimeText(true, MessagePanelFixture.grace)
            fixture.open()
            setAnimations(true)
            defer {
                gtk_settings_get_default().map { gtk_settings_reset_property($0, "gtk-enable-animations") }
                fixture.clear()
            }
            fixture.come("before")
            let tell = { (change: RealTimeTextChange) in
                fixture.service.tell(.realTimeText(MessagePanelFixture.grace, change))
                fixture.settle()
            }
            tell(.began)
            let link = "see https://example.org"
            tell(.text(link))
            XCTAssertEqual(
                fixture.rows("Conversation"),
                ["Grace, \(fixture.time): before", "Grace is typing…: \(link)"])
            let row = try XCTUnwrap(fixture.messageRow(link))
            XCTAssertEqual(row.body?.links, [], "it may change under the pointer")
            XCTAssertEqual(fixture.chat.buddies.unread, 0, "the message before it is seen")
            // It has no menu of a message.
            let list = try XCTUnwrap(fixture.panel.insides?.conversation.messages.list)
            list.onMenu?(ConversationList.live, row, nil)
            row.onAction?(row, .menu(nil))
            XCTAssertNil(gtk_menu_get_for_attach_widget(row.box))
            tell(.text(String(repeating: "word ", count: 1000) + "end"))
            XCTAssertEqual(fixture.messageRow(fixture.live)?.cell?.text.hasSuffix(" end"), true)
            XCTAssertLessThan(fixture.live.unicodeScalars.count, 1000)
            tell(.text("done"))
            fixture.come("done")
            fixture.service.tell(.realTimeText(MessagePanelFixture.grace, .sent))
            waitUntil("it is a message") {
                fixture.rows("Conversation").last == "Grace, \(fixture.time): done"
            }
            XCTAssertEqual(fixture.rows("Conversation").count, 2)
            XCTAssertEqual(fixture.messageRow("done")?.arrival.isRunning, false)
            // The user’s own message still rises.
            tell(.text("more"))
            fixture.chat.send("mine", to: MessagePanelFixture.grace)
            waitUntil("it is there") { fixture.messageRow("mine") != nil }
            XCTAssertEqual(fixture.messageRow("mine")?.arrival.isRunning, true)
            XCTAssertEqual(fixture.rows("Conversation").last, "Grace is typing…: more")
            tell(.ended)
            XCTAssertEqual(fixture.rows("Conversation").count, 3)
        }
    }

    func testDeletedMessageHasIcon() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: MessagePanelFixture.grace, sender: .buddy, text: "secret",
                            time: fixture.wall.now, name: "secret"))
                ]))
            fixture.settle()
            let row = try XCTUnwrap(fixture.messageRow("secret"))
            XCTAssertEqual(fixture.icons(in: row.box), [])
            fixture.service.tell(
                .updates([
                    .annotated(
                        MessageAnnotation(
                            .retraction, of: .stanza("secret"), buddy: MessagePanelFixture.grace,
                            sender: .buddy, time: fixture.wall.now))
                ]))
            fixture.settle()
            XCTAssertEqual(fixture.icons(in: row.box), ["user-trash-symbolic"])
            fixture.clear()
        }
    }
}

extension MessagePanelFixture {
    fileprivate func messageRow(_ text: String) -> MessageRow? {
        panel.insides?.conversation.messages.list.builtRows.first { $0.cell?.text == text }
    }

    /// The text that is shown as being typed.
    fileprivate var live: String { panel.insides?.conversation.messages.liveText ?? "" }

    /// Returns the names of the visible icons in a row.
    fileprivate func icons(in row: Widget) -> [String] {
        descendants(of: row).compactMap { image in
            guard cgtk_instance_is_a(image, gtk_image_get_type()) != 0, gtk_widget_get_mapped(image) != 0
            else { return nil }
            var name: UnsafePointer<CChar>?
            gtk_image_get_icon_name(image.cast(), &name, nil)
            return name.map { String(cString: $0) }
        }
    }
}

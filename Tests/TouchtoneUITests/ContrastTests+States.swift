// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The states of messages, and what opens beside the phone.
extension ContrastTests {
    func testStatesOfMessages() throws {
        try inEachStyle { expect in
            let fixture = try MessagePanelFixture.connected()
            fixture.files.add("/home/report.pdf")
            fixture.insides.conversation.attach(uris: ["file:///home/report.pdf"])
            fixture.sendFiles()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            fixture.transfers.running[0].end(.refused(status: 507))
            fixture.come(try XCTUnwrap(SharedFile(received: "https://files.example.org/picture.png")))
            waitUntil("the download has begun") { !fixture.transfers.running.isEmpty }
            fixture.transfers.running[0].end(.tooLarge(limit: 10 << 20))
            fixture.settle()
            try expect(fixture.widget, "files that failed")
            fixture.come("See https://example.org/, *now*")
            for update in Self.updates(at: fixture.wall.now) { fixture.service.tell(.updates([update])) }
            fixture.settle()
            try expect(fixture.widget, "a reply, a reaction, a deleted message and a spoiler")
            fixture.chat.setRealTimeText(true, MessagePanelFixture.grace)
            for change in [RealTimeTextChange.began, .text("Wonderful. Then I will make coff")] {
                fixture.service.tell(.realTimeText(MessagePanelFixture.grace, change))
            }
            fixture.settle()
            let list = fixture.insides.conversation.messages
            XCTAssert(list.isLive && list.list.isAtEnd, "it is in sight")
            try expect(fixture.widget, "a text that is being typed")
            fixture.clear()
        }
    }

    private static func updates(at time: ChatTime) -> [MessageUpdate] {
        let grace = MessagePanelFixture.grace
        func message(_ content: MessageContent, _ name: String, _ relation: MessageRelation = .none)
            -> MessageUpdate
        {
            .received(
                ReceivedMessage(
                    buddy: grace, sender: .buddy, content: content, time: time, name: name, relation: relation
                ))
        }
        func note(_ kind: MessageAnnotation.Kind, of name: String) -> MessageUpdate {
            .annotated(
                MessageAnnotation(
                    kind, of: .stanza(name), buddy: grace, sender: .buddy,
                    time: ChatTime(milliseconds: time.milliseconds + 1)))
        }
        return [
            message(MessageContent("Tea?"), "question"),
            message(
                MessageContent("Gladly", quoting: "Tea?"), "answer",
                .repliesTo(MessageReply(to: .stanza("question"), by: grace))),
            note(.reaction(["👍"]), of: "question"), message(MessageContent("Not that"), "mistake"),
            note(.retraction, of: "mistake"), message(MessageContent("Rosebud", spoiler: "Kane"), "spoiler"),
        ]
    }

    func testMemoryKeys() throws {
        try inEachStyle { expect in
            let (fixture, _) = try OfficeKeyTests.window()
            fixture.click("Memory")
            fixture.settle()
            XCTAssertEqual(fixture.labels(in: fixture.find("4, Edsger")), ["4", "BUSY", "Edsger"])
            try expect(fixture.widget, "memory keys")
            fixture.clear()
        }
    }

    func testWindowsAndMenus() throws {
        try inEachStyle { expect in
            let fixture = try PreferencesFixture(page: .lock)
            try fixture.dressTheme()
            hdy_action_row_activate(try XCTUnwrap(fixture.row("Set Passcode…")).cast())
            let deck = descendants(of: fixture.widget).first {
                cgtk_instance_is_a($0, hdy_deck_get_type()) != 0
            }
            waitUntil("the page has slid in") {
                fixture.field("New Passcode") != nil
                    && deck.map { hdy_deck_get_transition_running($0.cast()) == 0 } == true
            }
            try expect(fixture.widget, "passcode")
            fixture.clear()
            let contacts = try ContactsPageFixture()
            contacts.click(contacts.row("Grace Hopper"))
            contacts.click(contacts.find("Edit"))
            handleEvents()
            // The name is selected, in colours of its own.
            let name = descendants(of: contacts.widget).first {
                cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && accessibleName(of: $0) == "Name"
            }
            gtk_editable_select_region(OpaquePointer(try XCTUnwrap(name)), 0, 0)
            try expect(contacts.widget, "editor of a contact")
            contacts.clear()
        }
    }
}

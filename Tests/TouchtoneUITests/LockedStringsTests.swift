// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that an assistive tool learns nothing of a locked phone from objects that it obtained earlier.
final class LockedStringsTests: GtkTestCase {
    private static let grace = ChatAddress("grace@example.org")
    private static let secrets = [
        "Grace", "Hopper", "Dijkstra", "secret", "grace@", "555", "unread", "typing",
    ]

    @MainActor
    private static func secrets(in objects: [GObjectRef]) -> [String] {
        HeldAccessibles.texts(objects).filter { text in Self.secrets.contains { text.contains($0) } }
    }

    func testEarlierAccessibleObjectsRevealNothing() throws {
        try onMainActor {
            let people = People()
            let fixture = try PhoneWindowFixture(passcode: "1234", directory: people.directory)
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            try Self.talk(on: fixture)
            fixture.act("contacts")
            waitUntil("the contacts are shown") { fixture.rows("Contacts").count == 3 }
            fixture.act("messages")
            fixture.window.panel.side.toast.show("Grace Hopper was deleted.", verb: "Undo") {}
            fixture.phone.paste("5558675309")
            let conversation = try XCTUnwrap(fixture.window.panel.messages.insides?.conversation)
            conversation.messages.list.scroll(to: conversation.messages.list.ids[20])
            Self.settle(fixture)
            let seen = conversation.messages.list.seen
            let held = HeldAccessibles.objects(in: fixture.widget)
            XCTAssertGreaterThan(Self.secrets(in: held).count, 20, "an open phone is read")

            fixture.lock.lock()
            Self.settle(fixture)
            XCTAssertEqual(Self.secrets(in: held), [])

            let events = AccessibleEvents()
            fixture.service.tell(.typing(Self.grace, .composing))
            fixture.service.tell(
                .presence(Self.grace, device: "desk", DevicePresence(.away, status: "a secret")))
            Self.come("The last secret", to: fixture)
            people.book.delete([.own(1)])
            people.book.setMemoryKey(2, People.key("5550142", "Grace"))
            waitUntil("all has come") {
                (fixture.chat.buddies.row(of: Self.grace)?.unread ?? 0) > 0 && people.book.count == 2
            }
            Self.settle(fixture)
            events.end()
            XCTAssertEqual(Self.secrets(in: held), [])
            XCTAssertEqual(Self.secrets(in: HeldAccessibles.objects(in: fixture.widget)), [])
            let objects = Set(held.map { UnsafeMutableRawPointer($0.object) })
            XCTAssertEqual(
                events.told.intersection(objects).filter { $0 != Self.window(of: fixture) }.count, 0)

            fixture.focus()
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            Self.settle(fixture)
            XCTAssertEqual(conversation.messages.list.seen?.lowerBound, seen?.lowerBound)
            XCTAssertEqual(conversation.composer.text, "A secret draft")
            XCTAssertEqual(fixture.display, "(555) 867-5309")
            XCTAssert(fixture.rows("Conversation").contains { $0.contains("secret") })
            XCTAssert(fixture.rows("Buddies").contains("Grace, away, 1 unread"))
            XCTAssert(fixture.labels(in: fixture.widget).contains("Grace Hopper was deleted."))
            fixture.act("contacts")
            XCTAssertEqual(fixture.rows("Contacts").count, 2)
            fixture.clear()
        }
    }

    func testFocusedRowRegainsKeyboard() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234", directory: People().directory)
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            fixture.act("contacts")
            waitUntil("the contacts are shown") { fixture.rows("Contacts").count == 3 }
            gtk_widget_grab_focus(try XCTUnwrap(fixture.row("Contacts", "Edsger")))
            fixture.lock.lock()
            fixture.focus()
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            Self.settle(fixture)
            let focus = try XCTUnwrap(gtk_window_get_focus(fixture.window.window))
            XCTAssertEqual(accessibleName(of: focus), "Edsger Dijkstra")
            fixture.clear()
        }
    }

    func testLockingCancelsOpenDialogs() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234", directory: People().directory)
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            try Self.talk(on: fixture)
            let answers = Variable<[String]>([])
            @MainActor func ask() {
                Task { @MainActor in
                    let request = FileDialog.Request(saving: "Export Contacts", as: "contacts.vcf")
                    let answer = await fixture.window.panel.askFile(request)
                    answers.value.append(answer?.uri ?? "none")
                }
            }
            ask()
            waitUntil("it is asked") { Self.titles.contains("Export Contacts") }
            fixture.window.panel.messages.askToAdd("hopper@example.org", name: "Hopper")
            let asked =
                descendants(of: fixture.widget)
                + [gtk_window_get_focus(fixture.window.window)].compactMap { $0 }
            let held = asked.flatMap {
                HeldAccessibles.objects(in: gtk_widget_get_ancestor($0, gtk_popover_get_type()) ?? $0)
            }
            XCTAssert(Self.secrets(in: held).contains { $0.contains("hopper@") || $0.contains("Hopper") })
            fixture.lock.lock()
            waitUntil("it is taken back") { answers.value == ["none"] }
            XCTAssertFalse(Self.titles.contains("Export Contacts"))
            XCTAssertEqual(Self.secrets(in: held), [])
            ask()
            waitUntil("a locked phone asks nothing") { answers.value == ["none", "none"] }
            fixture.focus()
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            Self.settle(fixture)
            XCTAssertFalse(Self.titles.contains("Export Contacts"))
            XCTAssertNil(fixture.find("Add Buddy"))
            fixture.clear()
        }
    }
}

extension LockedStringsTests {
    /// Adds a buddy with a long conversation and a draft.
    @MainActor
    private static func talk(on fixture: PhoneWindowFixture) throws {
        fixture.service.tell(.state(.online))
        fixture.service.tell(
            .buddies([BuddyRecord(Self.grace, name: "Grace", tellsMe: true, toldByMe: true)], version: "1"))
        fixture.service.tell(.presence(Self.grace, device: "desk", DevicePresence(.online)))
        fixture.act("messages")
        waitUntil("the panel is built") { fixture.window.panel.messages.insides != nil }
        fixture.chat.select(Self.grace)
        for number in 0..<60 { Self.come("secret \(number)", to: fixture) }
        waitUntil("it is read") { fixture.chat.selected?.window.count == 60 }
        fixture.chat.selected?.draft = "A secret draft"
        fixture.window.panel.messages.insides?.conversation.composer.text = "A secret draft"
        Self.settle(fixture)
    }

    @MainActor
    private static func come(_ text: String, to fixture: PhoneWindowFixture) {
        let message = ReceivedMessage(
            buddy: Self.grace, sender: .buddy, text: text, time: FixedWallClock().now, name: text)
        fixture.service.tell(.updates([.received(message)]))
    }

    @MainActor
    private static func settle(_ fixture: PhoneWindowFixture) {
        let isKept = Variable(false)
        fixture.chat.whenKept { isKept.value = true }
        waitUntil("all is kept") { isKept.value }
        waitUntilIdle(rounds: 6)
    }

    /// The window itself stays, with a different child.
    @MainActor
    private static func window(of fixture: PhoneWindowFixture) -> UnsafeMutableRawPointer? {
        gtk_widget_get_accessible(fixture.widget).map { UnsafeMutableRawPointer($0) }
    }

    /// The titles of the visible windows.
    @MainActor
    private static var titles: [String] {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWindow.self) }
            .filter { gtk_widget_get_visible($0.cast()) != 0 }
            .compactMap { gtk_window_get_title($0).map { String(cString: $0) } }
    }
}

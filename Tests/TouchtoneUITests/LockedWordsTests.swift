// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// An assistive tool learns nothing of a locked phone from objects that it held before.
final class LockedWordsTests: GtkTestCase {
    private static let grace = ChatAddress("grace@example.org")
    private static let secrets = [
        "Grace", "Hopper", "Dijkstra", "secret", "grace@", "555", "unread", "typing",
    ]

    @MainActor
    private static func secrets(in objects: [GObjectRef]) -> [String] {
        Held.texts(objects).filter { text in Self.secrets.contains { text.contains($0) } }
    }

    func testObjectsFromBeforeSayNothingAndTellOfNothing() throws {
        try onMainActor {
            let people = People()
            let desk = try Desk(passcode: "1234", directory: people.directory)
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            try Self.talk(on: desk)
            desk.act("contacts")
            waitUntil("the contacts are shown") { desk.rows("Contacts").count == 3 }
            desk.act("messages")
            desk.window.panel.side.toast.show("Grace Hopper was deleted.", verb: "Undo") {}
            desk.phone.paste("5558675309")
            let conversation = try XCTUnwrap(desk.window.panel.messages.insides?.conversation)
            conversation.messages.list.scroll(to: conversation.messages.list.ids[20])
            Self.settle(desk)
            let seen = conversation.messages.list.seen
            let held = Held.objects(in: desk.widget)
            XCTAssertGreaterThan(Self.secrets(in: held).count, 20, "an open phone is read")

            desk.lock.lock()
            Self.settle(desk)
            XCTAssertEqual(Self.secrets(in: held), [])

            let events = AccessibleEvents()
            desk.service.tell(.typing(Self.grace, .composing))
            desk.service.tell(
                .presence(Self.grace, device: "desk", DevicePresence(.away, status: "a secret")))
            Self.come("The last secret", to: desk)
            people.book.delete([.own(1)])
            people.book.setMemoryKey(2, People.key("5550142", "Grace"))
            waitUntil("all has come") {
                (desk.chat.buddies.row(of: Self.grace)?.unread ?? 0) > 0 && people.book.count == 2
            }
            Self.settle(desk)
            events.end()
            XCTAssertEqual(Self.secrets(in: held), [])
            XCTAssertEqual(Self.secrets(in: Held.objects(in: desk.widget)), [])
            let objects = Set(held.map { UnsafeMutableRawPointer($0.object) })
            XCTAssertEqual(
                events.told.intersection(objects).filter { $0 != Self.window(of: desk) }.count, 0)

            desk.focus()
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            Self.settle(desk)
            XCTAssertEqual(conversation.messages.list.seen?.lowerBound, seen?.lowerBound)
            XCTAssertEqual(conversation.composer.text, "A secret draft")
            XCTAssertEqual(desk.display, "(555) 867-5309")
            XCTAssert(desk.rows("Conversation").contains { $0.contains("secret") })
            XCTAssert(desk.rows("Buddies").contains("Grace, away, 1 unread"))
            XCTAssert(desk.labels(in: desk.widget).contains("Grace Hopper was deleted."))
            desk.act("contacts")
            XCTAssertEqual(desk.rows("Contacts").count, 2)
            desk.clear()
        }
    }

    func testARowThatHadTheKeyboardHasItAgain() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234", directory: People().directory)
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            desk.act("contacts")
            waitUntil("the contacts are shown") { desk.rows("Contacts").count == 3 }
            gtk_widget_grab_focus(try XCTUnwrap(desk.row("Contacts", "Edsger")))
            desk.lock.lock()
            desk.focus()
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            Self.settle(desk)
            let focus = try XCTUnwrap(gtk_window_get_focus(desk.window.window))
            XCTAssertEqual(accessibleName(of: focus), "Edsger Dijkstra")
            desk.clear()
        }
    }

    func testOpenQuestionsAreTakenBack() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234", directory: People().directory)
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            try Self.talk(on: desk)
            let answers = Variable<[String]>([])
            @MainActor func ask() {
                Task { @MainActor in
                    let request = FileDialog.Request(saving: "Export Contacts", as: "contacts.vcf")
                    let answer = await desk.window.panel.askFile(request)
                    answers.value.append(answer?.uri ?? "none")
                }
            }
            ask()
            waitUntil("it is asked") { Self.titles.contains("Export Contacts") }
            desk.window.panel.showAdding(of: "hopper@example.org", name: "Hopper")
            let asked =
                descendants(of: desk.widget) + [gtk_window_get_focus(desk.window.window)].compactMap { $0 }
            let held = asked.flatMap {
                Held.objects(in: gtk_widget_get_ancestor($0, gtk_popover_get_type()) ?? $0)
            }
            XCTAssert(Self.secrets(in: held).contains { $0.contains("hopper@") || $0.contains("Hopper") })
            desk.lock.lock()
            waitUntil("it is taken back") { answers.value == ["none"] }
            XCTAssertFalse(Self.titles.contains("Export Contacts"))
            XCTAssertEqual(Self.secrets(in: held), [])
            ask()
            waitUntil("a locked phone asks nothing") { answers.value == ["none", "none"] }
            desk.focus()
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            Self.settle(desk)
            XCTAssertFalse(Self.titles.contains("Export Contacts"))
            XCTAssertNil(desk.find("Add a buddy"))
            desk.clear()
        }
    }
}

extension LockedWordsTests {
    /// Has a buddy be there who has said much, and a draft to them.
    @MainActor
    private static func talk(on desk: Desk) throws {
        desk.service.tell(.state(.online))
        desk.service.tell(
            .buddies([BuddyRecord(Self.grace, name: "Grace", tellsMe: true, toldByMe: true)], version: "1"))
        desk.service.tell(.presence(Self.grace, device: "desk", DevicePresence(.online)))
        desk.act("messages")
        waitUntil("the panel is built") { desk.window.panel.messages.insides != nil }
        desk.chat.select(Self.grace)
        for number in 0..<60 { Self.come("secret \(number)", to: desk) }
        waitUntil("it is read") { desk.chat.selected?.window.count == 60 }
        desk.chat.selected?.draft = "A secret draft"
        desk.window.panel.messages.insides?.conversation.composer.text = "A secret draft"
        Self.settle(desk)
    }

    @MainActor
    private static func come(_ text: String, to desk: Desk) {
        let message = CameMessage(
            buddy: Self.grace, sender: .buddy, text: text, time: FixedWallClock().now, name: text)
        desk.service.tell(.facts([.came(message)]))
    }

    @MainActor
    private static func settle(_ desk: Desk) {
        let isKept = Variable(false)
        desk.chat.whenKept { isKept.value = true }
        waitUntil("all is kept") { isKept.value }
        for _ in 0..<6 {
            let isIdle = Variable(false)
            Task { @MainActor in MainLoop.afterFrame { isIdle.value = true } }
            waitUntil("all is done") { isIdle.value }
        }
    }

    /// The window itself stays, and gets another child.
    @MainActor
    private static func window(of desk: Desk) -> UnsafeMutableRawPointer? {
        gtk_widget_get_accessible(desk.widget).map { UnsafeMutableRawPointer($0) }
    }

    /// The titles of the windows that are seen.
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

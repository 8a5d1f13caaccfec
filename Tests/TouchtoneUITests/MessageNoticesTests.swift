// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Which notifications there are of messages, and when they go.
final class MessageNoticesTests: GtkTestCase {
    func testAMessageIsToldOfByNameAndTakenBackOnceItIsSeen() throws {
        try onMainActor {
            let desk = try NoticesDesk()
            desk.come("grace@example.org", "Are you there?")
            waitUntil("it is told") { desk.notifier.shown.count == 1 }
            let note = try XCTUnwrap(desk.notifier.shown["grace@example.org"])
            XCTAssertEqual(note.title, "Grace")
            XCTAssertEqual(note.body, "Are you there?")
            XCTAssert(note.takesReply)
            XCTAssertEqual(desk.heard, ["ding"])
            desk.come("grace@example.org", "Hello?")
            waitUntil("the second takes its place") {
                desk.notifier.shown["grace@example.org"]?.title == "Grace (2 new)"
            }
            XCTAssertEqual(desk.heard, ["ding"], "the bell is not struck at each of many")
            desk.chat.isLookedAt = true
            desk.chat.select(ChatAddress("grace@example.org"))
            desk.seeAll()
            waitUntil("it is seen") { desk.notifier.shown.isEmpty }
        }
    }

    func testNothingIsToldOfWhatIsLookedAt() throws {
        try onMainActor {
            let desk = try NoticesDesk()
            desk.chat.select(ChatAddress("grace@example.org"))
            desk.chat.isLookedAt = true
            desk.come("grace@example.org", "Are you there?")
            desk.come("linus@example.org", "Hello")
            waitUntil("the other is told") { desk.notifier.shown.count == 1 }
            XCTAssertNotNil(desk.notifier.shown["linus@example.org"])
        }
    }

    func testNobodyIsDisturbedWhoDoesNotWantToBe() throws {
        try onMainActor {
            let desk = try NoticesDesk()
            desk.chat.ownPresence = OwnPresence(.busy)
            desk.come("grace@example.org", "1")
            desk.settle()
            desk.chat.ownPresence = OwnPresence(.online)
            desk.settings[flag: "message-notification"] = false
            desk.come("grace@example.org", "2")
            waitUntil("the bell is struck") { desk.heard == ["ding"] }
            XCTAssert(desk.notifier.shown.isEmpty)
            desk.settings[flag: "message-notification"] = true
            desk.settings[flag: "message-sound"] = false
            desk.clock.advance(by: .seconds(10))
            desk.come("grace@example.org", "3")
            waitUntil("it is told") { desk.notifier.shown.count == 1 }
            XCTAssertEqual(desk.heard, ["ding"])
        }
    }

    func testLockedItNamesNobody() throws {
        try onMainActor {
            let desk = try NoticesDesk(passcode: "1234")
            desk.open()
            desk.come("grace@example.org", "A secret")
            waitUntil("it is told") { desk.notifier.shown.count == 1 }
            desk.lock.lock()
            XCTAssertEqual(Array(desk.notifier.shown.keys), [""], "what was told before the lock stays")
            desk.come("linus@example.org", "Another secret")
            desk.settle()
            XCTAssertEqual(Array(desk.notifier.shown.keys), [""])
            let note = try XCTUnwrap(desk.notifier.shown[""])
            XCTAssertEqual(
                note.title + note.body, "TouchtoneThere are new messages. They are behind the lock.")
            XCTAssertFalse(note.takesReply)
            desk.notifier.onReply?("grace@example.org", "from a stranger")
            desk.settle()
            XCTAssertFalse(desk.service.calls.contains { if case .send = $0 { true } else { false } })
            desk.open()
            waitUntil("it is gone") { desk.notifier.shown.isEmpty }
        }
    }

    func testWhatWasDismissedDoesNotComeBackForTheLock() throws {
        try onMainActor {
            let desk = try NoticesDesk(passcode: "1234")
            desk.open()
            desk.come("grace@example.org", "A secret")
            waitUntil("it is told") { desk.notifier.shown.count == 1 }
            desk.notifier.dismiss("grace@example.org")
            desk.lock.lock()
            XCTAssertEqual(desk.notifier.count, 1)
            // What comes now is told, once for all as long as it stands.
            desk.come("grace@example.org", "2")
            desk.come("linus@example.org", "3")
            desk.settle()
            XCTAssertEqual(desk.notifier.count, 2)
            desk.notifier.dismiss("")
            desk.lock.press(9)
            XCTAssertEqual(desk.notifier.count, 2)
            desk.come("linus@example.org", "4")
            desk.settle()
            XCTAssertEqual(desk.notifier.count, 3)
        }
    }

    func testAnAnswerIsSentAndTheMessageIsSeen() throws {
        try onMainActor {
            let desk = try NoticesDesk()
            desk.service.tell(.ready)
            desk.come("grace@example.org", "Are you there?")
            waitUntil("it is told") { desk.notifier.shown.count == 1 }
            desk.notifier.onReply?("grace@example.org", "  ")
            desk.notifier.onReply?("grace@example.org", "Yes.")
            waitUntil("the answer goes out") {
                desk.service.calls.contains { if case .send("Yes.", _) = $0 { true } else { false } }
            }
            XCTAssert(desk.notifier.shown.isEmpty)
            waitUntil("it is seen") {
                desk.chat.buddies.row(of: ChatAddress("grace@example.org"))?.unread == 0
            }
        }
    }

    func testAClickOpensTheConversation() throws {
        try onMainActor {
            let desk = try NoticesDesk()
            var opened: [String] = []
            desk.notices.onOpen = { opened.append("\($0?.text ?? "the phone") \($1 ?? "")") }
            desk.notifier.onOpen?("grace@example.org", "token")
            desk.notifier.onOpen?("", nil)
            XCTAssertEqual(opened, ["grace@example.org token", "the phone "])
        }
    }
}

/// A chat with a buddy, Grace, whose notifications a test sees.
@MainActor
private final class NoticesDesk {
    let settings: Settings
    let tones = NotingTones()
    let notifier = FakeNotifier()
    let service = FakeChatService()
    let clock = StandingPhoneClock()
    let chat: Chat
    let lock: Lock
    let notices: MessageNotices
    private let store = MemoryMessageStore()
    private let names = CountedNames()
    private var count = 0

    init(passcode: String? = nil) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: PhoneApplication.id, folders: resources.schemaFolders)
        for key in ["message-notification", "message-sound"] { settings.reset(key) }
        let names = names
        chat = Chat(
            store: store, services: [service], clock: MainLoopClock(), wall: FixedWallClock(),
            names: { names.next() })
        lock = Lock(
            store: MemoryVault(passcode), clock: MainLoopClock(), boot: StandingClock(), sounds: NotingTones()
        )
        notices = MessageNotices(
            chat: chat, lock: lock, settings: settings, sounds: tones, clock: clock, notifier: notifier)
        service.tell(
            .buddies(
                [BuddyRecord(ChatAddress("grace@example.org"), name: "Grace", tellsMe: true, toldByMe: true)],
                version: nil))
    }

    var heard: [String] { tones.notes }

    func come(_ buddy: String, _ text: String) {
        count += 1
        service.tell(
            .facts([
                .came(
                    CameMessage(
                        buddy: ChatAddress(buddy), sender: .buddy, text: text,
                        time: ChatTime(milliseconds: Int64(count)), name: "their-\(count)"))
            ]))
    }

    /// Sees all of the conversation that is open, as its view does.
    func seeAll() {
        waitUntil("it is loaded") { self.chat.selected?.window.isEmpty == false }
        if let selected = chat.selected, let last = selected.window.last { selected.seen(upTo: last) }
    }

    /// Opens the lock by its passcode.
    func open() {
        for digit in 1...4 { lock.press(digit) }
        waitUntil("the phone is open") { !self.lock.isLocked }
    }

    /// Lets pass what could be told.
    func settle() {
        var isOver = false
        let timer = MainLoop.after(milliseconds: 300) { isOver = true }
        waitUntil("some time has passed") { isOver }
        timer.cancel()
    }
}

/// A clock that the test moves; nothing is timed by it.
@MainActor
private final class StandingPhoneClock: PhoneClock {
    private(set) var now = Duration.zero

    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any PhoneTimer {
        Never()
    }
    func advance(by time: Duration) { now += time }

    private final class Never: PhoneTimer {
        func cancel() {}
    }
}

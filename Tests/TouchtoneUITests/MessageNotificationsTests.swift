// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the notifications of messages and when they close.
final class MessageNotificationsTests: GtkTestCase {
    func testMessageNotificationNamesBuddyAndClosesOnceRead() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.come("grace@example.org", "Are you there?")
            waitUntil("it is told") { fixture.notifier.shown.count == 1 }
            let note = try XCTUnwrap(fixture.notifier.shown["grace@example.org"])
            XCTAssertEqual(note.title, "Grace")
            XCTAssertEqual(note.body, "Are you there?")
            XCTAssert(note.takesReply)
            XCTAssertEqual(fixture.heard, ["ding"])
            fixture.come("grace@example.org", "Hello?")
            waitUntil("the second takes its place") {
                fixture.notifier.shown["grace@example.org"]?.title == "Grace (2 new)"
            }
            XCTAssertEqual(fixture.heard, ["ding"], "the bell is not struck at each of many")
            fixture.messenger.isInView = true
            fixture.chat.select(ChatAddress("grace@example.org"))
            fixture.seeAll()
            waitUntil("it is seen") { fixture.notifier.shown.isEmpty }
        }
    }

    func testNotificationOfDeletedMessageCloses() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.come("grace@example.org", "Are you there?")
            fixture.come("grace@example.org", "A secret")
            waitUntil("both are told") {
                fixture.notifier.shown["grace@example.org"]?.title == "Grace (2 new)"
            }
            let retraction = MessageAnnotation(
                .retraction, of: .stanza("their-2"), buddy: ChatAddress("grace@example.org"), sender: .buddy,
                time: ChatTime(milliseconds: 9))
            fixture.service.tell(.updates([.annotated(retraction)]))
            waitUntil("the secret is told no more") { fixture.notifier.shown.isEmpty }
        }
    }

    func testReactionToOwnMessageIsToldQuietly() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.service.tell(.ready)
            let grace = ChatAddress("grace@example.org")
            fixture.chat.reply("The cart is *here*", to: grace)
            waitUntil("it goes out") {
                fixture.service.calls.contains { if case .send = $0 { true } else { false } }
            }
            fixture.come("grace@example.org", "Hello")
            waitUntil("the message is told") { fixture.notifier.shown.count == 1 }
            fixture.react("👍", after: .seconds(-2 * 24 * 60 * 60))
            fixture.react("👎", toMine: false)
            fixture.react("🎉")
            waitUntil("the reaction is told") { fixture.notifier.shown.count == 2 }
            let note = try XCTUnwrap(fixture.notifier.shown["reaction grace@example.org"])
            XCTAssertEqual(note.title, "Grace")
            XCTAssertEqual(note.body, "Grace reacted to “The cart is *here*” with 🎉")
            XCTAssert(note.isMinor)
            XCTAssertEqual(fixture.heard, ["ding"])
            XCTAssertEqual(fixture.chat.buddies.row(of: grace)?.unread, 1)
            fixture.notifier.dismiss("reaction grace@example.org")
            // One that is withdrawn is no news.
            fixture.react(nil, after: .seconds(1))
            fixture.react("👍", after: .seconds(2))
            waitUntil("it is told again") { fixture.notifier.shown.count == 2 }
            fixture.messenger.isInView = true
            fixture.chat.select(grace)
            fixture.seeAll()
            waitUntil("both are seen") { fixture.notifier.shown.isEmpty }
            fixture.react("❤️", after: .seconds(3))
            fixture.settle()
            XCTAssert(fixture.notifier.shown.isEmpty)
        }
    }

    func testNotificationNamesAccountAndReplyGoesFromIt() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            let (home, work) = (
                fixture.addAccount("ada@home.example"), fixture.addAccount("ada@work.example")
            )
            for other in [home, work] {
                other.service.tell(.ready)
                other.service.tell(
                    .buddies(
                        [BuddyRecord(MessagePanelFixture.grace, name: "Grace", tellsMe: true)], version: nil))
            }
            work.chat.accountLabel = "Work"
            fixture.come("grace@example.org", "At home?", to: home.service)
            fixture.come("grace@example.org", "At work?", to: work.service)
            waitUntil("both are told") { fixture.notifier.shown.count == 2 }
            let (atHome, atWork) = (
                "ada@home.example grace@example.org", "ada@work.example grace@example.org"
            )
            XCTAssertEqual(fixture.notifier.shown[atHome]?.title, "Grace – ada@home.example")
            XCTAssertEqual(fixture.notifier.shown[atWork]?.title, "Grace – Work")
            var opened: [ConversationID?] = []
            fixture.notices.onOpen = { id, _ in opened.append(id) }
            fixture.notifier.onOpen?(atWork, nil)
            XCTAssertEqual(opened, [ConversationID(MessagePanelFixture.grace, of: work.chat.account)])
            fixture.notifier.onReply?(atWork, "Yes")
            waitUntil("the answer goes out") {
                work.service.calls.contains { if case .send("Yes", _) = $0 { true } else { false } }
            }
            XCTAssertFalse(home.service.calls.contains { if case .send = $0 { true } else { false } })
            XCTAssertEqual(Array(fixture.notifier.shown.keys), [atHome])
        }
    }

    func testVisibleConversationCausesNoNotification() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.chat.select(ChatAddress("grace@example.org"))
            fixture.messenger.isInView = true
            fixture.come("grace@example.org", "Are you there?")
            fixture.come("linus@example.org", "Hello")
            waitUntil("the other is told") { fixture.notifier.shown.count == 1 }
            XCTAssertNotNil(fixture.notifier.shown["linus@example.org"])
        }
    }

    func testMentionInRoomNamesItsSender() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            let tea = ChatAddress("tea@rooms.example.org")
            fixture.service.tell(.room(Room(RoomRecord(tea, nickname: "ada"), standing: .joined)))
            for text in ["Hello all", "ada, tea?"] {
                fixture.service.tell(
                    .updates([
                        .received(
                            ReceivedMessage(
                                buddy: tea, sender: .occupant(RoomOccupant(nickname: "alan")), text: text,
                                time: ChatTime(milliseconds: 1), name: text))
                    ]))
            }
            waitUntil("the mention is told") { fixture.notifier.shown[tea.text]?.body == "alan: ada, tea?" }
        }
    }

    func testActionsNameTheirSender() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            let tea = ChatAddress("tea@rooms.example.org")
            fixture.service.tell(.room(Room(RoomRecord(tea, nickname: "ada"), standing: .joined)))
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: tea, sender: .occupant(RoomOccupant(nickname: "alan")),
                            text: "/me pours Ada tea", time: ChatTime(milliseconds: 2), name: "action"))
                ]))
            waitUntil("the action is told") {
                fixture.notifier.shown[tea.text]?.body == "alan pours Ada tea"
            }
            fixture.come("grace@example.org", "/me waves")
            waitUntil("the action is told") {
                fixture.notifier.shown["grace@example.org"]?.body == "Grace waves"
            }
        }
    }

    func testNotificationTellsThatMessageIsEncrypted() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: ChatAddress("grace@example.org"), sender: .buddy,
                            content: MessageContent("Use another app", encryption: "OMEMO"),
                            time: ChatTime(milliseconds: 1)))
                ]))
            waitUntil("it is told") {
                fixture.notifier.shown["grace@example.org"]?.body
                    == "Grace sent an encrypted message that this phone can’t read (OMEMO)."
            }
        }
    }

    func testNotificationHidesSpoiler() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: ChatAddress("grace@example.org"), sender: .buddy,
                            content: MessageContent("/me tells the end", spoiler: "Citizen Kane"),
                            time: ChatTime(milliseconds: 1)))
                ]))
            waitUntil("it is told") {
                fixture.notifier.shown["grace@example.org"]?.body == "Spoiler: Citizen Kane"
            }
        }
    }

    func testDoNotDisturbSuppressesNotifications() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.chat.ownPresence = OwnPresence(.busy)
            fixture.come("grace@example.org", "1")
            fixture.settle()
            fixture.chat.ownPresence = OwnPresence(.online)
            fixture.settings[flag: "message-notification"] = false
            fixture.come("grace@example.org", "2")
            waitUntil("the bell is struck") { fixture.heard == ["ding"] }
            XCTAssert(fixture.notifier.shown.isEmpty)
            fixture.settings[flag: "message-notification"] = true
            fixture.settings[flag: "message-sound"] = false
            fixture.clock.advance(by: .seconds(10))
            fixture.come("grace@example.org", "3")
            waitUntil("it is told") { fixture.notifier.shown.count == 1 }
            XCTAssertEqual(fixture.heard, ["ding"])
        }
    }

    func testNotificationHidesNamesWhileLocked() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture(passcode: "1234")
            fixture.open()
            fixture.come("grace@example.org", "A secret")
            waitUntil("it is told") { fixture.notifier.shown.count == 1 }
            fixture.lock.lock()
            XCTAssertEqual(Array(fixture.notifier.shown.keys), [""], "what was told before the lock stays")
            fixture.come("linus@example.org", "Another secret")
            fixture.settle()
            XCTAssertEqual(Array(fixture.notifier.shown.keys), [""])
            let note = try XCTUnwrap(fixture.notifier.shown[""])
            XCTAssertEqual(
                note.title + note.body, "TouchtoneYou have new messages. Unlock the phone to read them.")
            XCTAssertFalse(note.takesReply)
            fixture.notifier.onReply?("grace@example.org", "from a stranger")
            fixture.settle()
            XCTAssertFalse(fixture.service.calls.contains { if case .send = $0 { true } else { false } })
            fixture.open()
            waitUntil("it is gone") { fixture.notifier.shown.isEmpty }
        }
    }

    /// Whatever comes, and whenever the phone is locked, no notification tells a text, a name or a reaction.
    func testLockedPhoneTellsNothingOfMessages() throws {
        try onMainActor {
            var random = SplitMix64(seed: .random(in: 0...999))
            let seed = random
            let fixture = try MessageNotificationsFixture(passcode: "1234")
            fixture.open()
            fixture.service.tell(.ready)
            fixture.chat.reply("SECRET of mine", to: ChatAddress("grace@example.org"))
            waitUntil("it goes out") {
                fixture.service.calls.contains { if case .send = $0 { true } else { false } }
            }
            for count in 1...60 {
                switch Int.random(in: 0...6, using: &random) {
                case 0: fixture.come("grace@example.org", "SECRET \(count)")
                case 1: fixture.come("linus@example.org", "/me SECRET \(count)")
                case 2: fixture.comeEncrypted("grace@example.org", "SECRET \(count)")
                case 3: fixture.react("🎉", after: .seconds(count))
                case 4: if !fixture.lock.isLocked { fixture.lock.lock() }
                case 5: if fixture.lock.isLocked { fixture.open() }
                default: fixture.clock.advance(by: .seconds(10))
                }
                MainLoop.run(upTo: 15) { false }
                guard fixture.lock.isLocked else { continue }
                for note in fixture.notifier.shown.values {
                    for word in ["SECRET", "Grace", "linus", "🎉"] {
                        XCTAssertFalse((note.title + note.body).contains(word), "\(note) of \(seed)")
                    }
                    XCTAssertFalse(note.takesReply)
                }
            }
        }
    }

    func testQuietPhoneCountsMessagesWithoutNotificationAndSound() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.notices.isQuiet = true
            fixture.come("grace@example.org", "Are you there?")
            waitUntil("it is counted") { fixture.chat.buddies.unread == 1 }
            fixture.notices.isQuiet = false
            fixture.come("linus@example.org", "Hello")
            waitUntil("the next one is told") { !fixture.notifier.shown.isEmpty }
            XCTAssertEqual(Array(fixture.notifier.shown.keys), ["linus@example.org"])
            XCTAssertEqual(fixture.heard, ["ding"])
        }
    }

    func testDismissedNotificationStaysClosedAcrossLocking() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture(passcode: "1234")
            fixture.open()
            fixture.come("grace@example.org", "A secret")
            waitUntil("it is told") { fixture.notifier.shown.count == 1 }
            fixture.notifier.dismiss("grace@example.org")
            fixture.lock.lock()
            XCTAssertEqual(fixture.notifier.count, 1)
            // A new message is reported once, as long as its notification is open.
            fixture.come("grace@example.org", "2")
            fixture.come("linus@example.org", "3")
            fixture.settle()
            XCTAssertEqual(fixture.notifier.count, 2)
            fixture.notifier.dismiss("")
            fixture.lock.press(9)
            XCTAssertEqual(fixture.notifier.count, 2)
            fixture.come("linus@example.org", "4")
            fixture.settle()
            XCTAssertEqual(fixture.notifier.count, 3)
        }
    }

    func testReplyIsSentAndMarksMessageRead() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.service.tell(.ready)
            fixture.come("grace@example.org", "Are you there?")
            waitUntil("it is told") { fixture.notifier.shown.count == 1 }
            fixture.notifier.onReply?("grace@example.org", "  ")
            fixture.notifier.onReply?("grace@example.org", "Yes.")
            waitUntil("the answer goes out") {
                fixture.service.calls.contains { if case .send("Yes.", _) = $0 { true } else { false } }
            }
            XCTAssert(fixture.notifier.shown.isEmpty)
            waitUntil("it is seen") {
                fixture.chat.buddies.row(of: ChatAddress("grace@example.org"))?.unread == 0
            }
        }
    }

    func testStrangersCannotTurnTextAround() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            let turned = "\u{202E}ecarG\u{2067}"
            let tea = ChatAddress("tea@rooms.example.org")
            fixture.service.tell(
                .buddies([BuddyRecord(ChatAddress("grace@example.org"), name: turned)], version: nil))
            fixture.service.tell(
                .room(Room(RoomRecord(tea, name: turned, nickname: "ada"), standing: .joined)))
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: tea, sender: .occupant(RoomOccupant(nickname: turned)),
                            text: "ada, \(turned)",
                            time: ChatTime(milliseconds: 1), name: "1"))
                ]))
            fixture.come("grace@example.org", turned)
            fixture.come("\(turned)@example.org", turned)
            waitUntil("all are told") { fixture.notifier.shown.count == 3 }
            for note in fixture.notifier.shown.values {
                for text in [note.title, note.body] {
                    XCTAssertFalse(text.unicodeScalars.contains("\u{202E}"), text)
                    XCTAssertEqual(
                        text.unicodeScalars.filter { $0 == "\u{2067}" }.count,
                        text.unicodeScalars.filter { $0 == "\u{2069}" }.count, text)
                }
            }
            XCTAssertEqual(fixture.notifier.shown["grace@example.org"]?.title, "ecarG")
        }
    }

    func testClickOpensConversation() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            var opened: [String] = []
            fixture.notices.onOpen = { opened.append("\($0?.buddy.text ?? "the phone") \($1 ?? "")") }
            fixture.come("grace@example.org", "Are you there?")
            waitUntil("it is told") { fixture.notifier.shown.count == 1 }
            fixture.notifier.onOpen?("grace@example.org", "token")
            fixture.notifier.onOpen?("", nil)
            XCTAssertEqual(opened, ["grace@example.org token", "the phone "])
        }
    }
}

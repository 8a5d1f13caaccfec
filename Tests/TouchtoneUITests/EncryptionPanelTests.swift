// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the locks of a conversation, and of what opens from them.
final class EncryptionPanelTests: GtkTestCase {
    private static let grace = MessagePanelFixture.grace

    func testLocksSayTheStateInWords() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let states: [(EncryptionSupport, String)] = [
                (.unknown, "Not encrypted. It is not known yet whether it can be."),
                (.possible(KeySummary([.blind: 1])), "Not encrypted yet, but it can be."),
                (.impossible(.noKeys), "Not encrypted, because Grace has no app that encrypts."),
                (
                    .impossible(.openRoom),
                    "Not encrypted, because anybody may enter the room, or it hides who is there."
                ), (.impossible(.server), "Not encrypted, because your server keeps no keys."),
            ]
            for (support, words) in states {
                fixture.tell(support)
                XCTAssertEqual(fixture.lockWords, [words, words])
            }
            fixture.tell(.possible(KeySummary([.blind: 1, .verified: 1])))
            fixture.service.tell(.encryptionBegan(Self.grace))
            fixture.settle()
            XCTAssertEqual(
                fixture.lockWords.first, "Encrypted. You have compared the keys of some devices.")
            fixture.tell(.possible(KeySummary([.verified: 2])))
            XCTAssertEqual(
                fixture.lockWords.first, "Encrypted. You have compared the keys of all devices.")
            fixture.tell(.unknown)
            XCTAssertEqual(fixture.lockWords.first, "Encrypted. Nothing is sent that is not.")
            fixture.open(.operatorAddress)
            XCTAssertEqual(
                fixture.lockWords.first,
                "Not encrypted. The Operator is a part of this phone, so nothing leaves it.")
            fixture.clear()
        }
    }

    func testServerWithoutKeysIsToldOnce() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.service.tell(.account(MessagePanelFixture.me))
            fixture.meet()
            fixture.open()
            fixture.tell(.unknown)
            fixture.tell(.impossible(.noKeys))
            XCTAssertEqual(fixture.navigator.notes, [])
            fixture.tell(.impossible(.server))
            XCTAssertEqual(fixture.navigator.notes.count, 1)
            XCTAssert(fixture.navigator.notes[0].hasPrefix("say Your server keeps no keys"))
            fixture.open(MessagePanelFixture.edsger)
            fixture.tell(.impossible(.server), of: MessagePanelFixture.edsger)
            fixture.tell(.unknown)
            fixture.tell(.impossible(.server))
            XCTAssertEqual(fixture.navigator.notes.count, 1)
            fixture.clear()
        }
    }

    func testLockOpensTheSwitch() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.tell(.possible(KeySummary([.blind: 1])))
            fixture.click(fixture.button("Encryption"))
            let toggle = try XCTUnwrap(fixture.encryptionSwitch)
            XCTAssert(fixture.shownTexts.contains("Not encrypted yet, but it can be."))
            fixture.settle()
            fixture.click(toggle)
            waitUntil("it is encrypted") { fixture.chat.isEncrypted(Self.grace) }
            XCTAssert(
                fixture.shownTexts.contains("Encrypted. You have not compared any keys yet."),
                "\(fixture.shownTexts)")
            // Nothing waits, so nothing is asked.
            fixture.click(toggle)
            waitUntil("it is not") { fixture.chat.encryptionChoice(of: Self.grace) == .off }
            XCTAssert(
                fixture.shownTexts.contains(
                    "Not encrypted, because you have turned encryption off here."))
            fixture.tell(.impossible(.noKeys))
            XCTAssertEqual(gtk_widget_get_sensitive(toggle), 0)
            fixture.clear()
        }
    }

    func testShortcutAndMenuOpenIt() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.key(Modifier.shift, down: true)
            fixture.type("k", with: Modifier.control)
            fixture.key(Modifier.shift, down: false)
            waitUntil("it is open") { fixture.encryptionSwitch != nil }
            // The first thing has the focus.
            XCTAssertEqual(fixture.encryptionSwitch?.focusInWindow, fixture.encryptionSwitch)
            TransientPopover.cancel()
            fixture.settle()
            fixture.click(fixture.button("Menu"))
            XCTAssert(fixture.menuItems.contains("Encryption…"), "\(fixture.menuItems)")
            fixture.type(GDK_KEY_Escape)
            fixture.clear()
        }
    }

    func testMenuOfRowOpensTheConversationAndIt() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.chat.select(nil)
            fixture.settle()
            fixture.enter("Buddies")
            fixture.type(GDK_KEY_Menu)
            waitUntil("the menu is open") { fixture.menuItems.contains("Encryption…") }
            for _ in 0..<20 where fixture.selectedMenuItem != "Encryption…" { fixture.type(GDK_KEY_Down) }
            fixture.type(GDK_KEY_Return)
            waitUntil("it is open") { fixture.encryptionSwitch != nil }
            XCTAssertEqual(fixture.chat.selected?.buddy, Self.grace)
            fixture.clear()
        }
    }

    func testTurningOffAsksWhileMessagesWait() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.tell(.unreachable(Self.grace))
            fixture.click(fixture.button("Turn Encryption Off…"))
            waitUntil("it is asked") { fixture.shownTexts.contains("Turn Encryption Off?") }
            XCTAssert(
                fixture.shownTexts.contains("The messages that wait are then sent unencrypted."))
            XCTAssert(fixture.chat.isEncrypted(Self.grace))
            fixture.settle()
            fixture.click(fixture.button("Turn Off"))
            waitUntil("it is off") { fixture.chat.encryptionChoice(of: Self.grace) == .off }
            waitUntil("the bar is gone") { fixture.button("Ask Again") == nil }
            fixture.clear()
        }
    }

    func testBarNamesWhatIsInTheWay() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            let new = MessagePanelFixture.device(13, .undecided)
            let others = MessagePanelFixture.device(14, .undecided, label: "phone")
            let off = "Turn Encryption Off…"
            let cases: [(EncryptionObstacle, String, [String])] = [
                (.noDevices(Self.grace), "Grace has no app that encrypts any more.", ["Ask Again", off]),
                (.unreachable(Self.grace), "the keys of Grace can’t be fetched now.", ["Ask Again", off]),
                (.noneTrusted(Self.grace), "you trust none of the devices of Grace.", ["Decide…", off]),
                (
                    .undecided([new]), "device 13 of Grace is new. Decide whether you trust it.",
                    ["Decide…", "Send to Trusted Devices Only", off]
                ),
                (
                    .undecided([new, others]),
                    "there are new devices of Grace. Decide whether you trust them.",
                    ["Decide…", "Send to Trusted Devices Only", off]
                ),
                (
                    .openRoom, "anybody may enter the room now, or it hides who is there.",
                    ["Ask Again", off]
                ),
                (
                    .unknownMembers, "it is not known now who is a member of the room.",
                    ["Ask Again", off]
                ),
            ]
            for (obstacle, words, keys) in cases {
                fixture.tell(obstacle)
                XCTAssert(
                    fixture.labels(in: fixture.widget).contains("Your messages wait: " + words),
                    "\(obstacle): \(fixture.labels(in: fixture.widget))")
                XCTAssertEqual(fixture.obstacleKeys, keys, "\(obstacle)")
            }
            fixture.tell(nil)
            XCTAssertEqual(fixture.obstacleKeys, [])
            fixture.clear()
        }
    }

    func testRoomCanLeaveMembersOut() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            let tea = ChatAddress("tea@rooms.example.org")
            let record = RoomRecord(tea, nickname: "ada")
            fixture.service.tell(.room(Room(record, standing: .joined, peopleCount: 3, rights: .speak)))
            fixture.open(tea)
            fixture.tell(.impossible(.noKeys), of: tea)
            XCTAssertEqual(
                fixture.lockWords.first,
                "Not encrypted, because not every member has an app that encrypts.")
            fixture.tell(.possible(KeySummary([.blind: 2])), of: tea)
            fixture.chat.setEncrypted(true, tea)
            fixture.tell(.noDevices(Self.grace), of: tea)
            XCTAssertEqual(
                fixture.obstacleKeys, ["Ask Again", "Send to Trusted Devices Only", "Turn Encryption Off…"])
            // It belongs to that conversation alone.
            fixture.open()
            XCTAssertEqual(fixture.obstacleKeys, [])
            fixture.clear()
        }
    }

    func testNothingOfItIsLeftOnALockedPhone() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.tell(.unreachable(Self.grace))
            fixture.panel.setCovered(true)
            fixture.settle()
            XCTAssertEqual(fixture.obstacleKeys, [])
            let texts = descendants(of: fixture.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map { String(cString: gtk_label_get_text($0.cast())) }
            XCTAssertFalse(texts.contains { $0.contains("Your messages wait") })
            fixture.panel.setCovered(false)
            fixture.settle()
            XCTAssertEqual(fixture.obstacleKeys, ["Ask Again", "Turn Encryption Off…"])
            fixture.clear()
        }
    }

    func testChoicesOfTheBar() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            let keys = fixture.service.keys
            fixture.tell(.unreachable(Self.grace))
            _ = keys.takeCalls()
            fixture.click(fixture.button("Ask Again"))
            fixture.wait(for: [.retry(Self.grace)])
            fixture.tell(.undecided([MessagePanelFixture.device(13, .undecided)]))
            fixture.click(fixture.button("Send to Trusted Devices Only"))
            fixture.wait(for: [.retry(Self.grace)])
            XCTAssertEqual(fixture.chat.encryptionChoice(of: Self.grace), .on(leavesOut: true))
            keys.known = MessagePanelFixture.devices
            fixture.click(fixture.button("Decide…"))
            waitUntil("the devices are shown") { fixture.shownTexts.contains("Devices of Grace") }
            fixture.clear()
        }
    }
}

extension MessagePanelFixture {
    /// The descriptions of the locks in the header and in the message field.
    fileprivate var lockWords: [String] {
        descendants(of: widget).filter {
            accessibleName(of: $0) == "Encryption" && gtk_widget_get_mapped($0) != 0
        }.map { description(of: $0) }
    }

    fileprivate var encryptionSwitch: Widget? {
        popovers.first.flatMap { popover in
            descendants(of: popover).first { cgtk_instance_is_a($0, gtk_switch_get_type()) != 0 }
        }
    }

    /// The keys of the bar above the message field.
    fileprivate var obstacleKeys: [String] {
        ["Decide…", "Ask Again", "Send to Trusted Devices Only", "Turn Encryption Off…"].filter {
            button($0).map { gtk_widget_get_mapped($0) != 0 } ?? false
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of what a conversation says of the protection of its messages.
final class ProtectionTests: GtkTestCase {
    func testOnlyUnexpectedProtectionIsShown() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            let cases: [(Protection, String?)] = [
                (.exposed, "Not encrypted"), (.encrypted(.blind), nil), (.encrypted(.verified), nil),
                (.encrypted(.undecided), "From a device that you have not decided on"),
                (.encrypted(.distrusted), "From a device that you distrust"),
            ]
            for (number, (protection, warning)) in cases.enumerated() {
                fixture.come(MessageContent("text \(number)", protection: protection))
                let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): text \(number)"))
                let labels = fixture.labels(in: row)
                for (_, other) in cases {
                    guard let other else { continue }
                    XCTAssertEqual(labels.contains(other), other == warning, "\(protection): \(labels)")
                }
                XCTAssertEqual(
                    fixture.description(of: row).contains(warning ?? "device that"), warning != nil,
                    "\(protection)")
            }
            fixture.clear()
        }
    }

    func testUnreadableMessageSaysWhy() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            for reason in UnreadableReason.allCases {
                fixture.come(MessageContent("spoof \(reason)", protection: .unreadable(reason)))
                let name = "Grace, \(fixture.time): \(reason.sentence)"
                let balloon = try XCTUnwrap(fixture.balloon(name), "\(reason)")
                let style = gtk_widget_get_style_context(balloon)
                XCTAssertNotEqual(gtk_style_context_has_class(style, "deleted"), 0)
            }
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains { $0.contains("spoof") })
            fixture.clear()
        }
    }

    func testDetailsNameTheDevice() {
        onMainActor {
            let (grace, me) = (MessagePanelFixture.grace, MessagePanelFixture.me)
            @MainActor func device(
                _ number: UInt32?, by sender: MessageSender = .buddy,
                _ protection: Protection = .encrypted(.blind)
            ) -> String? {
                let message = ChatMessage(
                    id: 1, conversation: ConversationID(grace, of: me), sender: sender,
                    content: MessageContent("text", protection: protection, device: number),
                    time: ChatTime(milliseconds: 1), place: 1, state: .received)
                let others = [
                    // The account of a stranger may choose the same number.
                    MessagePanelFixture.device(12, of: ChatAddress("mallory@example.org"), label: "Mine"),
                    DeviceKey(
                        DeviceAddress(grace, 13), key: nil, trust: .undecided, isActive: true,
                        firstSeen: ChatTime(milliseconds: 1)),
                ]
                return MessageDetails(
                    message, buddyName: "Grace", account: "", devices: MessagePanelFixture.devices + others
                ).entries.first { $0.name == "Device" }?.value
            }
            XCTAssertEqual(device(11), "Device 11, fingerprint 0b0b0b0b 0b0b0b0b…")
            XCTAssertEqual(device(12), "Grace’s tablet, fingerprint 0c0c0c0c 0c0c0c0c…")
            XCTAssertEqual(device(13), "Device 13", "its key is not known")
            XCTAssertEqual(device(22), "Device 22", "that is one of mine")
            XCTAssertEqual(device(22, by: .me), "Device 22, fingerprint 16161616 16161616…")
            XCTAssertEqual(device(MessageContent.thisDevice, by: .me), "This device")
            let occupant = { MessageSender.occupant(RoomOccupant(nickname: "Grace", address: $0)) }
            XCTAssertEqual(device(12, by: occupant(grace)), "Grace’s tablet, fingerprint 0c0c0c0c 0c0c0c0c…")
            XCTAssertEqual(device(12, by: occupant(nil)), "Device 12", "two have it")
            XCTAssertEqual(device(11, by: occupant(nil)), "Device 11, fingerprint 0b0b0b0b 0b0b0b0b…")
            XCTAssertNil(device(nil))
            XCTAssertNil(device(11, .exposed), "it is not encrypted")
        }
    }

    func testDetailsLearnTheNameOfTheDevice() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.service.keys.known = MessagePanelFixture.devices
            fixture.come(MessageContent("text", protection: .encrypted(.verified), device: 12))
            fixture.settle()
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            waitUntil("the menu is open") { fixture.menuItems.contains("Details…") }
            for _ in fixture.menuItems where fixture.selectedMenuItem != "Details…" {
                fixture.type(GDK_KEY_Down)
            }
            fixture.type(GDK_KEY_Return)
            waitUntil("the device is named") {
                fixture.shownTexts.contains("Grace’s tablet, fingerprint 0c0c0c0c 0c0c0c0c…")
            }
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            fixture.clear()
        }
    }

    func testDetailsSayWhatStaysReadable() {
        onMainActor {
            let sentences: [(Protection, MessageSender, String)] = [
                (.none, .buddy, "None"),
                (
                    .exposed, .buddy,
                    "None, although the conversation was encrypted when this message came."
                ), (.encrypted(.verified), .buddy, "Encrypted, with a key that you have compared."),
                (.encrypted(.blind), .buddy, "Encrypted, with a key that you have not compared."),
                (.encrypted(.undecided), .buddy, "Encrypted, with a key that you have not decided on."),
                (.encrypted(.distrusted), .buddy, "Encrypted, with a key that you distrust."),
                (.encrypted(.blind), .me, "Encrypted."),
                (.unreadable(.malformed), .buddy, UnreadableReason.malformed.sentence),
            ]
            for (protection, sender, sentence) in sentences {
                let message = ChatMessage(
                    id: 1, conversation: ConversationID(MessagePanelFixture.grace, of: nil), sender: sender,
                    content: MessageContent("text", protection: protection), time: ChatTime(milliseconds: 1),
                    place: 1, state: .received)
                let details = MessageDetails(message, buddyName: "Grace", account: "")
                let value = details.entries.first { $0.name == "End-to-End Encryption" }?.value ?? ""
                XCTAssert(value.hasPrefix(sentence), value)
                XCTAssertEqual(value.contains("stay readable for the servers"), protection.isEncrypted)
            }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

extension MessagePanelFixture {
    /// Shows the panel with the open conversation of a buddy who has keys.
    static func encrypted(
        width: gint = 430, isRightToLeft: Bool = false, trust: KeyTrust = .blind
    ) throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture(width: width, isRightToLeft: isRightToLeft)
        fixture.service.tell(.account(me))
        fixture.meet()
        fixture.open()
        fixture.tell(.possible(KeySummary([trust: 2])))
        fixture.service.tell(.encryptionBegan(grace))
        fixture.settle()
        return fixture
    }

    nonisolated static let me = ChatAddress("me@example.org")

    /// Reports whether a conversation can be encrypted.
    func tell(_ support: EncryptionSupport, of buddy: ChatAddress = grace) {
        service.tell(.encryption(buddy, support))
        settle()
    }

    /// Reports what keeps messages waiting.
    func tell(_ obstacle: EncryptionObstacle?, of buddy: ChatAddress = grace) {
        service.tell(.encryptionObstacle(buddy, obstacle))
        settle()
    }

    /// Makes a device, whose key has its number in each byte.
    static func device(
        _ number: UInt32, of account: ChatAddress = grace, _ trust: KeyTrust = .blind, isActive: Bool = true,
        isThis: Bool = false, label: String = ""
    ) -> DeviceKey {
        DeviceKey(
            DeviceAddress(account, number),
            key: Array(repeating: UInt8(truncatingIfNeeded: number), count: 32),
            trust: trust, isActive: isActive, isThis: isThis, firstSeen: ChatTime(milliseconds: 1_000_000),
            lastSeen: isThis ? nil : ChatTime(milliseconds: 2_000_000), label: label)
    }

    /// Two devices of the buddy, and three of the user.
    static let devices = [
        device(11), device(12, .verified, label: "Grace’s tablet"),
        device(21, of: me, .verified, isThis: true), device(22, of: me), device(23, of: me, isActive: false),
    ]

    /// Opens the devices of the conversation.
    func openDevices() {
        service.keys.known = service.keys.known.isEmpty ? Self.devices : service.keys.known
        panel.showDevices(of: ConversationID(Self.grace, of: Self.me))
        waitUntil("the devices are shown") { shownTexts.contains("Your Devices") }
        settle()
    }

    /// Waits until the encryption has got requests, and no others.
    func wait(for calls: [FakeEncryption.Call], file: StaticString = #filePath, line: UInt = #line) {
        let seen = Variable<[FakeEncryption.Call]>([])
        waitUntil("it is requested", file: file, line: line) {
            seen.value += service.keys.takeCalls()
            return seen.value == calls
        }
    }

    /// The texts of the open popover.
    var shownTexts: [String] { popovers.first.map { labels(in: $0) } ?? [] }

    /// Presses a button, also one that is out of view in its list.
    func press(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let button = button(name) else {
            return XCTFail("there is no \(name): \(shownTexts)", file: file, line: line)
        }
        gtk_widget_activate(button)
        settle()
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the devices of a conversation, and of what the user decides on them.
final class DevicesPopoverTests: GtkTestCase {
    private static let (grace, me) = (MessagePanelFixture.grace, MessagePanelFixture.me)

    func testDevicesAreDescribed() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let texts = fixture.shownTexts
            for text in [
                "Devices of Grace", "Device 11", "Grace’s tablet", "Your Devices", "Device 22",
                Array(repeating: "0b0b0b0b", count: 8).joined(separator: " "),
            ] {
                XCTAssert(texts.contains(text), "\(text): \(texts)")
            }
            let states = texts.filter { $0.contains("First seen:") }
            XCTAssertEqual(
                states.map { $0.split(separator: " · ")[0] },
                [
                    "Trusted, not compared", "Compared", "This device", "Trusted, not compared",
                    "Not used any more",
                ])
            XCTAssertEqual(states.filter { $0.contains("Last message:") }.count, 4)
            // What is offered depends on the device.
            XCTAssertNotNil(fixture.button("Verify device 11"))
            XCTAssertNil(fixture.button("Verify Grace’s tablet"))
            XCTAssertNil(fixture.button("Remove device 11"))
            XCTAssertNil(fixture.button("Remove device 21"))
            XCTAssertNotNil(fixture.button("Remove device 22"))
            XCTAssertNil(fixture.button("Remove device 23"))
            fixture.clear()
        }
    }

    func testComparedDeviceStaysComparedWhenSwitchedOffAndOn() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.service.keys.known = [
                MessagePanelFixture.device(11, .verified),
                MessagePanelFixture.device(21, of: MessagePanelFixture.me, .verified, isThis: true),
            ]
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            let toggle = try XCTUnwrap(fixture.trustSwitch("Trust device 11"))
            fixture.click(toggle)
            fixture.wait(for: [.trust(.setAside, DeviceAddress(Self.grace, 11))])
            waitUntil("it is said") { fixture.shownTexts.contains { $0.hasPrefix("Not trusted") } }
            fixture.click(toggle)
            fixture.wait(for: [.trust(.verified, DeviceAddress(Self.grace, 11))])
            fixture.clear()
        }
    }

    func testSwitchChangesTrust() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            let toggle = try XCTUnwrap(fixture.trustSwitch("Trust device 11"))
            fixture.click(toggle)
            fixture.wait(for: [.trust(.distrusted, DeviceAddress(Self.grace, 11))])
            waitUntil("it is said") { fixture.shownTexts.contains { $0.hasPrefix("Not trusted") } }
            fixture.click(toggle)
            fixture.wait(for: [.trust(.blind, DeviceAddress(Self.grace, 11))])
            fixture.clear()
        }
    }

    func testVerificationIsConfirmed() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            fixture.press("Verify device 11")
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify device 11") }
            XCTAssert(fixture.shownTexts.contains { $0.hasPrefix("Compare this fingerprint") })
            // Return does not confirm by chance.
            fixture.type(GDK_KEY_Escape)
            waitUntil("the devices are back") { fixture.shownTexts.contains("Devices of Grace") }
            XCTAssertEqual(keys.takeCalls(), [])
            fixture.press("Verify device 11")
            waitUntil("it is asked") { fixture.button("They Are the Same") != nil }
            fixture.press("They Are the Same")
            fixture.wait(for: [.trust(.verified, DeviceAddress(Self.grace, 11))])
            waitUntil("it is said") { fixture.button("Verify device 11") == nil }
            XCTAssertEqual(
                fixture.shownTexts.filter { $0.hasPrefix("Compared") }.count, 2, "\(fixture.shownTexts)")
            fixture.clear()
        }
    }

    func testOwnDevicesAreNamedAndRemoved() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let (keys, device) = (fixture.service.keys, DeviceAddress(Self.me, 22))
            _ = keys.takeCalls()
            fixture.press("Rename device 22")
            waitUntil("it is asked") { fixture.shownTexts.contains("Rename device 22") }
            for letter: gint in [0x6f, 0x6c, 0x64] { fixture.type(letter) }
            fixture.type(GDK_KEY_Return)
            fixture.wait(for: [.label("old", device)])
            waitUntil("it is said") { fixture.shownTexts.contains("old") }
            keys.error = .offline
            fixture.press("Remove old")
            waitUntil("it is asked") { fixture.shownTexts.contains("Remove old?") }
            fixture.press("Remove")
            waitUntil("it fails") { fixture.shownTexts.contains(ChatServiceError.offline.text) }
            keys.error = nil
            fixture.press("Remove")
            waitUntil("it is gone") { fixture.shownTexts.contains("Your Devices") }
            waitUntil("it is gone") { !fixture.shownTexts.contains("old") }
            XCTAssertEqual(keys.takeCalls(), [.remove(device), .remove(device)])
            fixture.clear()
        }
    }

    func testSessionsStartAnew() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            _ = fixture.service.keys.takeCalls()
            fixture.press("Start Anew…")
            waitUntil("it is asked") { fixture.button("Start Anew") != nil }
            fixture.press("Start Anew")
            fixture.wait(for: [.startAnew(Self.grace)])
            fixture.clear()
        }
    }

    func testManyDevicesAreBuiltInParts() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.service.keys.known =
                (1...100).map { MessagePanelFixture.device($0) } + MessagePanelFixture.devices.suffix(3)
            fixture.openDevices()
            XCTAssertEqual(fixture.shownTexts.filter { $0.hasPrefix("Device ") }.count, 43)
            fixture.press("Show More Devices")
            waitUntil("there are more") {
                fixture.shownTexts.filter { $0.hasPrefix("Device ") }.count == 83
            }
            fixture.clear()
        }
    }

    // MARK: - Links

    func testLinkVerifiesOnlyAfterConfirmation() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let keys = fixture.service.keys
            _ = keys.takeCalls()
            Clipboard.write(
                XMPPURI(Self.grace, verifying: MessagePanelFixture.devices + [MessagePanelFixture.device(99)])
                    .text)
            fixture.press("Verify by Link or Code in Clipboard…")
            waitUntil("it is asked") { fixture.shownTexts.contains("Verify 1 Device?") }
            XCTAssert(
                fixture.shownTexts.contains {
                    $0.contains("Devices: device 11")
                        && $0.contains("1 other device in the link is not known here.")
                }, "\(fixture.shownTexts)")
            XCTAssertEqual(keys.takeCalls(), [])
            fixture.press("Verify")
            fixture.wait(for: [.trust(.verified, DeviceAddress(Self.grace, 11))])
            fixture.clear()
        }
    }

    func testLinkWithAnotherKeyIsAnAlarm() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.service.keys.known = MessagePanelFixture.devices
            _ = fixture.service.keys.takeCalls()
            let wrong = [
                LinkedKey(device: 11, key: Array(repeating: 11, count: 32)),
                LinkedKey(device: 12, key: Array(repeating: 13, count: 32)),
            ]
            fixture.panel.compare(wrong, of: ConversationID(Self.grace, of: Self.me))
            waitUntil("it is said") { fixture.shownTexts.contains("The Keys Differ") }
            XCTAssert(
                fixture.shownTexts.contains {
                    $0.contains("Grace’s tablet") && $0.contains("Nothing was verified.")
                })
            // Nothing can be confirmed.
            XCTAssertNil(fixture.button("Verify"))
            fixture.press("Back")
            waitUntil("the devices are back") { fixture.shownTexts.contains("Devices of Grace") }
            XCTAssertEqual(fixture.service.keys.takeCalls(), [])
            fixture.clear()
        }
    }

    func testOtherLinksVerifyNothing() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            let edsger = MessagePanelFixture.edsger
            for (text, words) in [
                ("hello", "There is no link with keys"), ("xmpp:grace@example.org", "There is no link"),
                (
                    XMPPURI(edsger, verifying: [MessagePanelFixture.device(11, of: edsger)]).text,
                    "The link is of edsger@example.org"
                ),
                (
                    XMPPURI(Self.grace, verifying: [MessagePanelFixture.device(77)]).text,
                    "The link names no device of Grace"
                ),
                (
                    XMPPURI(Self.grace, verifying: [MessagePanelFixture.devices[1]]).text,
                    "The keys are the same, and you had compared them before."
                ),
            ] {
                Clipboard.write(text)
                fixture.press("Verify by Link or Code in Clipboard…")
                waitUntil("it is said: \(words)") {
                    fixture.shownTexts.contains { $0.hasPrefix(words) }
                }
                XCTAssertNil(fixture.button("Verify"))
                fixture.press("Back")
                waitUntil("the devices are back") { fixture.shownTexts.contains("Devices of Grace") }
            }
            fixture.clear()
        }
    }

    func testOwnCodeNamesActiveDevices() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.encrypted()
            fixture.openDevices()
            fixture.press("Show Your Code…")
            waitUntil("it is shown") { fixture.shownTexts.contains("Your Code") }
            fixture.press("Copy Link")
            waitUntil("it is copied") { fixture.button("Copied") != nil }
            let key21 = String(repeating: "15", count: 32)
            let key22 = String(repeating: "16", count: 32)
            XCTAssertEqual(
                fixture.clipboard, "xmpp:me@example.org?omemo-sid-21=\(key21);omemo-sid-22=\(key22)")
            fixture.clear()
        }
    }

    func testQRCodeHasItsMarks() throws {
        guard let code = try? QRCode("xmpp:me@example.org?omemo-sid-1=00") else {
            throw XCTSkip("libqrencode is not installed")
        }
        // Three corners have the squares by which a code is found.
        for (left, top) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            XCTAssert((0..<7).allSatisfy { code.isDark(left + $0, top) && code.isDark(left, top + $0) })
            XCTAssertFalse(code.isDark(left + 1, top + 1))
            XCTAssert(code.isDark(left + 3, top + 3))
        }
        XCTAssertThrowsError(try QRCode(String(repeating: "x", count: 4000)))
    }
}

extension MessagePanelFixture {
    fileprivate func trustSwitch(_ name: String) -> Widget? {
        popovers.first.flatMap { popover in
            descendants(of: popover).first {
                cgtk_instance_is_a($0, gtk_switch_get_type()) != 0 && accessibleName(of: $0) == name
            }
        }
    }
}

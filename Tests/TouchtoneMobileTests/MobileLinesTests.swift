// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TouchtoneCore
import XCTest

@testable import TouchtoneMobile

/// Runs a test with a fixture.
@MainActor
private func with(
    chosen: String = "", isRunning: Bool = true, _ body: (MobileFixture) throws -> Void
) throws {
    let fixture = try MobileFixture(chosen: chosen, isRunning: isRunning)
    defer { fixture.end() }
    try body(fixture)
}

/// Tests of the lines that come and go with the phones, on a bus with a scripted service.
final class MobileLinesTests: XCTestCase {
    func testWithoutServiceNoLineIsOffered() throws {
        try onMainActor {
            try with(isRunning: false) { fixture in
                XCTAssertEqual(fixture.mobiles.isOffered, false)
                XCTAssertEqual(fixture.mobiles.phones, [])
                XCTAssertEqual(fixture.lines.lines.map(\.id), ["quiet"])
                fixture.service.setRunning(true)
                fixture.wait("the service is known") { fixture.mobiles.isOffered == true }
            }
        }
    }

    func testLineComesAndGoesWithThePhone() throws {
        try onMainActor {
            try with { fixture in
                let phone = try fixture.connect()
                XCTAssertEqual(fixture.lines.lines.map(\.id), [MobileFixture.id, "quiet"])
                XCTAssertEqual(fixture.line?.label, "MOBILE")
                XCTAssertEqual(fixture.line?.isMobile, true)
                fixture.service.disconnect(phone)
                fixture.wait("the line is gone") { fixture.line == nil }
            }
        }
    }

    func testPhoneThatIsThereAlreadyIsFound() throws {
        try onMainActor {
            try with(isRunning: false) { fixture in
                let phone = try fixture.service.connect(MobileFixture.address)
                try phone.add("active", "+15550123")
                fixture.service.setRunning(true)
                fixture.wait("its call is shown") { fixture.states == [.connected] }
                XCTAssertEqual(fixture.calls.calls.first?.remote.number.text, "+15550123")
            }
        }
    }

    func testLineGoesWithTheService() throws {
        try onMainActor {
            try with { fixture in
                let phone = try fixture.connect()
                fixture.talk("5550123", phone)
                fixture.service.setRunning(false)
                fixture.wait("the line is gone") { fixture.line == nil }
                XCTAssertEqual(fixture.states, [])
                XCTAssertEqual(fixture.records.map(\.endReason), [.connectionLost])
                fixture.wait("it is not offered") { fixture.mobiles.isOffered == false }
                fixture.service.setRunning(true)
                fixture.wait("the call is shown again") { fixture.states == [.connected] }
            }
        }
    }

    func testChosenLineStaysWhileThePhoneIsAway() throws {
        try onMainActor {
            try with(chosen: MobileFixture.id) { fixture in
                XCTAssertEqual(
                    fixture.line?.state, .unavailable(reason: localized("The phone is not connected.")))
                fixture.dial("5550123")
                fixture.wait("the call fails") { fixture.states == [.refused] }
                fixture.calls.hangUp()
                let phone = try fixture.connect()
                fixture.service.disconnect(phone)
                fixture.wait("the phone is away") { fixture.line?.state != .available }
                XCTAssertEqual(fixture.mobiles.phones.map(\.isConnected), [false])
                fixture.mobiles.chosen = ""
                XCTAssertNil(fixture.line)
            }
        }
    }

    func testOneNameOfSettingsIsNoPhone() throws {
        onMainActor {
            for setting in [
                "", "mobile-", "mobile-001122aabbc", "mobile-001122AABBCC", "mobile-001122aabbcg", "tel",
            ] {
                XCTAssertNil(BluetoothAddress(line: setting), setting)
            }
            XCTAssertEqual(BluetoothAddress(line: MobileFixture.id)?.text, MobileFixture.address)
        }
    }

    func testNameAndBatteryComeFromBlueZ() throws {
        try onMainActor {
            try with { fixture in
                let bluez = try ScriptedBlueZ(
                    fixture.other, address: MobileFixture.address, name: "Ada’s Phone", battery: 80)
                fixture.settle()
                XCTAssertEqual(bluez.questions, 0, "asked without a phone")
                _ = try fixture.connect()
                fixture.wait("the name is known") { fixture.mobiles.phones.first?.battery == 80 }
                XCTAssertEqual(fixture.line?.name, "Ada’s Phone")
                XCTAssertEqual(fixture.line?.label, "ADA'S PHONE")
                bluez.rename("Work\n\u{202e}phone")
                bluez.charge(200)
                fixture.wait("the battery is read") { fixture.mobiles.phones.first?.battery == 100 }
                XCTAssertEqual(fixture.line?.name, "Work phone")
                bluez.removeBattery(at: MobileFixture.address)
                fixture.wait("the battery is not known") { fixture.mobiles.phones.first?.battery == nil }
                XCTAssertEqual(fixture.line?.name, "Work phone")
            }
        }
    }

    // MARK: - Hostile services

    func testOneAddressIsOneLine() throws {
        try onMainActor {
            try with { fixture in
                _ = try fixture.connect()
                for address in [MobileFixture.address, MobileFixture.address.lowercased(), "", "x", "00:11"] {
                    try fixture.service.connect(address)
                }
                fixture.settle()
                XCTAssertEqual(fixture.lines.lines.count, 2)
            }
        }
    }

    func testNumberOfPhonesIsBounded() throws {
        try onMainActor {
            try with { fixture in
                for number in 0..<100 {
                    let digits = String(number, radix: 16)
                    try fixture.service.connect("00:00:00:00:00:\(digits.count == 1 ? "0" : "")\(digits)")
                }
                fixture.settle()
                XCTAssertEqual(fixture.lines.lines.count, TelephonyService.capacity + 1)
            }
        }
    }

    func testSignalsOfOtherFormsChangeNothing() throws {
        try onMainActor {
            try with { fixture in
                let phone = try fixture.connect()
                let nothing = Variant.array(of: "{sa{sv}}", [])
                for object in ["/", "/org/pipewire/Telephony", "\(phone.path)/a/b", "/other/call1"] {
                    phone.emit("InterfacesAdded", [.objectPath(object), nothing])
                    fixture.service.emit("InterfacesAdded", [.objectPath(object), nothing])
                    phone.emit("InterfacesRemoved", [.objectPath(object), .strings([])])
                }
                phone.emit("InterfacesAdded", [.string("x")])
                phone.emit("InterfacesAdded", [])
                phone.emit("InterfacesRemoved", [.uint32(7)])
                fixture.service.emit("InterfacesRemoved", [.objectPath(phone.path), .strings(["other"])])
                for state in ["", "ACTIVE", "flying", String(repeating: "a", count: 100_000)] {
                    try phone.add(state, "1")
                }
                fixture.settle()
                XCTAssertEqual(fixture.states, [])
                XCTAssertEqual(fixture.line?.state, .available)
            }
        }
    }

    func testAnotherProgramIsNotTheService() throws {
        try onMainActor {
            try with { fixture in
                let phone = try fixture.connect()
                let stranger = try DBusConnection.connectPrivatelyAndWait(to: .system)
                let export = try stranger.export(ScriptedTelephony.manager, at: phone.path) { _, _ in [] }
                export.emit(
                    "InterfacesAdded",
                    [
                        .objectPath("\(phone.path)/call9"),
                        ScriptedTelephony.interface(
                            "\(ScriptedTelephony.name).Call1", [("State", .string("incoming"))]),
                    ])
                fixture.settle()
                fixture.clock.advance(by: .seconds(5))
                XCTAssertEqual(fixture.states, [])
            }
        }
    }
}

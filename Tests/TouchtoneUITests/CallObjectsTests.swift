// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A recorder whose files go nowhere.
@MainActor
private final class Recorder: CallRecorder {
    func beginMessage(of call: Call, at now: Duration, isAloud: Bool) -> MachineAnswer? { nil }
    func beginRecording(of call: Call, at now: Duration) -> OpenFile? { OpenFile(-1) { _ in } }
    func endRecording(of call: Call.ID, _ result: RecordingResult) {}
}

/// A phone whose calls are on a bus of the test’s own.
@MainActor
private final class Desk {
    let fixture: PhoneWindowFixture
    let line: ScriptedLine
    let bus: PrivateBus
    let objects: CallObjects
    private let receiver = Receiver()
    private let phone: PhoneObject

    /// The texts that were to be filled in.
    var filledIn: [String] { receiver.texts }

    private final class Receiver: NumberReceiver {
        var texts: [String] = []
        func fillIn(_ text: String) { texts.append(text) }
        func setUpAccounts(at address: String) { texts.append("set up \(address)") }
    }

    init(passcode: String? = nil) throws {
        bus = try PrivateBus()
        fixture = try PhoneWindowFixture(passcode: passcode)
        if let passcode {
            let lock = fixture.lock
            fixture.type(passcode)
            MainLoop.run(upTo: 60_000) { !lock.isLocked }
        }
        line = fixture.talkingLine()
        objects = try CallObjects(
            phone: fixture.phone, lock: fixture.lock, wall: FixedWallClock(), on: bus.phone)
        phone = try PhoneObject(
            phone: fixture.phone, lock: fixture.lock, receiver: receiver, makeReport: { "report" },
            on: bus.phone)
    }

    func end() {
        fixture.clear()
        bus.end()
    }

    /// Calls a method of a call, and returns the name of the error; empty for none.
    @discardableResult
    func act(_ method: String, _ arguments: Variant..., call: Int = 1) -> String {
        bus.call(CallObjects.interface, method, arguments, at: CallObjects.path(of: call)).error
    }

    /// Calls a method of the phone.
    func ask(_ method: String, _ arguments: Variant...) -> (results: Variant?, error: String) {
        bus.call(PhoneObject.interface, method, arguments, at: CallObjects.path)
    }

    /// Everything that the bus tells of the calls, as text.
    var told: String {
        bus.call("org.freedesktop.DBus.ObjectManager", "GetManagedObjects", at: CallObjects.path)
            .results?.printed ?? ""
    }

    /// A property of a call, as text.
    func property(_ name: String, call: Int = 1) -> String {
        bus.call(
            "org.freedesktop.DBus.Properties", "Get", [.string(CallObjects.interface), .string(name)],
            at: CallObjects.path(of: call)
        ).results?[0]?.content?.printed ?? ""
    }

    var states: [String] { fixture.phone.calls.calls.map(\.state.busName) }
}

final class CallObjectsTests: GtkTestCase {
    func testCallIsAnObjectUntilItEnds() throws {
        try onMainActor {
            let desk = try Desk()
            desk.bus.listen(
                to: "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: CallObjects.path)
            desk.bus.listen(
                to: "InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", at: CallObjects.path)
            desk.bus.listen(
                to: "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: CallObjects.path(of: 1))
            // The bus has the matches once it answers.
            XCTAssertEqual(desk.told, "({},)")
            desk.fixture.talk("5550123", on: desk.line)
            XCTAssertTrue(desk.told.contains("\(CallObjects.path)/call/1"), desk.told)
            XCTAssertEqual(desk.property("Address"), "'5550123'")
            XCTAssertEqual(desk.property("Line"), "'talking'")
            XCTAssertEqual(desk.property("Direction"), "'outgoing'")
            XCTAssertEqual(desk.property("State"), "'connected'")
            XCTAssertEqual(desk.property("Recording"), "false")
            XCTAssertEqual(desk.act("Mute", .bool(true)), "")
            XCTAssertEqual(desk.property("Muted"), "true")
            XCTAssertTrue(desk.line.calls[0].isMuted)
            XCTAssertEqual(desk.act("Hold"), "")
            XCTAssertEqual(desk.property("Held"), "true")
            XCTAssertEqual(desk.act("Resume"), "")
            XCTAssertEqual(desk.act("HangUp"), "")
            XCTAssertEqual(desk.told, "({},)")
            XCTAssertEqual(desk.bus.heard.first, "InterfacesAdded \(CallObjects.path)")
            XCTAssertEqual(desk.bus.heard.last, "InterfacesRemoved \(CallObjects.path)")
            let changes = desk.bus.values.map(\.printed).filter { $0.contains("State") }
            XCTAssertEqual(
                changes.compactMap { text in
                    ["dialling", "connected", "held", "ended"].first { text.contains("<'\($0)'>") }
                }, ["dialling", "connected", "held", "connected", "ended"])
            XCTAssertNotEqual(desk.act("HangUp"), "", "the object is gone")
            desk.fixture.talk("1", on: desk.line)
            XCTAssertTrue(desk.told.contains("/call/2"), "numbers are not used again")
            desk.end()
        }
    }

    func testTimeThatPassesIsNoChange() throws {
        try onMainActor {
            let desk = try Desk()
            let (calls, recorder) = (desk.fixture.phone.calls, Recorder())
            calls.recorder = recorder
            desk.line.features.insert(.recording)
            desk.fixture.talk("5550123", on: desk.line)
            desk.bus.listen(
                to: "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: CallObjects.path(of: 1))
            XCTAssertEqual(desk.property("State"), "'connected'")
            desk.objects.refresh()
            desk.objects.refresh()
            XCTAssertEqual(desk.property("State"), "'connected'")
            XCTAssertEqual(desk.bus.heard, [])
            XCTAssertTrue(calls.setRecorded(true))
            XCTAssertEqual(desk.property("Recording"), "true")
            XCTAssertEqual(desk.bus.heard.count, 1)
            desk.end()
        }
    }

    func testLockedPhoneNamesNobody() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            desk.bus.listen(
                to: "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: CallObjects.path(of: 1))
            desk.line.offer("5550123", displayName: "Grace Hopper")
            XCTAssertEqual(desk.property("Name"), "'\"Grace Hopper\"'")
            XCTAssertEqual(desk.property("Line"), "'talking'")
            desk.fixture.lock.lock()
            handleEvents()
            XCTAssertFalse(desk.told.contains("5550123"), desk.told)
            XCTAssertFalse(desk.told.uppercased().contains("GRACE"), desk.told)
            XCTAssertEqual(desk.property("Name"), "''")
            XCTAssertEqual(desk.property("Line"), "''")
            XCTAssertFalse(desk.told.contains("talking"), desk.told)
            for name in ["Line", "Address"] {
                XCTAssertTrue(desk.bus.values.last?.printed.contains("'\(name)': <''>") == true, name)
            }
            for method in ["Hold", "Resume"] { XCTAssertEqual(desk.act(method), "Locked") }
            XCTAssertEqual(desk.act("SendKeys", .string("1")), "Locked")
            XCTAssertEqual(desk.act("TransferTo", .string("5550100")), "Locked")
            XCTAssertEqual(desk.act("Answer"), "")
            XCTAssertEqual(desk.act("Mute", .bool(true)), "")
            XCTAssertEqual(desk.states, ["connected"])
            XCTAssertEqual(desk.ask("Dial", .string("5550100")).error, "Locked")
            XCTAssertEqual(desk.ask("Enter", .string("no number")).results?[0]?.bool, false)
            XCTAssertEqual(desk.act("HangUp"), "")
            XCTAssertEqual(desk.states, [])
            desk.end()
        }
    }

    func testKeysAreSentAndNeverTold() throws {
        try onMainActor {
            let desk = try Desk()
            desk.fixture.talk("5550123,,987", on: desk.line)
            for text in ["", "12a", "1 2", "E", "1\u{301}", "¹", String(repeating: "1", count: 65)] {
                XCTAssertEqual(desk.act("SendKeys", .string(text)), "InvalidKeys", text)
            }
            waitUntil("the number’s own keys are sent") { desk.line.calls[0].keys == "987" }
            XCTAssertEqual(desk.act("SendKeys", .string("4711#*AD")), "")
            waitUntil("the keys are sent") { desk.line.calls[0].keys == "9874711#*AD" }
            XCTAssertEqual(desk.property("Address"), "'5550123'")
            for secret in ["987", "4711"] { XCTAssertFalse(desk.told.contains(secret), desk.told) }
            desk.end()
        }
    }

    func testTransferIsCheckedAsInTheWindow() throws {
        try onMainActor {
            let desk = try Desk()
            desk.fixture.talk("5550123", on: desk.line)
            for text in ["", "nobody", "+", "xmpp:@", String(repeating: "1", count: 41)] {
                XCTAssertEqual(desk.act("TransferTo", .string(text)), "InvalidNumber", text)
            }
            XCTAssertEqual(desk.line.calls[0].targets, [])
            XCTAssertEqual(desk.act("TransferTo", .string("555-0199")), "")
            XCTAssertEqual(desk.line.calls[0].targets.map(\.number.text), ["5550199"])
            desk.line.features = [.conversation]
            desk.act("HangUp")
            desk.fixture.talk("5550123", on: desk.line)
            XCTAssertEqual(desk.act("TransferTo", .string("555-0199"), call: 2), "NotPossible")
            XCTAssertEqual(desk.act("Hold", call: 2), "NotPossible")
            XCTAssertEqual(desk.act("Answer", call: 2), "NotPossible")
            desk.end()
        }
    }

    func testHostileProgramChangesNothing() throws {
        try onMainActor {
            let desk = try Desk()
            desk.fixture.talk("5550123", on: desk.line)
            let huge = String(repeating: "1", count: 3_000_000)
            XCTAssertEqual(desk.act("SendKeys", .string(huge)), "TooLong")
            XCTAssertEqual(desk.act("TransferTo", .string(huge)), "TooLong")
            XCTAssertEqual(desk.ask("Dial", .string(huge)).error, "TooLong")
            XCTAssertEqual(desk.ask("Enter", .string(huge)).error, "TooLong")
            XCTAssertEqual(desk.act("SendKeys", .uint32(1)), "InvalidArgs")
            XCTAssertEqual(desk.act("Mute", .string("yes")), "InvalidArgs")
            XCTAssertEqual(desk.act("Mute"), "InvalidArgs")
            XCTAssertEqual(desk.act("Hold", .string("now")), "InvalidArgs")
            XCTAssertEqual(desk.act("Explode"), "UnknownMethod")
            let set = desk.bus.call(
                "org.freedesktop.DBus.Properties", "Set",
                [.string(CallObjects.interface), .string("State"), .boxed(.string("ended"))],
                at: CallObjects.path(of: 1))
            XCTAssertNotEqual(set.error, "")
            XCTAssertNotEqual(desk.act("HangUp", call: 99), "")
            for _ in 0..<TestLength.cases(200, long: 10_000) {
                XCTAssertEqual(desk.act("Answer"), "NotPossible")
                XCTAssertEqual(desk.act("Mute", .bool(true)), "")
                XCTAssertEqual(desk.act("Mute", .bool(false)), "")
                XCTAssertEqual(desk.act("TransferTo", .string("+")), "InvalidNumber")
                XCTAssertEqual(desk.ask("Dial", .string("5550199")).error, "LinesInUse")
            }
            XCTAssertEqual(desk.states, ["connected"])
            XCTAssertEqual(desk.line.calls.count, 1)
            desk.end()
        }
    }

    func testPhoneDialsOnlyWhenItIsToldTo() throws {
        try onMainActor {
            let desk = try Desk()
            XCTAssertEqual(desk.ask("Enter", .string("555-0123")).results?[0]?.bool, true)
            XCTAssertEqual(desk.filledIn, ["555-0123"])
            XCTAssertEqual(desk.ask("Enter", .string("none")).error, "InvalidNumber")
            XCTAssertEqual(desk.line.calls.count, 0)
            XCTAssertEqual(
                desk.ask("Dial", .string("555-0123")).results?[0]?.string, CallObjects.path(of: 1))
            XCTAssertEqual(desk.states, ["dialling"])
            XCTAssertEqual(desk.ask("Dial", .string("555-0124")).error, "LinesInUse")
            desk.act("HangUp")
            desk.line.callsNumbers = false
            XCTAssertEqual(desk.ask("Dial", .string("555-0123")).error, "NotPossible")
            XCTAssertEqual(desk.ask("Dial", .string("sip:grace@example.org")).error, "NotPossible")
            XCTAssertEqual(desk.ask("Report").results?[0]?.string, "report")
            XCTAssertEqual(desk.ask("SetUp", .string("https://pbx.example.org/")).error, "")
            XCTAssertEqual(desk.filledIn.last, "set up https://pbx.example.org/")
            desk.end()
        }
    }

    func testLockedPhoneCallsForHelpOnly() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            desk.fixture.lock.lock()
            XCTAssertEqual(desk.ask("Dial", .string("113")).error, "Locked")
            XCTAssertEqual(desk.ask("SetUp", .string("https://pbx.example.org/")).error, "Locked")
            XCTAssertEqual(desk.filledIn, [])
            XCTAssertEqual(desk.ask("Dial", .string("112")).error, "")
            XCTAssertEqual(desk.states, ["dialling"])
            XCTAssertEqual(desk.property("Address"), "''")
            desk.end()
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TouchtoneCore
import XCTest

@testable import TouchtoneMobile

/// The fixture of the present test.
@MainActor
private enum Desk {
    private static var fixture: MobileFixture?

    /// Returns a connected phone, with what the test uses.
    static func start() throws -> (MobileFixture, ScriptedPhone, CallManager) {
        let made = try MobileFixture()
        fixture = made
        return (made, try made.connect(), made.calls)
    }

    static func end() {
        fixture?.end()
        fixture = nil
    }
}

/// Tests of the calls of a phone, on a bus with a scripted service.
final class MobileCallTests: XCTestCase {
    override func tearDown() { onMainActor { Desk.end() } }

    // MARK: - Out

    func testNumberIsDialledAndAnswered() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.dial("+15550123,42#")
            fixture.wait("it is dialled") { phone.calls.count == 1 }
            XCTAssertEqual(phone.asked, ["Dial +15550123"])
            XCTAssertEqual(fixture.states, [.dialling])
            phone.set(phone.calls[0].path, "alerting")
            fixture.wait("it rings") { fixture.states == [.ringing] }
            phone.set(phone.calls[0].path, "active")
            fixture.wait("it is answered") { fixture.states == [.connected] }
            fixture.clock.advance(by: .seconds(30))
            fixture.wait("the keys are sent") { phone.asked.count == 4 }
            XCTAssertEqual(phone.asked.suffix(3), ["SendTones 4", "SendTones 2", "SendTones #"])
            calls.hangUp()
            fixture.wait("it is over there") { phone.calls.isEmpty }
            XCTAssertEqual(phone.asked.last, "Hangup call1")
            XCTAssertEqual(fixture.records.map(\.endReason), [.hungUp])
        }
    }

    func testFarEndHangsUp() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            fixture.talk("1", phone)
            phone.remove(phone.calls[0].path)
            fixture.wait("it is over") { fixture.states == [] }
            XCTAssertEqual(fixture.records.map(\.endReason), [.farEnd])
        }
    }

    func testNobodyAnswers() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            fixture.dial("1")
            fixture.wait("it is dialled") { phone.calls.count == 1 }
            phone.set(phone.calls[0].path, "alerting")
            fixture.wait("it rings") { fixture.states == [.ringing] }
            phone.remove(phone.calls[0].path)
            fixture.settle()
            XCTAssertEqual(fixture.states, [.ringing])
            fixture.clock.advance(by: PhoneCalls.returnTime)
            XCTAssertEqual(fixture.states, [])
            XCTAssertEqual(fixture.records.map(\.endReason), [.noAnswer])
        }
    }

    func testAnsweredCallThatIsReplacedGoesOn() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            fixture.dial("2")
            fixture.wait("it is dialled") { phone.calls.count == 2 }
            phone.remove(phone.calls[1].path)
            try phone.add("active", "2")
            fixture.wait("it is answered") { fixture.states == [.held, .connected] }
            fixture.clock.advance(by: .seconds(5))
            fixture.settle()
            XCTAssertEqual(fixture.states, [.held, .connected])
            XCTAssertEqual(calls.calls.map(\.remote.number.text), ["1", "2"])
            XCTAssertEqual(fixture.records, [])
        }
    }

    func testErrorsOfThePhoneAreReasons() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            let name = "\(ScriptedTelephony.name).Error"
            for (error, reason) in [
                (DBusError("\(name).InvalidFormat", "x"), CallEndReason.noSuchNumber),
                (DBusError("\(name).CME", "no network service"), .network),
                (DBusError("\(name).CME", "SIM busy"), .failed("")),
                (DBusError("\(name).Failed", "<b>x</b>"), .failed("")),
                (DBusError("org.example.Strange", String(repeating: "x", count: 10_000)), .failed("")),
            ] {
                phone.refusals["Dial"] = error
                fixture.dial("1")
                fixture.wait("it fails") { fixture.states == [.refused] }
                calls.hangUp()
                XCTAssertEqual(fixture.records.last?.endReason, reason)
            }
        }
    }

    func testDialledCallThatNeverAppearsFails() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            phone.isIdle = true
            fixture.dial("1")
            fixture.wait("it is asked") { phone.asked == ["Dial 1"] }
            fixture.settle()
            XCTAssertEqual(fixture.states, [.dialling])
            fixture.clock.advance(by: PhoneCalls.bindingTime)
            XCTAssertEqual(fixture.states, [.refused])
        }
    }

    func testCallThatIsGivenUpBeforeItAppearsIsHungUp() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            phone.isIdle = true
            fixture.dial("1")
            fixture.wait("it is asked") { phone.asked == ["Dial 1"] }
            calls.hangUp()
            phone.isIdle = false
            try phone.add("dialing", "1")
            fixture.wait("it is hung up") { phone.calls.isEmpty }
            XCTAssertEqual(fixture.states, [])
        }
    }

    func testEmergencyNumberIsSentAsItIs() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            let line = try XCTUnwrap(
                LineChooser.lineForHelp(of: fixture.lines, chosen: fixture.lines.fallback))
            XCTAssertEqual(line.id, MobileFixture.id)
            calls.dial(RemoteParty(try XCTUnwrap(DialledNumber("112"))), on: line)
            fixture.wait("it is dialled") { phone.asked.last == "Dial 112" }
            fixture.wait("the other is on hold") { fixture.states == [.held, .dialling] }
        }
    }

    // MARK: - In

    func testCallIsAnswered() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            try phone.add("incoming", "+15550123")
            fixture.wait("it rings") { fixture.states == [.incoming] }
            XCTAssertEqual(calls.incoming?.remote.number.text, "+15550123")
            calls.answer()
            fixture.wait("it is answered") { phone.calls.first?.state == "active" }
            XCTAssertEqual(fixture.states, [.connected])
        }
    }

    func testNumberThatComesLateIsWaitedFor() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            let path = try phone.add("incoming")
            fixture.settle()
            XCTAssertEqual(fixture.states, [])
            phone.set(path, number: "5550199")
            fixture.wait("it rings") { fixture.states == [.incoming] }
            XCTAssertEqual(calls.incoming?.remote.number.text, "5550199")
            phone.set(path, number: "5550198")
            fixture.wait("the number is another") { calls.incoming?.remote.number.text == "5550198" }
        }
    }

    func testCallerWithoutNumberRings() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            try phone.add("incoming", "withheld")
            fixture.settle()
            fixture.clock.advance(by: PhoneCalls.numberTime)
            XCTAssertEqual(fixture.states, [.incoming])
            XCTAssertEqual(calls.incoming?.remote.called, "")
        }
    }

    func testCallerWhoGivesUpAtOnceIsMissed() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            let path = try phone.add("incoming")
            fixture.settle()
            phone.remove(path)
            fixture.wait("it is missed") { fixture.records.count == 1 }
            XCTAssertEqual(fixture.records.map(\.isMissed), [true])
            XCTAssertEqual(fixture.clock.pending, 0)
        }
    }

    func testCallAnsweredOnThePhoneIsFollowed() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            let path = try phone.add("incoming", "1")
            fixture.wait("it rings") { fixture.states == [.incoming] }
            phone.set(path, "active")
            fixture.wait("it is connected") { fixture.states == [.connected] }
            XCTAssertEqual(phone.asked, [])
        }
    }

    func testRefusedAnswerLeavesTheCallToThePhone() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            phone.refusals["Answer"] = ScriptedPhone.refusal
            let path = try phone.add("incoming", "1")
            fixture.wait("it rings") { fixture.states == [.incoming] }
            calls.answer()
            fixture.wait("it fails") { fixture.states == [] }
            phone.set(path, "active")
            fixture.wait("it is shown") { fixture.states == [.connected] }
        }
    }

    func testQuietPhoneLeavesTheCallToTheOther() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            for number in 1...CallManager.capacity { try phone.add("held", "\(number)") }
            fixture.wait("there is no room") { fixture.states.count == CallManager.capacity }
            let path = try phone.add("waiting", "7")
            fixture.settle()
            XCTAssertEqual(calls.calls.count, CallManager.capacity)
            XCTAssertFalse(phone.asked.contains { $0.hasPrefix("Hangup") })
            XCTAssertEqual(fixture.records, [])
            phone.remove(path)
            fixture.wait("it is missed") { fixture.records.count == 1 }
            XCTAssertEqual(fixture.records.map(\.isMissed), [true])
        }
    }

    func testDeclinedCallIsHungUp() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            try phone.add("incoming", "1")
            fixture.wait("it rings") { fixture.states == [.incoming] }
            calls.decline()
            fixture.wait("it is over there") { phone.calls.isEmpty }
            XCTAssertEqual(fixture.records.map(\.isMissed), [false])
        }
    }

    // MARK: - Two

    func testSecondCallHoldsTheFirst() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            fixture.talk("2", phone)
            XCTAssertEqual(phone.asked, ["Dial 1", "Dial 2"])
            XCTAssertEqual(fixture.states, [.held, .connected])
            calls.flash()
            fixture.wait("they are swapped") { phone.calls.map(\.state) == ["active", "held"] }
            fixture.settle()
            XCTAssertEqual(fixture.states, [.connected, .held])
            XCTAssertEqual(phone.asked.last, "SwapCalls")
            calls.join()
            fixture.wait("they are joined") { phone.calls.allSatisfy(\.isMultiparty) }
            fixture.settle()
            XCTAssertEqual(fixture.states, [.joined, .joined])
            calls.press(.five)
            fixture.wait("the key is sent once") { phone.asked.last == "SendTones 5" }
            fixture.settle()
            XCTAssertEqual(phone.asked.count { $0 == "SendTones 5" }, 1)
            calls.hangUp()
            fixture.wait("both are over") { phone.calls.isEmpty && fixture.states == [] }
            fixture.clock.advance(by: .seconds(10))
            fixture.settle()
            XCTAssertEqual(fixture.states, [])
        }
    }

    func testWaitingCallIsAnswered() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            try phone.add("waiting", "2")
            fixture.wait("it waits") { fixture.states == [.connected, .incoming] }
            calls.answer()
            fixture.wait("it is answered") { phone.calls.map(\.state) == ["held", "active"] }
            XCTAssertEqual(phone.asked.last, "HoldAndAnswer")
            XCTAssertEqual(fixture.states, [.held, .connected])
            calls.hangUp()
            fixture.wait("the first is back") { fixture.states == [.connected] }
            XCTAssertEqual(phone.calls.map(\.state), ["active"])
        }
    }

    func testHeldCallIsHungUp() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            fixture.talk("2", phone)
            calls.hangUp(calls.calls[0].id)
            fixture.wait("it is over there") { phone.calls.map(\.number) == ["2"] }
            XCTAssertEqual(phone.asked.suffix(2), ["SwapCalls", "Hangup call1"])
            fixture.wait("the second is heard") { phone.calls.map(\.state) == ["active"] }
            fixture.settle()
            XCTAssertEqual(fixture.states, [.connected])
        }
    }

    func testSwapOnThePhoneIsFollowed() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            fixture.talk("1", phone)
            fixture.talk("2", phone)
            phone.set(phone.calls[0].path, "active")
            phone.set(phone.calls[1].path, "held")
            fixture.wait("it is followed") { fixture.states == [.connected, .held] }
            XCTAssertEqual(phone.asked, ["Dial 1", "Dial 2"])
        }
    }

    func testRefusedSwapIsTakenBack() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            fixture.talk("2", phone)
            phone.refusals["SwapCalls"] = ScriptedPhone.refusal
            calls.flash()
            XCTAssertEqual(fixture.states, [.connected, .held])
            fixture.wait("it is taken back") { fixture.states == [.held, .connected] }
            phone.refusals["CreateMultiparty"] = ScriptedPhone.refusal
            calls.join()
            XCTAssertEqual(fixture.states, [.joined, .joined])
            fixture.wait("it is taken back") { fixture.states == [.held, .connected] }
        }
    }

    func testPhoneThatSaysYesAndDoesNothingIsBelievedForAWhile() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            fixture.talk("2", phone)
            phone.isIdle = true
            calls.flash()
            fixture.wait("it is asked") { phone.asked.last == "SwapCalls" }
            fixture.settle()
            XCTAssertEqual(fixture.states, [.connected, .held])
            fixture.clock.advance(by: PhoneCalls.settlingTime)
            fixture.wait("it is taken back") { fixture.states == [.held, .connected] }
            // What is not ended is shown again.
            calls.hangUp()
            fixture.wait("it is asked") { phone.asked.last?.hasPrefix("Hangup") == true }
            fixture.settle()
            XCTAssertEqual(fixture.states, [.held])
            fixture.clock.advance(by: PhoneCalls.settlingTime)
            fixture.wait("it is shown again") { fixture.states == [.held, .connected] }
            // A held call cannot be ended either, however often it is asked.
            calls.hangUp(calls.calls[0].id)
            for _ in 0..<10 {
                fixture.settle()
                fixture.clock.advance(by: PhoneCalls.settlingTime)
            }
            XCTAssertLessThan(phone.asked.count, 10)
            XCTAssertEqual(fixture.clock.pending, 1, "a timer is left beside that of the call's seconds")
        }
    }

    // MARK: - Begun on the phone

    func testCallsBegunOnThePhoneAppearAsTheyAre() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            try phone.add("held", "1")
            let path = try phone.add("dialing", "2,99")
            fixture.wait("they are shown") { fixture.states == [.held, .dialling] }
            XCTAssertEqual(calls.calls.map(\.remote.number.text), ["1", "2"])
            phone.set(path, "active")
            fixture.wait("it is answered") { fixture.states == [.held, .connected] }
            fixture.clock.advance(by: .seconds(30))
            fixture.settle()
            XCTAssertEqual(phone.asked, [])
        }
    }

    func testAnsweredCallThatRingsIsAnotherOne() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            let path = try phone.add("active", "1")
            fixture.wait("it is shown") { fixture.states == [.connected] }
            phone.set(path, "incoming", number: "2")
            fixture.wait("it rings") { fixture.states == [.incoming] }
            XCTAssertEqual(calls.incoming?.remote.number.text, "2")
            XCTAssertEqual(fixture.records.map(\.endReason), [.farEnd])
            phone.set(path, "active")
            fixture.wait("it is answered") { fixture.states == [.connected] }
        }
    }

    // MARK: - Keys

    func testRefusedKeysAreSaid() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            phone.refusals["SendTones"] = ScriptedPhone.refusal
            calls.press(.one)
            fixture.wait("it is said") { calls.current?.refusesKeys == true }
            phone.refusals = [:]
            calls.press(.two)
            fixture.wait("it is taken back") { calls.current?.refusesKeys == false }
            XCTAssertEqual(phone.asked.suffix(2), ["SendTones 1", "SendTones 2"])
        }
    }

    func testWaitingKeysAreBounded() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            for _ in 0..<1000 { calls.press(.nine) }
            fixture.wait("they are sent") { phone.asked.count == ToneQueue.capacity + 2 }
            fixture.settle()
            XCTAssertEqual(phone.asked.count, ToneQueue.capacity + 2)
        }
    }

    // MARK: - Hostile phones

    func testPhoneVanishesInACall() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            fixture.talk("1", phone)
            fixture.dial("2")
            try phone.add("waiting", "3")
            fixture.service.disconnect(phone)
            fixture.wait("all are over") { calls.calls.allSatisfy { $0.state == .refused } }
            calls.hangUp()
            XCTAssertEqual(fixture.states, [])
            XCTAssertNil(fixture.line)
            fixture.settle()
            XCTAssertEqual(fixture.clock.pending, 0)
        }
    }

    func testFloodOfCallsIsBounded() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            for number in 0..<300 {
                let path = try phone.add(number.isMultiple(of: 2) ? "incoming" : "active", "\(number)")
                fixture.settle()
                phone.remove(path)
            }
            fixture.settle()
            fixture.clock.advance(by: PhoneCalls.returnTime)
            XCTAssertLessThanOrEqual(fixture.records.count, ReportLimit.rate)
            XCTAssertEqual(fixture.states, [])
            fixture.clock.advance(by: ReportLimit.time)
            try phone.add("incoming", "5550123")
            fixture.wait("a later call rings") { fixture.states == [.incoming] }
        }
    }

    func testFloodOfCallersWithoutNumberIsBounded() throws {
        try onMainActor {
            let (fixture, phone, _) = try Desk.start()
            for _ in 0..<100 {
                let path = try phone.add("incoming")
                fixture.settle()
                phone.remove(path)
            }
            fixture.settle()
            XCTAssertEqual(fixture.records.count, ReportLimit.rate)
        }
    }

    func testFloodOfConnectionsIsBounded() throws {
        try onMainActor {
            let (fixture, first, _) = try Desk.start()
            fixture.service.disconnect(first)
            for _ in 0..<100 {
                let phone = try fixture.service.connect(MobileFixture.address)
                try phone.add("active", "1")
                fixture.settle()
                fixture.service.disconnect(phone)
            }
            fixture.settle()
            XCTAssertGreaterThan(fixture.records.count, 1)
            XCTAssertLessThanOrEqual(fixture.records.count, ReportLimit.rate)
        }
    }

    func testCallsAtOnceAreBounded() throws {
        try onMainActor {
            let (fixture, phone, calls) = try Desk.start()
            for number in 0..<200 { try phone.add("held", "\(number)") }
            fixture.settle()
            XCTAssertLessThanOrEqual(calls.calls.count, CallManager.capacity)
            XCTAssertEqual(phone.asked, [])
        }
    }

    func testTextsOfStrangersAreBounded() throws {
        onMainActor {
            let long = String(repeating: "9", count: 10_000)
            for (text, number) in [
                (long, ""), ("abc", ""), ("+49 170 (12)", "+4917012"), ("12;34", "12"), ("\u{202e}12", ""),
                ("１２", ""),
            ] {
                XCTAssertEqual(TelephonyCall(.active, number: text).number.text, number, text)
            }
            XCTAssertLessThanOrEqual(
                TelephonyCall(.active, name: long).name.unicodeScalars.count, TelephonyCall.maximumName + 1)
            XCTAssertEqual(TelephonyCall(.active, name: "a\u{202e}\nb").name, "a b")
            let strange: [String: Variant] = [
                "State": .string("held"), "LineIdentification": .uint32(7), "Name": .bool(true),
                "Multiparty": .string("yes"),
            ]
            XCTAssertEqual(TelephonyCall(strange), TelephonyCall(.held))
            XCTAssertNil(TelephonyCall(["State": .bool(true)]))
        }
    }
}

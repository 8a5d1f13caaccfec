// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import TouchtoneCore
import XCTest

@testable import TouchtoneEngine
@testable import TouchtoneXMPP

/// Tests of calls between two accounts over an independent server, with engines that have no process.
final class JabberCallTests: XMPPTestCase {
    func testCallIsAnsweredHeldAndHungUp() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let (call, other) = try talk(ada, bob)
            let offer = try MediaDescription.example()
            XCTAssert(
                bob.engine.callCommands.contains { command in
                    if case .prepareAnswer(let told, _) = command { told == offer } else { false }
                })
            call.hold()
            waitUntil("it is held") { bob.events(other).last == .heldByFarEnd(true) }
            XCTAssertEqual(bob.engine.callCommands.last, .setHeldByFarEnd(true))
            call.resume()
            waitUntil("it is resumed") { bob.events(other).last == .heldByFarEnd(false) }
            call.hangUp()
            waitUntil("it has ended") { bob.end(other) == .farEnd }
            XCTAssertNil(ada.end(call))
            XCTAssertEqual(ada.engine.callCommands.last, .hangUp)
            XCTAssert(ada.engine.calls.isEmpty || !ada.engine.calls.isInCall)
            ada.fixture.chat.signOut()
            waitUntil("the engine is not needed") { !ada.engine.isNeeded }
        }
    }

    /// The engine gets the files before it prepares the sound, and the end of the message ends the call.
    func testMachineTakesCall() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let call = try ada.dial(bob.jid)
            waitUntil("it rings") { bob.incoming.count == 1 }
            let other = bob.incoming[0]
            let file = OpenFile(-1) { _ in }
            other.answer(
                with: MachineAnswer(greeting: file, recording: file, limit: .seconds(60), isAloud: false))
            waitUntil("it is answered") { bob.events(other).contains(.answered) }
            let commands = bob.engine.callCommands
            XCTAssertEqual(Array(commands.prefix(2)), [.setGreeting, .useMachine(limit: 60, isAloud: false)])
            guard case .prepareAnswer = commands[2] else { return XCTFail("\(commands)") }
            let id = try XCTUnwrap(other.engineID)
            bob.engine.calls.handle(.machineRecords, of: id)
            bob.engine.calls.handle(.recorded(SIPRecorded(.silence, seconds: 10, isSilent: true)), of: id)
            waitUntil("it has ended") { ada.end(call) == .farEnd }
            XCTAssertEqual(
                bob.events(other).suffix(3),
                [.machineRecords, .recorded(seconds: 10, .silence, isSilent: true), .ended(.hungUp)])
        }
    }

    /// A call that the user has taken over does not end with the message.
    func testUserTakesCallOver() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let call = try ada.dial(bob.jid)
            waitUntil("it rings") { bob.incoming.count == 1 }
            let other = bob.incoming[0]
            let file = OpenFile(-1) { _ in }
            other.answer(
                with: MachineAnswer(greeting: file, recording: file, limit: .seconds(60), isAloud: false))
            waitUntil("it is answered") { bob.events(other).contains(.answered) }
            let id = try XCTUnwrap(other.engineID)
            other.takeOver()
            bob.engine.calls.handle(.recorded(SIPRecorded(.stopped, seconds: 1, isSilent: false)), of: id)
            other.record(to: file, withTone: false)
            bob.engine.calls.handle(.recorded(SIPRecorded(.failed, seconds: 1, isSilent: false)), of: id)
            XCTAssertEqual(bob.engine.callCommands.suffix(2), [.takeOver, .record(withTone: false)])
            XCTAssertNil(bob.end(other))
            call.hangUp()
            waitUntil("it has ended") { bob.end(other) == .farEnd }
        }
    }

    func testCallIsDeclinedGivenUpOrUnanswered() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            var call = try ada.dial(bob.jid)
            waitUntil("it rings") { bob.incoming.count == 1 }
            bob.incoming[0].hangUp()
            waitUntil("it is declined") { ada.end(call) == .declined }
            call = try ada.dial(bob.jid)
            waitUntil("it rings again") { bob.incoming.count == 2 }
            bob.decline(bob.incoming[1])
            waitUntil("it is busy") { ada.end(call) == .busy }
            call = try ada.dial(bob.jid)
            waitUntil("it rings once more") { bob.incoming.count == 3 }
            call.hangUp()
            waitUntil("it is given up") { bob.end(bob.incoming[2]) == .farEnd }
            call = try ada.dial(bob.jid)
            waitUntil("it rings for long") { bob.incoming.count == 4 && ada.events(call) == [.ringing] }
            ada.fixture.passTime(CallCourse.Limit.ringing.time)
            waitUntil("nobody answers") { ada.end(call) == .noAnswer && bob.end(bob.incoming[3]) == .farEnd }
        }
    }

    /// A call waits while the account connects, and is refused if it does not.
    func testCallWaitsForTheAccount() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            ada.fixture.chat.signOut()
            waitUntil("the account is offline") { ada.fixture.states.last == .signedOut }
            let refused = try ada.dial(bob.jid)
            waitUntil("it is refused") { ada.end(refused) == .failed("You are offline") }
            ada.fixture.chat.signIn()
            XCTAssertEqual(ada.fixture.chat.line?.state, .connecting)
            let given = try ada.dial(bob.jid)
            let call = try ada.dial(bob.jid)
            given.hangUp()
            waitUntil("it rings") { ada.events(call) == [.ringing] }
            XCTAssertEqual(bob.incoming.count, 1)
        }
    }

    func testEngineThatDiesEndsCall() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let (call, other) = try talk(ada, bob)
            bob.engine.die()
            XCTAssertEqual(bob.end(other), .failed("died"))
            waitUntil("the other end knows") { ada.end(call) == .noCommonFormat }
        }
    }

    /// Strangers learn nothing, and the room's occupants do not ring.
    func testStrangersAreDeclinedSilentlyIfUserWantsThat() throws {
        try onMainActor {
            let ada = try CallPhone("ada")
            let rules = CallerRules()
            (rules.unknown, rules.knows) = (.decline, { _ in false })
            let bob = try CallPhone("bob") { $0.callers = rules }
            let call = try ada.dial(bob.jid)
            waitUntil("it is declined") { bob.declined.map(\.jid) == [ada.jid] }
            XCTAssertEqual(bob.incoming.count, 0)
            XCTAssertFalse(bob.engine.isNeeded)
            XCTAssertEqual(ada.events(call), [])
        }
    }

    /// It does not ring before it is declined.
    func testBusyPhoneDeclinesWithoutRinging() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            bob.isBusy = true
            let call = try ada.dial(bob.jid)
            waitUntil("it is declined") { ada.end(call) != nil }
            XCTAssertEqual(ada.events(call), [.ended(.busy)])
            XCTAssertEqual(bob.missed.map(\.reason), [.busy])
        }
    }

    /// A busy device leaves a call to another one, and knows that it is missed only if that one does not take it.
    func testBusyPhoneLeavesCallToAnotherDevice() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            bob.isBusy = true
            let tablet = try CallPhone("bob", account: bob.fixture.client.account)
            waitUntil("they know each other") { bob.fixture.chat.calls.hasOtherDevices }
            var call = try ada.dial(bob.jid)
            waitUntil("both have it") { bob.incoming.count == 1 && tablet.incoming.count == 1 }
            waitUntil("it rings") { ada.events(call) == [.ringing] }
            tablet.incoming[0].answer()
            waitUntil("the other device answers") { ada.events(call).contains(.answered) }
            waitUntil("the busy one knows") { bob.incoming[0].hasEnded }
            XCTAssertEqual(bob.missed.count, 0)
            call.hangUp()
            call = try ada.dial(bob.jid)
            waitUntil("both have it again") { bob.incoming.count == 2 && tablet.incoming.count == 2 }
            tablet.incoming[1].hangUp()
            waitUntil("it is declined") { ada.end(call) == .declined && bob.incoming[1].hasEnded }
            XCTAssertEqual(bob.missed.count, 0)
            call = try ada.dial(bob.jid)
            waitUntil("both have it once more") { bob.incoming.count == 3 && tablet.incoming.count == 3 }
            call.hangUp()
            waitUntil("it is missed") { bob.missed.map(\.reason) == [.busy] }
        }
    }

    func testBusyPhoneDeclinesIfOtherDeviceTakesNoCalls() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            bob.isBusy = true
            let desk = XMPPAccountFixture(bob.fixture.client.account)
            waitUntil("there is another device") {
                desk.readyCount == 1 && bob.fixture.chat.calls.hasOtherDevices
            }
            let call = try ada.dial(bob.jid)
            waitUntil("it is declined") { ada.events(call) == [.ended(.busy)] }
            XCTAssertEqual(bob.missed.map(\.reason), [.busy])
        }
    }

    /// Both call each other at the same time: there is one call, which neither has to answer.
    func testCrossingCallsBecomeOne() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let (call, other) = (try ada.dial(bob.jid), try bob.dial(ada.jid))
            waitUntil("they talk") {
                ada.events(call).contains(.answered) && bob.events(other).contains(.answered)
            }
            XCTAssertEqual(call.sid, other.sid)
            XCTAssertEqual(ada.incoming.count + bob.incoming.count, 0)
            call.hangUp()
            waitUntil("it has ended") { bob.end(other) == .farEnd }
            XCTAssertEqual(ada.missed.count + bob.missed.count, 0)
        }
    }

    /// Copies of what another device of the user says do not ring, and one that declines stops the ringing.
    func testOtherDeviceCallsAndDeclines() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let tablet = try CallPhone("bob", account: bob.fixture.client.account)
            let call = try tablet.dial(ada.jid)
            waitUntil("it rings") { ada.incoming.count == 1 }
            ada.incoming[0].hangUp()
            waitUntil("it is declined") { tablet.end(call) == .declined }
            let back = try ada.dial(bob.jid)
            waitUntil("both ring") { bob.incoming.count == 1 && tablet.incoming.count == 1 }
            tablet.incoming[0].hangUp()
            waitUntil("one stops") { bob.end(bob.incoming[0]) == .declined && ada.end(back) == .declined }
            XCTAssertEqual(bob.missed.count, 0)
        }
    }

    func testStrangerRingsWithoutBeingTold() throws {
        try onMainActor {
            let (ada, bob) = (try CallPhone("ada"), try CallPhone("bob"))
            let call = try ada.dial(bob.jid)
            waitUntil("it rings") { bob.incoming.count == 1 }
            XCTAssert(bob.incoming[0].isStranger)
            XCTAssertEqual(ada.events(call), [])
            bob.incoming[0].answer()
            waitUntil("both talk") {
                ada.events(call).contains(.answered) && !bob.events(bob.incoming[0]).isEmpty
            }
        }
    }

    func testAnotherDeviceOfTheUserTakesTheCall() throws {
        try onMainActor {
            let (ada, bob) = try phones()
            let tablet = try CallPhone("bob", account: bob.fixture.client.account)
            let call = try ada.dial(bob.jid)
            waitUntil("both ring") { bob.incoming.count == 1 && tablet.incoming.count == 1 }
            tablet.incoming[0].answer()
            waitUntil("one stops") { bob.end(bob.incoming[0]) == .answeredElsewhere }
            waitUntil("it is answered") { ada.events(call).contains(.answered) }
        }
    }

    /// Features of calls are told only while there is an engine.
    func testCallsAreAdvertisedOnlyWithEngine() throws {
        try onMainActor {
            let ada = try CallPhone("ada")
            XCTAssert(ada.fixture.client.info().features.isSuperset(of: JabberCalls.features))
            ada.engine.isAvailable = false
            XCTAssert(ada.fixture.client.info().features.isDisjoint(with: JabberCalls.features))
            let without = try fixture("grace")
            XCTAssert(without.client.info().features.isDisjoint(with: JabberCalls.features))
            XCTAssertNil(without.chat.line)
        }
    }
}

@MainActor
private func phones() throws -> (CallPhone, CallPhone) {
    let (ada, bob) = (try CallPhone("ada"), try CallPhone("bob"))
    try befriend(ada.fixture, bob.fixture)
    return (ada, bob)
}

/// Lets a call be answered, and returns both ends.
@MainActor
private func talk(_ ada: CallPhone, _ bob: CallPhone) throws -> (JabberCall, JabberCall) {
    let call = try ada.dial(bob.jid)
    waitUntil("it rings") { bob.incoming.count == 1 && ada.events(call) == [.ringing] }
    XCTAssertEqual(bob.engine.callCommands, [], "nothing is prepared before the answer")
    let other = try XCTUnwrap(bob.incoming.first)
    XCTAssertEqual(other.remote.jid, ada.jid)
    other.answer()
    waitUntil("both talk") {
        guard case .connected? = call.course?.state, case .connected? = other.course?.state else {
            return false
        }
        return true
    }
    XCTAssertEqual(ada.events(call), [.ringing, .answered])
    XCTAssertEqual(bob.events(other), [.answered])
    return (call, other)
}

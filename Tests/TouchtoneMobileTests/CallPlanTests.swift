// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneMobile

@Suite struct CallPlanTests {
    private func call(_ path: String, _ state: TelephonyState, _ wish: CallWish? = nil) -> CallPlan.Entry {
        CallPlan.Entry(path: path, state: state, wish: wish)
    }

    private func operation(_ calls: [CallPlan.Entry], dialling number: String? = nil) -> PhoneOperation? {
        CallPlan.next(calls, dialling: number)?.operation
    }

    @Test func nothingIsDoneWithoutWish() {
        let states = TelephonyState.allCases.map { call($0.rawValue, $0) }
        #expect(CallPlan.next(states, dialling: nil) == nil)
    }

    @Test func dialHoldsTheCallThatIsHeard() {
        let step = CallPlan.next([call("a", .active, .hold)], dialling: "112")
        #expect(step?.operation == .dial("112"))
        #expect(step?.calls == ["a"])
    }

    @Test func callsInTheWayOfANumberEndFirst() {
        #expect(operation([call("a", .active, .hangUp)], dialling: "112") == .hangUp("a"))
    }

    @Test func waitingCallIsAnsweredAndTheOtherHeld() {
        let step = CallPlan.next([call("a", .active, .hold), call("b", .waiting, .answer)], dialling: nil)
        #expect(step?.operation == .holdAndAnswer)
        #expect(step?.calls == ["b", "a"])
    }

    @Test func waitingCallIsAnsweredAndTheOtherEnded() {
        let step = CallPlan.next([call("a", .active, .hangUp), call("b", .waiting, .answer)], dialling: nil)
        #expect(step?.operation == .releaseAndAnswer)
        #expect(step?.calls == ["a", "b"])
    }

    @Test func incomingCallIsAnswered() {
        #expect(operation([call("a", .incoming, .answer)]) == .answer("a"))
        #expect(operation([call("a", .held), call("b", .waiting, .answer)]) == .answer("b"))
    }

    @Test func twoCallsAreSwappedOnce() {
        let step = CallPlan.next([call("a", .active, .hold), call("b", .held, .resume)], dialling: nil)
        #expect(step?.operation == .swapCalls)
        #expect(step?.calls == ["a", "b"])
    }

    @Test func twoCallsAreJoined() {
        #expect(operation([call("a", .active), call("b", .held, .join)]) == .createMultiparty)
    }

    @Test(arguments: [
        TelephonyState.active, .dialing, .alerting, .incoming, .waiting,
    ])
    func callIsHungUp(_ state: TelephonyState) {
        #expect(operation([call("a", state, .hangUp), call("b", .held)]) == .hangUp("a"))
    }

    @Test func heldCallIsHungUpBesideAnother() {
        let step = CallPlan.next([call("a", .active), call("b", .held, .hangUp)], dialling: nil)
        #expect(step?.operation == .swapCalls)
        #expect(step?.isPreparation == true)
        #expect(operation([call("b", .held, .hangUp)]) == .hangUpAll)
    }

    @Test func joinedCallsEndTogether() {
        let step = CallPlan.next([call("a", .active, .hangUp), call("b", .active, .hangUp)], dialling: nil)
        #expect(step?.operation == .hangUp("a"))
        #expect(step?.calls == ["a", "b"])
    }
}

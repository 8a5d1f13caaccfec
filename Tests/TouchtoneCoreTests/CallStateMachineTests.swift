// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@Suite struct CallStateMachineTests {
    private typealias Trigger = CallTransitions.Trigger

    private static let ends: [CallEndReason] = [
        .hungUp, .farEnd, .transferred, .answeredElsewhere, .blocked, .diverted, .busy, .declined, .noAnswer,
        .noSuchNumber,
        .notAvailable, .network, .connectionLost, .failed("x"),
        .handedOver(to: "Calls"), .noTelHandler, .handlerFailed(name: "Calls", reason: "x"),
    ]

    @Test func eachStateHasOneTransitionPerTrigger() {
        var seen: Set<String> = []
        for row in CallTransitions.transitions {
            #expect(seen.insert("\(row.state) \(row.trigger)").inserted, "\(row.state) \(row.trigger)")
        }
    }

    /// Any events in any order, up to five from the start.
    @Test func everySequenceReachesEndWithNothingLeft() {
        var taken: Set<String> = []
        func walk(_ call: CallStateMachine, _ depth: Int, _ path: [Trigger]) {
            check(call, path)
            guard depth > 0 else { return }
            for trigger in Trigger.allCases {
                var next = call
                _ = next.apply(trigger, at: call.stateBegan + .seconds(1), reason: reason(for: trigger))
                // An event without effect leads to a state that was already visited.
                guard next != call else { continue }
                taken.insert("\(call.state) \(trigger)")
                walk(next, depth - 1, path + [trigger])
            }
        }
        walk(CallStateMachine(), 5, [])
        #expect(
            taken.count == CallTransitions.transitions.count, "a row leads nowhere, or nowhere leads to it")
    }

    /// The same with the events that change nothing included, to show that they have no effect.
    @Test func everySequenceOfFourEndsOnHangUp() {
        let all = Trigger.allCases
        for number in 0..<(all.count * all.count * all.count * all.count) {
            var call = CallStateMachine()
            var rest = number
            for step in 0..<4 {
                let trigger = all[rest % all.count]
                rest /= all.count
                _ = call.apply(trigger, at: .seconds(step), reason: reason(for: trigger))
            }
            guard call.state != .idle else { continue }
            _ = call.apply(.hangUp, at: .seconds(9))
            if call.state == .ended, call.endReason != nil, call.deadline == nil { continue }
            Issue.record("\(number) leaves the call \(call.state)")
        }
    }

    @Test func everyCallButConversationEndsOnSilentLine() {
        for first in [Trigger.dial, .offered] {
            for second in [Trigger.dial, .ringing, .earlyMedia] {
                var call = CallStateMachine()
                _ = call.apply(first, at: .zero)
                _ = call.apply(second, at: .zero)
                var turns = 0
                while let deadline = call.deadline, turns < 10 {
                    _ = call.apply(.timeout, at: deadline)
                    turns += 1
                }
                #expect(call.state == .ended)
                #expect(turns <= 2)
            }
        }
    }

    @Test func durationRunsFromAnswerToEnd() {
        var call = CallStateMachine()
        _ = call.apply(.dial, at: .seconds(10))
        #expect(call.duration(at: .seconds(20)) == nil)
        _ = call.apply(.ringing, at: .seconds(20))
        _ = call.apply(.answered, at: .seconds(30))
        _ = call.apply(.hold, at: .seconds(40))
        _ = call.apply(.resume, at: .seconds(50))
        #expect(call.duration(at: .seconds(60)) == .seconds(30))
        _ = call.apply(.hangUp, at: .seconds(72))
        #expect(call.duration(at: .seconds(500)) == .seconds(42))
        #expect(call.endReason == .hungUp)
    }

    @Test func firstEndReasonWins() {
        for endReason in Self.ends {
            var call = CallStateMachine()
            _ = call.apply(.dial, at: .zero)
            _ = call.handle(.ended(endReason), at: .zero)
            #expect(call.state == (endReason.sound == nil ? .ended : .refused))
            _ = call.apply(.hangUp, at: .zero)
            _ = call.handle(.ended(.farEnd), at: .zero)
            #expect(call.state == .ended)
            #expect(call.endReason == endReason)
            #expect(!endReason.sentence.isEmpty && endReason.sentence.last != ".")
        }
    }

    private func check(_ call: CallStateMachine, _ path: [Trigger]) {
        switch call.state {
        case .idle: #expect(path.isEmpty)
        case .ended: #expect(call.endReason != nil && call.deadline == nil, "\(path)")
        case .refused: #expect(call.endReason?.sound != nil && call.deadline != nil, "\(path)")
        case .connected, .joined, .held: #expect(call.answered != nil && call.endReason == nil, "\(path)")
        case .dialling, .ringing, .earlyMedia, .incoming, .machine:
            #expect(call.answered == nil && call.endReason == nil && call.deadline != nil, "\(path)")
        }
        guard call.state != .idle, call.state != .ended else { return }
        var over = call
        _ = over.apply(.hangUp, at: call.stateBegan)
        #expect(over.state == .ended, "\(path) cannot be hung up")
        for endReason in [CallEndReason.farEnd, .busy] where call.state != .refused {
            var left = call
            _ = left.handle(.ended(endReason), at: call.stateBegan)
            let isTold = left.state == .refused && endReason == .busy
            #expect(left.state == .ended || isTold, "\(path) goes on without its line")
            #expect(left.endReason == endReason, "\(path)")
        }
    }

    private func reason(for trigger: Trigger) -> CallEndReason? {
        switch trigger {
        case .refused: .busy
        case .released: .farEnd
        default: nil
        }
    }
}

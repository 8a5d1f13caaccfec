// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@Suite struct CallProgressTests {
    private typealias Trigger = CallTable.Trigger

    private static let ends: [CallEnd] = [
        .hungUp, .farEnd, .transferred, .busy, .declined, .noAnswer, .noSuchNumber, .network, .failed("x"),
        .handedOver(to: "Calls"), .noTelHandler, .handlerFailed(name: "Calls", reason: "x"),
    ]

    @Test func noPhaseHasTwoRowsForATrigger() {
        var seen: Set<String> = []
        for row in CallTable.rows {
            #expect(seen.insert("\(row.phase) \(row.trigger)").inserted, "\(row.phase) \(row.trigger)")
        }
    }

    /// Whatever comes, and in whichever order, up to five events from the beginning.
    @Test func everySequenceLeadsToAnEndWithNothingLeft() {
        var taken: Set<String> = []
        func walk(_ call: CallProgress, _ depth: Int, _ path: [Trigger]) {
            check(call, path)
            guard depth > 0 else { return }
            for trigger in Trigger.allCases {
                var next = call
                _ = next.take(trigger, at: call.phaseBegan + .seconds(1), reason: reason(for: trigger))
                // What changed nothing leads nowhere that was not walked.
                guard next != call else { continue }
                taken.insert("\(call.phase) \(trigger)")
                walk(next, depth - 1, path + [trigger])
            }
        }
        walk(CallProgress(), 5, [])
        #expect(taken.count == CallTable.rows.count, "a row leads nowhere, or nowhere leads to it")
    }

    /// The same with the events that change nothing left in: they are really without effect.
    @Test func everySequenceOfFourEndsWhenItIsHungUp() {
        let all = Trigger.allCases
        for number in 0..<(all.count * all.count * all.count * all.count) {
            var call = CallProgress()
            var rest = number
            for step in 0..<4 {
                let trigger = all[rest % all.count]
                rest /= all.count
                _ = call.take(trigger, at: .seconds(step), reason: reason(for: trigger))
            }
            guard call.phase != .idle else { continue }
            _ = call.take(.hangUp, at: .seconds(9))
            if call.phase == .ended, call.end != nil, call.deadline == nil { continue }
            Issue.record("\(number) leaves the call \(call.phase)")
        }
    }

    @Test func aSilentLineAndPeopleWhoDoNothingEndEveryCallButAConversation() {
        for first in [Trigger.dial, .offered] {
            for second in [Trigger.dial, .ringing, .earlyMedia] {
                var call = CallProgress()
                _ = call.take(first, at: .zero)
                _ = call.take(second, at: .zero)
                var turns = 0
                while let deadline = call.deadline, turns < 10 {
                    _ = call.take(.timeout, at: deadline)
                    turns += 1
                }
                #expect(call.phase == .ended)
                #expect(turns <= 2)
            }
        }
    }

    @Test func theDurationCountsFromTheAnswerAndStandsStillAtTheEnd() {
        var call = CallProgress()
        _ = call.take(.dial, at: .seconds(10))
        #expect(call.duration(at: .seconds(20)) == nil)
        _ = call.take(.ringing, at: .seconds(20))
        _ = call.take(.answered, at: .seconds(30))
        _ = call.take(.hold, at: .seconds(40))
        _ = call.take(.resume, at: .seconds(50))
        #expect(call.duration(at: .seconds(60)) == .seconds(30))
        _ = call.take(.hangUp, at: .seconds(72))
        #expect(call.duration(at: .seconds(500)) == .seconds(42))
        #expect(call.end == .hungUp)
    }

    @Test func whatWasSaidFirstIsWhyItEnded() {
        for end in Self.ends {
            var call = CallProgress()
            _ = call.take(.dial, at: .zero)
            _ = call.hear(.ended(end), at: .zero)
            #expect(call.phase == (end.sound == nil ? .ended : .refused))
            _ = call.take(.hangUp, at: .zero)
            _ = call.hear(.ended(.farEnd), at: .zero)
            #expect(call.phase == .ended)
            #expect(call.end == end)
            #expect(!end.sentence.isEmpty && end.sentence.last != ".")
        }
    }

    private func check(_ call: CallProgress, _ path: [Trigger]) {
        switch call.phase {
        case .idle: #expect(path.isEmpty)
        case .ended: #expect(call.end != nil && call.deadline == nil, "\(path)")
        case .refused: #expect(call.end?.sound != nil && call.deadline != nil, "\(path)")
        case .connected, .joined, .held: #expect(call.answered != nil && call.end == nil, "\(path)")
        case .dialling, .ringing, .earlyMedia, .incoming:
            #expect(call.answered == nil && call.end == nil && call.deadline != nil, "\(path)")
        }
        guard call.phase != .idle, call.phase != .ended else { return }
        var over = call
        _ = over.take(.hangUp, at: call.phaseBegan)
        #expect(over.phase == .ended, "\(path) cannot be hung up")
        for end in [CallEnd.farEnd, .busy] where call.phase != .refused {
            var left = call
            _ = left.hear(.ended(end), at: call.phaseBegan)
            let isTold = left.phase == .refused && end == .busy
            #expect(left.phase == .ended || isTold, "\(path) goes on without its line")
            #expect(left.end == end, "\(path)")
        }
    }

    private func reason(for trigger: Trigger) -> CallEnd? {
        switch trigger {
        case .refused: .busy
        case .released: .farEnd
        default: nil
        }
    }
}

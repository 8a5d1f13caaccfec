// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Any actions of users and lines, in any order: no call hangs, and no sound and no timer is left.
@Suite @MainActor struct CallSequenceTests {
    private struct Action {
        let name: String
        let act: @MainActor (CallManagerFixture) -> Void

        init(_ name: String, _ act: @escaping @MainActor (CallManagerFixture) -> Void) {
            self.name = name
            self.act = act
        }
    }

    private static let actions: [Action] =
        basic + [
            Action("transfer") { $0.keeper.transfer() },
            Action("add") { $0.keeper.addCall() },
            Action("resume first") { fixture in
                if let first = fixture.keeper.held.last { try? fixture.keeper.resumeCall(first.id) }
            },
            Action("hold one") { fixture in
                if let last = fixture.keeper.heard.last { try? fixture.keeper.holdCall(last.id) }
            },
            Action("join first") { fixture in
                if let first = fixture.keeper.held.last { fixture.keeper.join(first.id) }
            },
            Action("end first") { fixture in
                if let first = fixture.keeper.held.last { fixture.keeper.hangUp(first.id) }
            },
            Action("middle answers") { fixture in
                fixture.line.calls.dropFirst().dropLast().last?.tell(.answered)
            },
            Action("middle not held") { fixture in
                fixture.line.calls.dropFirst().dropLast().last?.tell(.holdRefused)
            },
            Action("talk") { $0.talk("4") },
            Action("prepare transfer") { $0.keeper.prepareTransfer() },
            Action("transfer to 3") {
                $0.keeper.transfer(to: RemoteParty(DialledNumber("3") ?? DialledNumber()))
            },
            Action("held there") { $0.line.calls.last?.tell(.heldByFarEnd(true)) },
            Action("keys refused") { $0.line.calls.last?.tell(.keysRefused(true)) },
            Action("loud") { $0.keeper.setSpeaker("dock") },
            Action("quiet") { $0.keeper.setSpeaker(nil) },
            Action("transferred") { fixture in fixture.line.calls.forEach { $0.tell(.ended(.transferred)) } },
            Action("not transferred") { $0.line.calls.last?.tell(.transferRefused) },
        ]

    /// The actions that are tested in every order.
    private static let basic: [Action] =
        [
            Action("dial") { $0.dial("1") }, Action("offer") { $0.line.offer("2") },
            Action("answer") { $0.keeper.answer() },
            Action("hang up") { $0.keeper.hangUp() }, Action("decline") { $0.keeper.decline() },
            Action("flash") { $0.keeper.flash() }, Action("hold") { $0.keeper.setHeld(true) },
            Action("resume") { $0.keeper.setHeld(false) }, Action("press") { $0.keeper.press(.five) },
            Action("number") { $0.keeper.recordNumberBegun() }, Action("leave") { $0.keeper.leaveRefused() },
            Action("join") { $0.keeper.join() },
            Action("end other") { fixture in fixture.keeper.other.map { fixture.keeper.hangUp($0.id) } },
            Action("wait") { $0.clock.advance(by: .seconds(21)) },
        ]
        + CallManagerFixture.events.flatMap { event -> [Action] in
            [
                Action("first \(event)") { $0.line.calls.first?.tell(event) },
                Action("last \(event)") { $0.line.calls.last?.tell(event) },
            ]
        }

    /// Runs every sequence of four that starts with a call, on lines with and without hold.
    @Test(arguments: [false, true]) func everySequenceOfFourLeavesNothingBehind(refusesHold: Bool) {
        let all = Self.basic
        for begin in 0..<2 {
            for second in all.indices {
                for third in all.indices {
                    for fourth in all.indices {
                        // A sequence with the same start was checked already.
                        let known = fourth > 0 ? 3 : third > 0 ? 2 : second > 0 ? 1 : 0
                        run(
                            [all[begin], all[second], all[third], all[fourth]], refusesHold,
                            checkedUpTo: known)
                    }
                }
            }
        }
    }

    @Test(arguments: Seeds.all) func longSequencesLeaveNothingBehind(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<150 {
            let sequence = (0..<60).map { _ in
                Self.actions[Int.random(in: Self.actions.indices, using: &random)]
            }
            run(sequence, Bool.random(using: &random))
        }
    }

    private func run(_ sequence: [Action], _ refusesHold: Bool, checkedUpTo known: Int = 0) {
        let fixture = CallManagerFixture()
        fixture.line.refusesHold = refusesHold
        for (index, action) in sequence.enumerated() {
            action.act(fixture)
            guard index >= known else { continue }
            fixture.check(sequence[...index].map(\.name).joined(separator: ", "))
        }
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft(sequence.map(\.name).joined(separator: ", "))
    }
}

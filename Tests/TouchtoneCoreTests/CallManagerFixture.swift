// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// A call manager with a line, sounds and a clock that only record.
@MainActor
final class CallManagerFixture {
    let tones = FakeTones()
    let clock = ManualScheduler()
    let line = FakeLine()
    let keeper: CallManager
    private let lines: LineRegistry
    private(set) var records: [CallRecord] = []

    static let events: [CallEvent] = [
        .ringing, .earlyMedia, .answered, .holdRefused, .resumeRefused, .noMicrophone, .ended(.busy),
        .ended(.farEnd),
    ]

    init() {
        lines = LineRegistry(fallback: line)
        keeper = CallManager(sounds: tones, clock: clock)
        keeper.tonePlan = .test
        line.features = [.conversation, .hold, .join, .transfer]
        keeper.acceptCalls(from: lines)
        keeper.observe(by: self) { [weak self] in
            if case .ended(let record) = $0 { self?.records.append(record) }
        }
    }

    /// The current sounds, by their names in the tone plan.
    var heard: [String] {
        tones.playing.map { sound in
            if sound == .bell { return "bell" }
            let name = NetworkSound.allCases.first { name in
                TonePlan.test.map { .cadence($0[name]) == sound } ?? false
            }
            return name.map { "\($0)" } ?? "\(sound)"
        }
    }

    func dial(_ number: String) {
        keeper.dial(RemoteParty(DialledNumber(number) ?? DialledNumber()), on: line)
    }

    /// Dials, and answers the call.
    func talk(_ number: String) {
        dial(number)
        line.calls.last?.tell(.answered)
    }

    /// Talks to further parties until there is no room for another one; the others wait on hold.
    func fill() {
        for number in (keeper.calls.count + 1)...CallManager.capacity { talk("\(number)") }
    }

    /// Checks that the call states, the sounds and the timers are consistent.
    func check(_ path: @autoclosure () -> String) {
        let heard = keeper.calls.filter { $0.state.isLive && $0.state != .held }
        let wrong: String? =
            if heard.count > 1, heard.contains(where: { $0.state != .joined }) {
                "two calls are heard"
            } else if heard.count == 1, heard[0].state == .joined {
                "one is joined with nobody"
            } else if keeper.calls.contains(where: { $0.speaker != nil }),
                !keeper.calls.contains(where: \.state.isLive)
            {
                "the loudspeaker is on"
            } else if keeper.calls.count > CallManager.capacity {
                "too many calls"
            } else if let lost = line.calls.first(where: { call in
                !call.isOver && !keeper.lineCalls.values.contains { $0 === call }
            }) {
                "the call \(lost.remote.number.text) is lost"
            } else if keeper.calls.contains(where: { $0.state == .idle || $0.state == .ended }) {
                "a call is left over"
            } else if keeper.isTakingNumber && (keeper.calls.isEmpty || !heard.isEmpty) {
                "a number is waited for"
            } else if self.heard.sorted() != expected.sorted() {
                "\(self.heard) sounds in place of \(expected)"
            } else { nil }
        if let wrong { Issue.record("\(path()): \(wrong)") }
    }

    /// Checks that no sound and no timer is left after all calls.
    func expectNothingLeft(_ path: @autoclosure () -> String = "") {
        if keeper.calls.isEmpty, tones.playing.isEmpty, clock.pending == 0, !keeper.isTakingNumber { return }
        Issue.record("\(path()): \(keeper.calls.map(\.state)), \(heard), \(clock.pending) timers")
    }

    /// The expected sounds, derived differently than in the call manager.
    private var expected: [String] {
        let phases = keeper.calls.map(\.state)
        var sounds: [String] = []
        let isHeard = phases.contains {
            [.dialling, .ringing, .earlyMedia, .connected, .joined].contains($0)
        }
        if phases.contains(.ringing) { sounds.append("ringback") }
        if !isHeard, !tones.playing.contains(.cadence(TonePlan.test?[.dial] ?? .silence)) {
            let refused = keeper.calls.first { $0.state == .refused }
            if let sound = refused?.machine.endReason?.sound { sounds.append("\(sound)") }
        } else if keeper.isTakingNumber {
            sounds.append("dial")
        }
        if phases.contains(.incoming) {
            sounds.append(isHeard || phases.contains(.held) ? "callWaiting" : "bell")
        }
        return sounds
    }
}

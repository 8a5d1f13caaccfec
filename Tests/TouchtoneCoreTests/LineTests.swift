// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

@Suite @MainActor struct LineChooserTests {
    private let account = FakeLine(id: "work")
    private let tel = FakeLine(id: "tel")
    private let practice = FakeLine(id: "practice")
    private let lines: LineRegistry

    init() {
        lines = LineRegistry(fallback: practice)
        lines.add(account)
        lines.add(tel)
    }

    private func chosen(_ setting: String = "") -> String { LineChooser(lines, setting: setting).chosen.id }

    @Test func accountPrecedesDesktopAppAndPracticeExchange() {
        #expect(chosen() == "work")
        account.state = .connecting
        #expect(chosen() == "tel")
        tel.state = .unavailable(reason: "gone")
        #expect(chosen() == "practice")
        practice.state = .unavailable(reason: "gone")
        #expect(chosen() == "practice")
    }

    @Test func chosenLineIsUsedEvenIfUnavailable() {
        tel.state = .unavailable(reason: "gone")
        for id in ["work", "tel", "practice"] { #expect(chosen(id) == id) }
        #expect(chosen("nonsense") == "work")
    }

    @Test func currentLineFollowsSettingLinesAndStates() {
        let chooser = LineChooser(lines, setting: "")
        var shown: [String] = []
        chooser.observe(by: practice) { shown.append(chooser.chosen.id) }
        account.state = .unavailable(reason: "no network")
        chooser.setting = "nonsense"
        chooser.setting = "practice"
        chooser.setting = ""
        lines.remove("tel")
        lines.add(tel)
        account.state = .connecting
        account.state = .available
        #expect(shown == ["tel", "practice", "tel", "practice", "tel", "work"])
    }
}

@Suite @MainActor struct LineRegistryTests {
    private let practice = FakeLine(id: "practice")
    private let tel = FakeLine(id: "tel")
    private let lines: LineRegistry

    init() { lines = LineRegistry(fallback: practice) }

    @Test func linesAreAddedAndRemovedAboveFallback() {
        var changes: [LineRegistry.Change] = []
        lines.observe(by: practice) { changes.append($0) }
        lines.add(tel)
        lines.add(FakeLine(id: "tel"))
        #expect(lines.lines.map(\.id) == ["tel", "practice"] && lines.line("tel") === tel)
        tel.state = .connecting
        lines.remove("tel")
        lines.remove("practice")
        tel.state = .available
        #expect(lines.lines.map(\.id) == ["practice"] && lines.line("tel") == nil)
        #expect(changes == [.lines, .state(of: "tel"), .lines])
    }

    @Test func incomingCallsOfAllLinesReachOneReceiver() {
        tel.features = [.conversation]
        practice.features = [.conversation]
        lines.add(tel)
        tel.offer("1")
        #expect(tel.calls[0].orders == ["hang up"], "nobody is there")
        let calls = CallManager(sounds: FakeTones(), clock: ManualScheduler())
        calls.acceptCalls(from: lines)
        tel.offer("2")
        practice.offer("3")
        #expect(calls.calls.map(\.remote.number.text) == ["2", "3"])
        #expect(calls.calls.map(\.line) == ["tel", "practice"])
        lines.remove("tel")
        calls.decline()
        #expect(tel.calls[1].orders == ["hang up"], "a call outlives the line's place in the list")
    }
}

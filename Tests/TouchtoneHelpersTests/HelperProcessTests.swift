// SPDX-License-Identifier: GPL-3.0-or-later

import CHelperShims
import ChatTestSupport
import GLibBridge
import Glibc
import HelperMessages
import TestHelperMessages
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneHelpers

/// Tests of a real process of another kind than the engine of SIP.
@Suite(.serialized) @MainActor final class HelperProcessTests {
    private let clock = ManualScheduler()
    private var events: [Scribe.Event] = []
    private var notes: [Int?] = []

    private func start() throws -> HelperProcess<Scribe> {
        let helper = HelperProcess<Scribe>(
            launcher: ProgramLauncher(Scribe.program), clock: clock, isAsked: false)
        helper.configuration = { Scribe.Configuration(name: "Ada") }
        helper.onEvent = { [unowned self] in events.append($0) }
        helper.onEnd = { [unowned self] in notes.append($0) }
        #expect(helper.isAvailable)
        helper.start()
        wait { helper.isReady }
        return helper
    }

    private func wait(_ location: SourceLocation = #_sourceLocation, until condition: () -> Bool) {
        MainLoop.run(upTo: 30_000, until: condition)
        #expect(condition(), "waited in vain", sourceLocation: location)
    }

    @Test func commandsAndEventsOfAnotherKind() throws {
        let helper = try start()
        for text in ["", "\u{0}\n“é”", String(repeating: "x", count: 60_000)] {
            events = []
            helper.send(.say(text))
            wait { self.events == [.said(text, by: "Ada")] }
        }
        helper.stop()
    }

    @Test func filesArriveWithTheirCommandsThroughFullSocket() throws {
        let helper = try start()
        helper.send(.count)
        wait { !self.events.isEmpty }
        let before = events
        events = []
        let files = try (0..<12).map { _ in try WatchedFile() }
        let filler = String(repeating: "x", count: 60_000)
        var expected: [Scribe.Event] = []
        for (index, file) in files.enumerated() {
            helper.send(.say(filler))
            helper.send(.write("\(index)"), with: file.open())
            helper.send(.write("none"))
            // A command that wants no file.
            helper.send(.say("\(index)"), with: file.open())
            expected += [
                .said(filler, by: "Ada"), .wrote("\(index)", hasFile: true, isInherited: false),
                .wrote("none", hasFile: false, isInherited: false), .said("\(index)", by: "Ada"),
            ]
        }
        #expect(files.contains { $0.openCount > 0 }, "the socket takes this at once")
        wait { self.events.count == expected.count }
        #expect(events == expected)
        #expect(files.map(\.text) == files.indices.map { "\($0)" })
        #expect(files.allSatisfy { $0.openCount == 0 })
        events = []
        helper.send(.count)
        wait { self.events == before }
        helper.stop()
    }

    @Test func endInBetweenClosesFilesAndStartsAgain() throws {
        let helper = try start()
        let file = try WatchedFile()
        helper.send(.note(42))
        helper.send(.die)
        for _ in 0..<40 {
            helper.send(.write(String(repeating: "x", count: 60_000)), with: file.open())
        }
        wait { !helper.isReady }
        #expect(notes == [42])
        #expect(file.openCount == 0)
        helper.send(.write("lost"), with: file.open())
        #expect(file.openCount == 0)
        clock.advance(by: Restarts.shortestDelay)
        wait { helper.isReady }
        helper.send(.write("again"), with: file.open())
        wait { file.text == "again" }
        helper.stop()
    }

    @Test func helperThatDoesNotReadIsReplaced() throws {
        let helper = try start()
        let file = try WatchedFile()
        helper.send(.hang)
        var count = 0
        while notes.isEmpty, count < 200 {
            helper.send(.write(String(repeating: "x", count: 60_000)), with: file.open())
            count += 1
        }
        #expect(notes == [nil])
        #expect(file.openCount == 0)
        clock.advance(by: Restarts.shortestDelay)
        wait { helper.isReady }
        helper.stop()
    }

    @Test func helperIsConfined() throws {
        let helper = try start()
        let ruleset = chelper_ruleset()
        if ruleset >= 0 { close(ruleset) }
        helper.send(.read(path: "/etc/passwd"))
        helper.send(.read(path: "/usr"))
        wait { self.events.count == 2 }
        let expected: [Scribe.Event] = [
            .read(path: "/etc/passwd", isAllowed: ruleset < 0), .read(path: "/usr", isAllowed: true),
        ]
        #expect(events == expected)
        helper.stop()
    }

    @Test func helperOfOtherVersionIsNotUsed() throws {
        let helper = HelperProcess<LaterScribe>(
            launcher: ProgramLauncher(LaterScribe.program), clock: clock, isAsked: false)
        helper.configuration = { Scribe.Configuration(name: "Ada") }
        helper.onEnd = { [unowned self] in notes.append($0) }
        helper.start()
        wait { !helper.isAvailable }
        #expect(!(helper.isWanted || helper.isReady))
        #expect(notes == [nil])
        #expect(clock.pending == 0, "it is not started again")
    }

    @Test func missingHelperIsNotStarted() {
        let helper = HelperProcess<Scribe>(launcher: ProgramLauncher("no-such-helper"), clock: clock)
        helper.configuration = { Scribe.Configuration(name: "Ada") }
        helper.start()
        #expect(!(helper.isAvailable || helper.isWanted))
    }
}

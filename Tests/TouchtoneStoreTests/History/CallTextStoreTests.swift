// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of the real-time text of calls in the file.
@MainActor
@Suite struct CallTextStoreTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private let lines: [KeptCallText.Line] = [
        .init(.farEnd, "Hello Ada"), .init(.own, "Grüße"),
        .init(.farEnd, "電話 👋 it’s “me”; DROP TABLE call --"),
    ]

    @Test func textBelongsToItsCall() async throws {
        let (first, second) = (talk(1), talk(2))
        try await fixture.keep([lines[0]], of: first)
        try await fixture.keep([.init(.own, "another call")], of: second)
        try await fixture.keep(Array(lines[1...]), from: 2, isCut: true, of: first)
        let entry = try await fixture.add(past("1"), textOf: first)
        let other = try await fixture.add(past("2"), textOf: second)
        let none = try await fixture.add(past("3"), textOf: talk(3))
        let later = try await fixture.add(past("4"), textOf: first)
        #expect([entry, other, none, later].map(\.hasText) == [true, true, false, false])
        #expect(try await fixture.calls() == [later, none, other, entry])
        #expect(try await fixture.store.text(of: entry.id) == KeptCallText(lines: lines, isCut: true))
        #expect(
            try await fixture.store.text(of: other.id)
                == KeptCallText(lines: [.init(.own, "another call")]))
        #expect(try await fixture.store.text(of: none.id) == KeptCallText())
        #expect(try await fixture.store.text(of: 4711) == KeptCallText())
    }

    @Test func changedLineKeepsItsPlace() async throws {
        let call = talk(1)
        try await fixture.keep(lines, of: call)
        try await fixture.keep([.init(.farEnd, "Hello Grace")], from: 1, of: call)
        try await fixture.keep([.init(.own, "")], from: 2, of: call)
        let entry = try await fixture.add(past(), textOf: call)
        let text = try await fixture.store.text(of: entry.id)
        #expect(text.lines == [.init(.farEnd, "Hello Grace"), lines[2]])
        #expect(try await fixture.calls(HistoryQuery(text: "ada", findsLines: true)) == [])
    }

    @Test func callWhoseTextWasErasedHasNone() async throws {
        let call = talk(1)
        try await fixture.keep([.init(.own, "x")], of: call)
        try await fixture.keep([.init(.own, "")], of: call)
        #expect(try await !fixture.add(past(), textOf: call).hasText)
    }

    @Test func linesAreFound() async throws {
        let call = talk(1)
        try await fixture.keep(lines + [.init(.own, String(repeating: "a ", count: 248) + "end")], of: call)
        try await fixture.add(past("1", "Grace"), textOf: call)
        try await fixture.add(past("2", "Alan"))
        for text in ["hello ada", "GRUSSE", "grüße", "電話", "a a end", "drop table"] {
            #expect(
                try await fixture.names(HistoryQuery(text: text, findsLines: true)) == ["Grace"], "\(text)")
        }
        // A number that was typed is not that of the far end.
        #expect(try await fixture.names(HistoryQuery(text: "hello ada")) == [])
        #expect(try await fixture.names(HistoryQuery(text: "grace")) == ["Grace"])
        // No query matches across two lines.
        #expect(try await fixture.names(HistoryQuery(text: "adagrüße", findsLines: true)) == [])
    }

    @Test func deletedCallComesBackWithItsText() async throws {
        let call = talk(1)
        try await fixture.keep(lines, of: call)
        let entry = try await fixture.add(past("1"), textOf: call)
        let gone = try await fixture.delete(.entries([entry.id]))
        #expect(try await fixture.calls(HistoryQuery(text: "hello", findsLines: true)) == [])
        try await fixture.restore(gone)
        #expect(try await fixture.calls(HistoryQuery(text: "hello", findsLines: true)) == [entry])
        #expect(try await fixture.store.text(of: entry.id).lines == lines)
        try await fixture.forget(try await fixture.delete(.entries([entry.id])))
        #expect(try await fixture.store.text(of: entry.id) == KeptCallText())
        #expect(try await fixture.calls(HistoryQuery(text: "hello", findsLines: true)) == [])
    }

    /// A call whose end the program did not see is in the history after the next start, with what was typed, once.
    @Test func interruptedCallIsAdded() async throws {
        try await fixture.keep(lines, of: talk(1, with: "Grace", "555"))
        // Nothing is lost if the program ends now.
        await fixture.store.close()
        #expect(try await fixture.calls() == [])
        func interrupted() async throws -> Int {
            try await fixture.told { $0.addInterrupted(reason: "ended", completion: $1) }
        }
        #expect(try await interrupted() == 1)
        #expect(try await interrupted() == 0)
        let calls = try await fixture.calls()
        let entry = try #require(calls.first)
        #expect(entry.call.direction == .incoming && entry.call.seconds == 1)
        #expect(entry.call.endReason == .failed("ended") && entry.call.remote.displayName == "Grace")
        #expect(try await fixture.store.text(of: entry.id).lines == lines)
        // A call of this run with the same number has text of its own.
        try await fixture.keep([lines[1]], of: talk(1))
        let next = try await fixture.add(past(), textOf: talk(1))
        #expect(try await fixture.store.text(of: next.id).lines == [lines[1]])
        #expect(try await fixture.calls(HistoryQuery(text: "hello", findsLines: true)) == [entry])
    }

    @Test func forgottenTextOfOngoingCallIsGone() async throws {
        let call = talk(1)
        try await fixture.keep(lines, of: call)
        try await fixture.forgetText(of: call)
        try await fixture.forgetText(of: call)
        #expect(try await !fixture.add(past("1"), textOf: call).hasText)
        #expect(try await fixture.told { $0.addInterrupted(reason: "", completion: $1) } == 0)
    }

    @Test func otherUsersCannotReadTheFile() async throws {
        try await fixture.keep(lines, of: talk(1))
        var status = stat()
        #expect(stat(fixture.home.messages, &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }
}

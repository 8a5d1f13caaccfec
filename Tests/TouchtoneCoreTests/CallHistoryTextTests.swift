// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests that the text of a call is kept with it.
@MainActor
@Suite struct CallHistoryTextTests {
    private let fixture = CallHistoryFixture()
    private let calls = CallManagerFixture()
    private var store: MemoryHistoryStore { fixture.store }
    private var history: CallHistory { fixture.history }

    init() {
        history.start()
        history.open()
        let keeper = calls.keeper
        keeper.observe(by: fixture) { [history, weak keeper] change in
            switch change {
            case .ended(let record): history.note(record)
            case .calls: if let keeper { history.follow(keeper) }
            }
        }
    }

    /// Talks with somebody, in a call with text.
    private func talk(_ number: String = "5551234") {
        calls.dial(number)
        calls.line.calls.last?.tell(.answered)
        calls.line.calls.last?.tell(.text(.runs(true)))
    }

    private func receive(_ part: String) { calls.line.calls.last?.tell(.text(.received(part))) }

    private func type(_ line: String) {
        calls.keeper.type(line)
        calls.keeper.endTyped()
    }

    private func text() async throws -> KeptCallText {
        await fixture.settle()
        let id = try #require(history.window.first?.id)
        return try #require(await history.text(of: id))
    }

    @Test func bothSidesAreKeptInOrder() async throws {
        talk()
        receive("Hello\u{2028}")
        type("Hi")
        receive("Bye")
        calls.line.calls.last?.tell(.ended(.farEnd))
        #expect(
            try await text()
                == KeptCallText(
                    lines: [.init(.farEnd, "Hello"), .init(.own, "Hi"), .init(.farEnd, "Bye")]))
        #expect(history.window.map(\.hasText) == [true])
        #expect(store.openTexts.isEmpty)
    }

    @Test func whoHasHadTextIsKnown() async throws {
        let (grace, other) = (try remote("5551234"), try remote("5550104"))
        talk("5550104")
        calls.keeper.hangUp()
        await fixture.settle()
        #expect(await !history.hadText(with: other), "none was typed")
        talk("5551234")
        receive("Hello\u{2028}")
        calls.keeper.hangUp()
        await fixture.settle()
        #expect(await history.hadText(with: grace))
        for nobody in [other, RemoteParty(DialledNumber())] {
            #expect(await !history.hadText(with: nobody))
        }
        store.trouble = .full
        #expect(await !history.hadText(with: grace), "it cannot be read")
    }

    private func remote(_ number: String) throws -> RemoteParty {
        RemoteParty(try #require(DialledNumber(number)))
    }

    /// There is a write for each line, and none for a key.
    @Test func linesAreWrittenWhenTheyEnd() async throws {
        talk()
        for key in ["H", "e", "l", "l", "o"] { receive(key) }
        await fixture.settle()
        #expect(store.textWrites == 0)
        receive("\u{2028}")
        await fixture.settle()
        #expect(store.textWrites == 1 && store.openTexts.values.map(\.parts.count) == [1])
        calls.keeper.hangUpAll()
        await fixture.settle()
        #expect(store.textWrites == 1)
    }

    @Test func callWithoutTextHasNone() async throws {
        talk()
        receive("x\u{8}")
        calls.keeper.hangUp()
        await fixture.settle()
        #expect(store.textWrites == 0 && history.window.map(\.hasText) == [false])
    }

    @Test func eachOfTwoCallsHasItsText() async throws {
        talk("5551234")
        receive("one\u{2028}")
        calls.keeper.flash()
        talk("5550104")
        receive("two\u{2028}")
        calls.keeper.hangUpAll()
        await fixture.settle()
        var texts: [[String]] = []
        for entry in history.window.sorted(by: { $0.call.remote.number.text < $1.call.remote.number.text }) {
            texts.append(try #require(await history.text(of: entry.id)).lines.map(\.text))
        }
        #expect(texts == [["two"], ["one"]])
    }

    @Test func nothingIsKeptIfTheUserDoesNotWantIt() async throws {
        history.keepsText = false
        talk()
        receive("Hello\u{2028}")
        calls.keeper.hangUp()
        await fixture.settle()
        #expect(store.textWrites == 0 && history.window.map(\.hasText) == [false])
        // In the middle of a call, what was kept is forgotten.
        history.keepsText = true
        talk()
        receive("Hello\u{2028}")
        await fixture.settle()
        #expect(store.openTexts.count == 1)
        history.keepsText = false
        await fixture.settle()
        #expect(store.openTexts.isEmpty)
        receive("more\u{2028}")
        calls.keeper.hangUp()
        await fixture.settle()
        #expect(history.window.map(\.hasText) == [false, false])
    }

    @Test func callOfAnEarlierRunIsAddedAtTheStart() async throws {
        let remote = RemoteParty(try #require(DialledNumber("5551234")), displayName: "Grace")
        let call = TextCall(
            number: 1, began: ChatTime(milliseconds: 1_000), answered: ChatTime(milliseconds: 2_000),
            direction: .incoming, remote: remote, line: "sip")
        let part = TextPart(1, .line(.own, "Hi"), time: ChatTime(milliseconds: 9_500))
        store.keep([part], of: call) { _ in }
        history.start()
        await fixture.settle()
        let entry = try #require(history.window.first)
        #expect(entry.hasText && entry.call.seconds == 7 && entry.call.remote == remote)
        #expect(entry.call.endReason == .failed("Touchtone ended during the call"))
        #expect(try await text().lines == [.init(.own, "Hi")])
        #expect(history.arrivals == 1)
    }

    /// A line that a full disk did not take is written again with the next one.
    @Test func failedLineIsWrittenAgain() async throws {
        talk()
        await fixture.settle()
        store.trouble = .full
        receive("one\u{2028}")
        await fixture.settle()
        store.trouble = nil
        receive("two\u{2028}")
        calls.keeper.hangUp()
        #expect(try await text().lines.map(\.text) == ["one", "two"])
    }

    @Test func lineOfTextIsFound() async throws {
        talk()
        receive("A secret word\u{2028}")
        calls.keeper.hangUp()
        await fixture.settle()
        history.text = "secret"
        await fixture.settle()
        #expect(history.window.count == 1)
        history.text = "public"
        await fixture.settle()
        #expect(history.window.isEmpty)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatOperatorTests {
    private func answer(to text: String) async throws -> String {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(.operatorAddress)
        conversation.send(text)
        await fixture.rest()
        await fixture.pass(.seconds(10))
        await fixture.pass(.seconds(10))
        #expect(conversation.window.count == 2)
        #expect(conversation.window.first?.state == .read)
        return conversation.window.last?.text ?? ""
    }

    @Test(arguments: ["hello", " <b>&amp; :) ", "timeless", "time and help", "👍🏽", "line\nline"])
    func operatorRepeatsText(_ text: String) async throws {
        #expect(try await answer(to: text) == text)
    }

    @Test func operatorRepeatsLongTextQuickly() async throws {
        let text = String(repeating: "long ", count: 20_000)
        #expect(try await answer(to: text) == text)
    }

    @Test(arguments: ["time", "Time?", " TIME ", "time!"])
    func operatorTellsTime(_ text: String) async throws {
        #expect(try await answer(to: text) == "It is 7:34 PM.")
    }

    @Test func operatorHelps() async throws {
        let help = try await answer(to: "help")
        #expect(help.contains("time") && help.contains("help"))
        #expect(!help.contains("call me"))
        #expect(try await answer(to: "Call me!").contains("can’t make calls here"))
    }

    @Test func operatorCallsOnRequest() async throws {
        let (clock, tones) = (ManualScheduler(), FakeTones())
        let calls = CallManager(sounds: tones, clock: clock)
        let operatorAddress = PracticeExchange(
            clock: clock, sounds: tones, echo: FakeEcho(), plan: { nil },
            time: { TimeOfDay(hour: 0, minute: 0, second: .zero) })
        let lines = LineRegistry(fallback: operatorAddress)
        calls.acceptCalls(from: lines)
        let service = OperatorService(
            clock: clock, wall: FixedWallClock(), names: { "n" }, timeText: { _ in "" },
            callMe: { operatorAddress.call(from: PracticeExchange.operatorNumber, ended: $0) })
        var said: [String] = []
        service.onEvent = { event in
            guard case .updates(let facts) = event else { return }
            for case .received(let message) in facts { said.append(message.text) }
        }
        service.send(
            ChatMessage(
                id: 1, conversation: ConversationID(.operatorAddress), sender: .me,
                content: MessageContent("call me"), time: ChatTime(milliseconds: 0), place: 1, state: .sent,
                name: "a"))
        clock.advance(by: .seconds(4))
        #expect(said.count == 1 && said[0].contains("Calling you now") && calls.calls.isEmpty)
        withExtendedLifetime(lines) { clock.advance(by: .seconds(3)) }
        #expect(calls.incoming?.remote.number.text == "0")
        calls.answer()
        #expect(calls.current?.state == .connected)
        calls.hangUpAll()
        clock.advance(by: .seconds(60))
        #expect(calls.calls.isEmpty && said.count == 2)
        #expect(said.last?.contains("For real calls") == true)
    }

    @Test func operatorTypesForPlausibleTime() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(.operatorAddress)
        conversation.send("hello")
        await fixture.rest()
        #expect(conversation.window.map(\.state) == [.delivered])
        await fixture.pass(.milliseconds(599))
        #expect(conversation.buddyTyping == .active)
        await fixture.pass(.milliseconds(1))
        #expect(conversation.buddyTyping == .composing)
        #expect(conversation.window.map(\.state) == [.read])
        await fixture.pass(.milliseconds(799))
        #expect(conversation.window.count == 1)
        await fixture.pass(.seconds(2))
        #expect(conversation.window.map(\.text) == ["hello", "hello"])
        #expect(conversation.buddyTyping == .active)
        #expect(fixture.arrivals == ["Operator: hello"])
        await fixture.pass(.seconds(10))
        #expect(fixture.clock.pending == 0, "at rest it wants nothing")
    }

    @Test func operatorAnswersAllMessagesInOrderAndSavesThem() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(.operatorAddress)
        for text in ["1", "2", "3"] { conversation.send(text) }
        await fixture.rest()
        for _ in 0..<10 { await fixture.pass(.seconds(1)) }
        #expect(conversation.window.filter { $0.sender != .me }.map(\.text) == ["1", "2", "3"])
        #expect(fixture.store.table.messages(of: .operatorAddress).count == 6)
        conversation.correct(try #require(conversation.lastMine), to: "three")
        await fixture.rest()
        for _ in 0..<3 { await fixture.pass(.seconds(1)) }
        #expect(conversation.window.last?.text == "three")
        #expect(fixture.chat.state == .signedOut, "it says nothing of the account")
    }

    @Test func operatorAnswersPendingMessagesAfterRestart() async throws {
        let fixture = try await ChatFixture(facts: [
            .composed(
                ComposedMessage(
                    buddy: .operatorAddress, name: "from-before", text: "hello",
                    time: ChatTime(milliseconds: 0)))
        ])
        for _ in 0..<3 { await fixture.pass(.seconds(1)) }
        #expect(fixture.store.table.messages(of: .operatorAddress).map(\.text) == ["hello", "hello"])
        #expect(fixture.chat.address(" Operator ") == .operatorAddress)
        #expect(fixture.chat.address("0") == .operatorAddress)
    }
}

@MainActor
@Suite struct StampTests {
    private struct Format: StampFormat {
        func isSameDay(_ one: ChatTime, _ other: ChatTime) -> Bool {
            one.milliseconds / 86_400_000 == other.milliseconds / 86_400_000
        }
        func time(_ moment: ChatTime) -> String { "7:34:21 PM" }
        func dateAndTime(_ moment: ChatTime) -> String { "Sep 12, 2011 7:34:21 PM" }
    }

    @Test func timestampsOfTodayShowTimeOnly() {
        let now = ChatTime(milliseconds: 1_315_870_461_000)
        let today = Stamp(sender: "you", moment: now, now: now, format: Format())
        #expect(today.text == "you 7:34:21 PM")
        #expect(today.full == "you Sep 12, 2011 7:34:21 PM")
        for days in [-1, 1] as [Int64] {
            let other = ChatTime(milliseconds: now.milliseconds + days * 86_400_000)
            #expect(
                Stamp(sender: "Ada", moment: other, now: now, format: Format()).text
                    == "Ada Sep 12, 2011 7:34:21 PM")
        }
    }
}

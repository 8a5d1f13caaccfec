// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of the real-time text of calls.
@Suite @MainActor struct CallTextTests {
    private let fixture = CallManagerFixture()
    private var calls: CallManager { fixture.keeper }

    init() { fixture.line.features = [.conversation, .hold, .text] }

    /// The lines of a text, the far end's with `<`, open ones with `_`.
    private func shown(_ text: CallText) -> [String] {
        text.lines.map { ($0.side == .farEnd ? "<" : "") + $0.text + ($0.isOpen ? "_" : "") }
    }

    // MARK: Values

    @Test(arguments: [
        ("Helo\u{8}lo", ["<Hello_"]), ("a\u{2028}b", ["<a", "<b_"]), ("a\u{2028}", ["<a"]),
        ("\u{8}\u{8}a", ["<a_"]), ("a\u{8}", []), ("a\u{8}\u{8}b", ["<b_"]),
        // The end of a line can be erased.
        ("a\u{2028}\u{8}b", ["<ab_"]), ("a\u{2028}b\u{8}\u{8}c", ["<ac_"]), ("\u{2028}\u{2028}a", ["<a_"]),
        ("a\u{FFFD}b", ["<a\u{FFFD}b_"]), ("e\u{301}\u{8}", ["<e_"]),
    ])
    func farEndWritesLines(part: String, lines: [String]) {
        var whole = CallText()
        whole.receive(part)
        #expect(shown(whole) == lines)
        // It makes no difference how the text arrives.
        var parts = CallText()
        for scalar in part.unicodeScalars { parts.receive(String(scalar)) }
        #expect(parts == whole)
    }

    @Test(arguments: [
        ("", "Hi", "Hi"), ("Hi", "Hit", "t"), ("Hit", "Hi", "\u{8}"), ("Helo", "Hello", "\u{8}lo"),
        ("Hello", "", "\u{8}\u{8}\u{8}\u{8}\u{8}"), ("same", "same", ""), ("a\tb", "a\nb\u{2028}", " "),
        ("e", "e\u{301}", "\u{301}"), ("👩", "👩‍👧", "\u{200D}👧"),
    ])
    func changesOfTheFieldAreSent(before: String, after: String, part: String) {
        var text = CallText()
        _ = text.type(before)
        #expect(text.type(after) == part)
        // The far end has the same then.
        var other = CallText()
        other.receive(before.replacingTabs)
        other.receive(part)
        #expect(other.lines.last?.text ?? "" == text.typed)
    }

    @Test func sidesDoNotDisturbEachOther() {
        var text = CallText()
        _ = text.type("How are")
        text.receive("I am")
        _ = text.type("How are you?")
        #expect(text.endTyped() == "\u{2028}")
        text.receive(" well")
        #expect(shown(text) == ["How are you?", "<I am well_"])
        #expect(text.typed.isEmpty && text.endTyped().isEmpty)
        text.receive("\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}")
        #expect(shown(text) == ["How are you?"])
    }

    @Test func textIsBounded() {
        var text = CallText()
        text.receive(String(repeating: "x", count: 2 * CallText.maximumLine + 1))
        #expect(text.lines.map(\.text.count) == [CallText.maximumLine, CallText.maximumLine, 1])
        text.receive(String(repeating: "y\u{2028}", count: 3 * CallText.maximumLines))
        #expect(text.lines.count <= CallText.maximumLines)
        text.receive(String(repeating: "z", count: 3 * CallText.maximumLength))
        #expect(text.lines.map(\.text.count).reduce(0, +) <= CallText.maximumLength)
        // The latest text is there.
        text.receive("end")
        #expect(text.lines.last?.text.hasSuffix("end") == true)
    }

    // MARK: Calls

    @Test func userAddsText() {
        fixture.dial("1")
        #expect(!calls.canStartText)
        fixture.line.calls[0].tell(.answered)
        #expect(calls.canStartText)
        calls.type("nobody sees it")
        calls.startText()
        #expect(calls.current?.text.standing == .asked && !calls.canStartText)
        fixture.line.calls[0].tell(.text(.runs(true)))
        calls.type("Hello")
        calls.type("Hallo")
        calls.endTyped()
        #expect(fixture.line.calls[0].text == "Hello\u{8}\u{8}\u{8}\u{8}allo\u{2028}")
        fixture.line.calls[0].tell(.text(.received("Yes")))
        #expect(calls.current.map { shown($0.text) } == ["Hallo", "<Yes_"])
        #expect(fixture.line.calls[0].orders == ["text"])
        fixture.line.calls[0].tell(.text(.runs(false)))
        calls.type("nobody sees it")
        #expect(calls.current.map { shown($0.text) } == ["Hallo", "<Yes_"] && calls.canStartText)
    }

    @Test func farEndRefusesText() {
        fixture.talk("1")
        calls.startText()
        fixture.line.calls[0].tell(.text(.refused))
        #expect(calls.current?.text.standing == .refused && calls.canStartText)
        // A late refusal does not end text that runs.
        fixture.line.calls[0].tell(.text(.runs(true)))
        fixture.line.calls[0].tell(.text(.refused))
        #expect(calls.current?.text.standing == .active)
    }

    @Test func offerOfCallerIsKnownBeforeTheAnswer() {
        fixture.line.offersText = true
        fixture.line.offer("7")
        #expect(calls.incoming?.text.standing == .offered)
        calls.answer()
        fixture.line.calls[0].tell(.answered)
        fixture.line.calls[0].tell(.text(.runs(true)))
        #expect(calls.current?.text.standing == .active)
    }

    @Test func noTextIsAddedIfTheUserNeverWantsIt() {
        fixture.talk("1")
        calls.textUse = .never
        calls.startText()
        #expect(!calls.canStartText && fixture.line.calls[0].orders.isEmpty)
        calls.textUse = .ask
        #expect(calls.canStartText)
    }

    /// If the user always wants text, those are asked for it who have had it before, once the call is answered.
    @Test(arguments: [
        (RealTimeTextUse.always, "7", ["text"]), (.always, "8", []), (.ask, "7", []), (.never, "7", []),
    ])
    func textIsAddedByItself(use: RealTimeTextUse, number: String, orders: [String]) async {
        let asked = AsyncStream<Void>.makeStream()
        calls.hadText = { remote in
            defer { asked.continuation.yield() }
            return remote.number.text == "7"
        }
        calls.textUse = use
        fixture.dial(number)
        let call = fixture.line.calls[0]
        call.tell(.ringing)
        #expect(call.orders.isEmpty)
        call.tell(.answered)
        if use == .always { for await _ in asked.stream { break } }
        await Task.yield()
        #expect(call.orders == orders)
        #expect(calls.current?.text.standing == (orders.isEmpty ? .off : .asked))
    }

    @Test func callThatHasEndedMeanwhileIsNotAsked() async {
        calls.textUse = .always
        let (asked, answer) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        calls.hadText = { _ in
            asked.continuation.yield()
            for await _ in answer.stream { break }
            return true
        }
        fixture.talk("1")
        for await _ in asked.stream { break }
        calls.hangUp()
        fixture.line.calls[0].tell(.ended(.hungUp))
        answer.continuation.yield()
        for _ in 0..<10 { await Task.yield() }
        #expect(!fixture.line.calls[0].orders.contains("text"))
    }

    @Test func lineWithoutTextIsNotAsked() {
        fixture.line.features = [.conversation]
        fixture.talk("1")
        calls.startText()
        #expect(!calls.canStartText && fixture.line.calls[0].orders.isEmpty)
    }

    @Test func textGoesToTheCurrentCall() {
        fixture.talk("1")
        fixture.line.calls[0].tell(.text(.runs(true)))
        calls.type("one")
        calls.flash()
        fixture.talk("2")
        fixture.line.calls[1].tell(.text(.runs(true)))
        calls.type("two")
        #expect(fixture.line.calls.map(\.text) == ["one", "two"])
        calls.flash()
        #expect(calls.current?.text.typed == "one")
    }
}

extension String {
    fileprivate var replacingTabs: String { String(map { $0 == "\t" ? " " : $0 }) }
}

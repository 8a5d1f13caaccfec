// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the agreement on real-time text, and of its timers, without a connection.
@MainActor
@Suite struct RealTimeExchangeTests {
    private final class Sent {
        var elements: [RealTimeText] = []
        var devices: [JID] = []
        var changes: [RealTimeTextChange] = []
        var isOnline = true

        func take() -> [RealTimeText.Event] {
            defer { elements = [] }
            return elements.map(\.event)
        }
    }

    private let clock = ManualScheduler()
    private let sent = Sent()
    private let exchange: RealTimeExchange
    private let (phone, desk): (JID, JID)

    init() throws {
        phone = try #require(JID("ada@example.org/phone"))
        desk = try #require(JID("ada@example.org/desk"))
        let sent = sent
        exchange = RealTimeExchange(
            with: phone.bare, clock: clock, sequence: 1,
            send: { element, device in
                guard sent.isOnline else { return false }
                sent.elements.append(element)
                sent.devices.append(device)
                return true
            }, report: { sent.changes.append($0) })
    }

    private func begin() {
        exchange.ask(phone)
        exchange.take(RealTimeText(.start), from: phone)
        _ = sent.take()
    }

    private func type(_ text: String) { exchange.showTyped(text) }

    private func come(_ event: RealTimeText.Event, _ sequence: Int, _ text: String) {
        exchange.take(RealTimeText(event, sequence: sequence, [.insert(text, at: nil)]), from: phone)
    }

    @Test func beginsWhenBothHaveAsked() {
        type("secret")
        exchange.ask(phone)
        exchange.ask(phone)
        clock.advance(by: .seconds(5))
        #expect(sent.take() == [.start] && sent.changes == [], "nothing is told to one who has not asked")
        exchange.take(RealTimeText(.start), from: phone)
        exchange.take(RealTimeText(.start), from: phone)
        #expect(sent.changes == [.began])
        clock.advance(by: .seconds(5))
        #expect(sent.take() == [.new])
        // Another device, which was not asked yet, takes over.
        exchange.take(RealTimeText(.new, sequence: 1), from: desk)
        clock.advance(by: .seconds(1))
        #expect(sent.take() == [.start, .reset] && sent.devices.last == desk)
        type("secret word")
        clock.advance(by: .seconds(1))
        #expect(sent.take() == [.edit] && sent.devices.last == desk, "only one device sees it")
        exchange.take(RealTimeText(.cancel), from: desk)
        type("secret words")
        clock.advance(by: .seconds(5))
        #expect(sent.take() == [] && sent.changes.last == .ended)
        exchange.end()
        #expect(sent.take() == [.cancel] && sent.devices.last == phone && clock.pending == 0)
    }

    @Test func nothingWakesTheMachineAtRest() {
        begin()
        #expect(clock.pending == 0)
        type("h")
        clock.advance(by: .zero)
        #expect(sent.take() == [.new] && clock.pending == 0)
        for (time, text) in zip([100, 100, 100, 100], ["he", "hel", "hell", "hello"]) {
            clock.advance(by: .milliseconds(time))
            type(text)
        }
        #expect(sent.take() == [] && clock.nextDelay == RealTimeWriter.interval - .milliseconds(400))
        clock.advance(by: RealTimeWriter.interval)
        #expect(sent.take() == [.edit] && clock.pending == 0)
        // A text that is still being changed is repeated, one that is not is not.
        var events: [RealTimeText.Event] = []
        for count in 1...30 {
            type(String(repeating: "x", count: count))
            clock.advance(by: .seconds(1))
            events += sent.take()
        }
        #expect(events.count { $0 == .reset } == 3 && events.count == 30)
        clock.advance(by: .seconds(600))
        #expect(sent.take() == [])
        type("y")
        exchange.endTyped()
        #expect(clock.pending == 0, "the message tells the rest")
        type("next")
        clock.advance(by: .seconds(1))
        #expect(sent.take() == [.new])
        sent.isOnline = false
        type("next text")
        clock.advance(by: .seconds(1))
        sent.isOnline = true
        type("next texts")
        clock.advance(by: .seconds(1))
        #expect(sent.take() == [.reset], "what was lost is repeated")
    }

    @Test func pausesAreShownAndAnOldTextGoes() {
        begin()
        sent.changes = []
        exchange.take(
            RealTimeText(
                .new, sequence: 1,
                [
                    .insert("a", at: nil), .wait(.milliseconds(300)), .insert("b", at: nil),
                    .wait(.seconds(9)),
                    .insert("c", at: nil), .wait(.seconds(9)), .insert("d", at: nil),
                ]), from: phone)
        clock.advance(by: .milliseconds(300))
        #expect(sent.changes == [.text("a"), .text("ab")])
        clock.advance(by: .milliseconds(400))
        #expect(sent.changes.last == .text("abcd"), "pauses are no longer than the interval")
        exchange.take(
            RealTimeText(.edit, sequence: 2, [.wait(.milliseconds(500)), .insert("e", at: nil)]), from: phone)
        come(.edit, 3, "f")
        #expect(sent.changes.last == .text("abcdef"), "the next element does not wait")
        exchange.messageCame()
        #expect(sent.changes.last == .sent && clock.pending == 0)
        come(.edit, 4, "g")
        #expect(sent.changes.last == .text(""), "the message has ended it")
        come(.new, 5, "x")
        clock.advance(by: RealTimeExchange.patience)
        #expect(sent.changes.last == .text("") && clock.pending == 0)
    }

    @Test func floodsAreBounded() {
        begin()
        sent.changes = []
        come(.new, 0, "")
        for count in 1...1000 { come(.edit, count, "a") }
        #expect(sent.changes.count <= RealTimeExchange.maximumRate)
        clock.advance(by: .seconds(1))
        come(.edit, 1001, "b")
        #expect(sent.changes.last.map { "\($0)" }?.contains("b") == false, "it is out of step")
        come(.reset, 5, "whole")
        #expect(sent.changes.last == .text("whole"))
        // Asking and cancelling again and again.
        for _ in 0..<1000 {
            exchange.take(RealTimeText(.cancel), from: phone)
            exchange.take(RealTimeText(.start), from: phone)
            clock.advance(by: .milliseconds(100))
        }
        #expect(sent.take().count <= RealTimeExchange.maximumAnswers)
        exchange.interrupt()
        #expect(clock.pending == 0)
    }
}

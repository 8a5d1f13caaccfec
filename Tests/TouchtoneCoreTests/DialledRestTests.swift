// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneCore

/// What is dialled behind a pause or a wait goes to whoever answers.
@Suite @MainActor struct DialledRestTests {
    private func rest(_ number: String) throws -> DialledRest {
        DialledRest(of: try #require(DialledNumber(number)))
    }

    /// The keys with the milliseconds that they go out at, and what is asked before one may.
    private func play(_ number: String) throws -> String {
        var rest = try rest(number)
        var (now, told) = (Duration.zero, "")
        rest.begin(at: now)
        while !rest.text.isEmpty {
            if rest.waits {
                told += "\(rest.next)? "
                now += .seconds(60)
                rest.goOn(at: now)
            }
            guard let due = rest.due else { break }
            #expect(rest.take(at: due - .milliseconds(1)) == nil)
            now = due
            if let key = rest.take(at: now) {
                told +=
                    "\(key.character)\(now.components.seconds * 1000 + now.components.attoseconds / 1_000_000_000_000_000) "
            }
        }
        return told
    }

    @Test func keysGoOutAfterTheAnswerAndEachCommaIsTwoSeconds() throws {
        #expect(try play("5551234,12") == "12500 22750 ")
        #expect(try play("5551234,,1,#2") == "14500 #6750 27000 ")
    }

    @Test func aSemicolonAsksBeforeItGoesOn() throws {
        #expect(try play("5551234;12") == "12? 160000 260250 ")
        #expect(try play("5551234,1;2,3;4") == "12500 2,3? 262500 364750 4? 4124750 ")
        #expect(try play("5551234;;1") == "1? 160000 ")
    }

    @Test(arguments: ["5551234", "5551234,", "5551234;", "5551234,;,;", "", ","])
    func thereIsNothingToSend(_ number: String) throws {
        var rest = try rest(number)
        rest.begin(at: .zero)
        #expect(rest.text.isEmpty)
        #expect(rest.due == nil)
        #expect(!rest.waits)
    }

    @Test func nothingIsAskedBeforeTheAnswer() throws {
        var rest = try rest("5551234;12")
        #expect(!rest.waits)
        rest.goOn(at: .zero)
        #expect(rest.text == ";12")
    }

    /// Every number ends with its keys sent in their order, whatever is in it.
    @Test(arguments: Seeds.all) func allKeysComeInTheirOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let tail = String(
                (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    "01#*,;,;".randomElement(using: &random) ?? "0"
                })
            var rest = try rest("5551234,\(tail)")
            var (now, sent, turns) = (Duration.zero, "", 0)
            rest.begin(at: now)
            while turns < 100, rest.waits || rest.due != nil {
                if rest.waits { rest.goOn(at: now) }
                now = rest.due ?? now
                rest.take(at: now).map { sent.append($0.character) }
                turns += 1
            }
            #expect(sent == tail.filter { $0 != "," && $0 != ";" }, "\(tail)")
        }
    }
}

/// The same with a phone: what the display says, and who gets the keys.
@Suite @MainActor struct DialledRestInCallTests {
    private let desk = CallDesk()

    @Test func theFarEndGetsThemWhenItHasAnswered() {
        desk.dial("5551234,12;3")
        desk.line.calls[0].tell(.ringing)
        desk.clock.advance(by: .seconds(30))
        #expect(desk.line.calls[0].keys == "")
        #expect(desk.line.dialled == ["5551234,12;3"], "the line leaves the rest to the phone")
        desk.line.calls[0].tell(.answered)
        desk.clock.advance(by: .milliseconds(2499))
        #expect(desk.line.calls[0].keys == "")
        desk.clock.advance(by: .milliseconds(1))
        #expect(desk.line.calls[0].keys == "1")
        #expect(desk.tones.calls.hasSuffix("<\(PhoneSound.cadence(.key(.one)))>"), "it is heard here too")
        desk.clock.advance(by: .seconds(60))
        #expect(desk.line.calls[0].keys == "12")
        #expect(desk.keeper.current?.rest.waits == true)
        desk.keeper.sendRest()
        desk.clock.advance(by: .seconds(1))
        #expect(desk.line.calls[0].keys == "123")
        #expect(desk.keeper.current?.digits == "123")
        desk.keeper.hangUp()
        desk.expectNothingLeft()
    }

    @Test func aCallThatWaitsGetsThemWhenItGoesOn() {
        desk.talk("5551234,12")
        desk.keeper.setHeld(true)
        desk.clock.advance(by: .seconds(10))
        #expect(desk.line.calls[0].keys == "")
        desk.keeper.setHeld(false)
        desk.clock.advance(by: .zero)
        #expect(desk.line.calls[0].keys == "1")
        desk.clock.advance(by: .milliseconds(250))
        #expect(desk.line.calls[0].keys == "12")
    }

    @Test func anotherProgramHasTheNumberWhole() {
        desk.line.features = []
        desk.dial("5551234,12")
        #expect(desk.keeper.current?.rest == DialledRest())
    }

    @Test func theDisplayAsksBeforeTheRestIsSent() {
        let phone = Phone(
            tones: desk.tones, formatter: NumberFormatter(), clock: desk.clock, line: desk.line)
        phone.paste("5551234;99")
        phone.dial()
        desk.line.calls[0].tell(.answered)
        #expect(phone.status.text == "SEND 99 ?")
        phone.calls.sendRest()
        #expect(phone.status.text == "0:00")
        desk.clock.advance(by: .seconds(1))
        #expect(phone.status.text == "0:01  99")
        #expect(phone.number.text == "5551234;99")
    }

    @Test func joinedCallsAreToldInTheDisplay() {
        let phone = Phone(
            tones: desk.tones, formatter: NumberFormatter(), clock: desk.clock, line: desk.line)
        phone.paste("5551234")
        phone.dial()
        desk.line.calls[0].tell(.answered)
        phone.calls.flash()
        phone.paste("5550100")
        phone.dial()
        desk.line.calls[1].tell(.answered)
        phone.calls.join()
        phone.calls.setMuted(true)
        #expect(phone.status.text == "0:00  JOINED  MUTE")
        phone.calls.transfer()
        for call in desk.line.calls { call.tell(.ended(.transferred)) }
        #expect(phone.status.text == "TRANSFERRED")
    }
}

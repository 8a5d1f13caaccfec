// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests that digits after a pause or a wait go to the answering party.
@Suite @MainActor struct PostDialDigitsTests {
    private func rest(_ number: String) throws -> PostDialDigits {
        PostDialDigits(of: try #require(DialledNumber(number)))
    }

    /// Returns the keys with their times in milliseconds, and the questions asked before them.
    private func play(_ number: String) throws -> String {
        var rest = try rest(number)
        var (now, told) = (Duration.zero, "")
        rest.begin(at: now)
        while !rest.text.isEmpty {
            if rest.waits {
                told += "\(rest.next)? "
                now += .seconds(60)
                rest.resume(at: now)
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

    @Test func keysAreSentAfterAnswerWithTwoSecondsPerComma() throws {
        #expect(try play("5551234,12") == "12500 22750 ")
        #expect(try play("5551234,,1,#2") == "14500 #6750 27000 ")
    }

    @Test func semicolonAsksBeforeContinuing() throws {
        #expect(try play("5551234;12") == "12? 160000 260250 ")
        #expect(try play("5551234,1;2,3;4") == "12500 2,3? 262500 364750 4? 4124750 ")
        #expect(try play("5551234;;1") == "1? 160000 ")
    }

    @Test(arguments: ["5551234", "5551234,", "5551234;", "5551234,;,;", "", ","])
    func emptyDigitsSendNothing(_ number: String) throws {
        var rest = try rest(number)
        rest.begin(at: .zero)
        #expect(rest.text.isEmpty)
        #expect(rest.due == nil)
        #expect(!rest.waits)
    }

    @Test func nothingIsAskedBeforeAnswer() throws {
        var rest = try rest("5551234;12")
        #expect(!rest.waits)
        rest.resume(at: .zero)
        #expect(rest.text == ";12")
    }

    /// Every number ends with its keys sent in order, whatever it contains.
    @Test(arguments: Seeds.all) func keysAreSentInOrder(seed: UInt64) throws {
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
                if rest.waits { rest.resume(at: now) }
                now = rest.due ?? now
                rest.take(at: now).map { sent.append($0.character) }
                turns += 1
            }
            #expect(sent == tail.filter { $0 != "," && $0 != ";" }, "\(tail)")
        }
    }
}

/// The same tests with a phone: the display, and the recipients of the keys.
@Suite @MainActor struct DialledRestInCallTests {
    private let fixture = CallManagerFixture()

    @Test func farEndGetsDigitsAfterAnswer() {
        fixture.dial("5551234,12;3")
        fixture.line.calls[0].tell(.ringing)
        fixture.clock.advance(by: .seconds(30))
        #expect(fixture.line.calls[0].keys == "")
        #expect(fixture.line.dialled == ["5551234,12;3"], "the line leaves the rest to the phone")
        fixture.line.calls[0].tell(.answered)
        fixture.clock.advance(by: .milliseconds(2499))
        #expect(fixture.line.calls[0].keys == "")
        fixture.clock.advance(by: .milliseconds(1))
        #expect(fixture.line.calls[0].keys == "1")
        #expect(fixture.tones.calls.hasSuffix("<\(PhoneSound.cadence(.key(.one)))>"), "it is heard here too")
        fixture.clock.advance(by: .seconds(60))
        #expect(fixture.line.calls[0].keys == "12")
        #expect(fixture.keeper.current?.postDialDigits.waits == true)
        fixture.keeper.sendPostDialDigits()
        fixture.clock.advance(by: .seconds(1))
        #expect(fixture.line.calls[0].keys == "123")
        #expect(fixture.keeper.current?.digits == "123")
        fixture.keeper.hangUp()
        fixture.expectNothingLeft()
    }

    @Test func heldCallGetsDigitsAfterResuming() {
        fixture.talk("5551234,12")
        fixture.keeper.setHeld(true)
        fixture.clock.advance(by: .seconds(10))
        #expect(fixture.line.calls[0].keys == "")
        fixture.keeper.setHeld(false)
        fixture.clock.advance(by: .zero)
        #expect(fixture.line.calls[0].keys == "1")
        fixture.clock.advance(by: .milliseconds(250))
        #expect(fixture.line.calls[0].keys == "12")
    }

    @Test func otherAppGetsWholeNumber() {
        fixture.line.features = []
        fixture.dial("5551234,12")
        #expect(fixture.keeper.current?.postDialDigits == PostDialDigits())
    }

    @Test func displayAsksBeforeRestIsSent() {
        let phone = Phone(
            tones: fixture.tones, formatter: NumberFormatter(), clock: fixture.clock, line: fixture.line)
        phone.paste("5551234;99")
        phone.dial()
        fixture.line.calls[0].tell(.answered)
        #expect(phone.status.text == "SEND: 99")
        phone.calls.sendPostDialDigits()
        #expect(phone.status.text == "0:00")
        fixture.clock.advance(by: .seconds(1))
        #expect(phone.status.text == "0:01  99")
        #expect(phone.number.text == "5551234;99")
    }

    @Test func joinedCallsAreReportedInDisplay() {
        let phone = Phone(
            tones: fixture.tones, formatter: NumberFormatter(), clock: fixture.clock, line: fixture.line)
        phone.paste("5551234")
        phone.dial()
        fixture.line.calls[0].tell(.answered)
        phone.calls.flash()
        phone.paste("5550100")
        phone.dial()
        fixture.line.calls[1].tell(.answered)
        phone.calls.join()
        phone.calls.setMuted(true)
        #expect(phone.status.text == "0:00  JOINED  MUTE")
        phone.calls.transfer()
        for call in fixture.line.calls { call.tell(.ended(.transferred)) }
        #expect(phone.status.text == "TRANSFERRED")
    }
}

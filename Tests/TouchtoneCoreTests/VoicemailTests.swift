// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

/// Tests of the provider's voicemail: its count on the display, and 1 held to call it.
@Suite @MainActor struct VoicemailTests {
    private let tones = FakeTones()
    private let clock = ManualScheduler()
    private let line = FakeLine()
    private let phone: Phone
    private let mailbox = RemoteParty(DialledNumber("*98") ?? DialledNumber())

    init() {
        line.features = [.conversation, .hold]
        line.address = "sip:ada@example.org"
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: line)
    }

    private func hold(_ key: DTMFKey, for time: Duration = .milliseconds(500)) {
        phone.press(.tone(key), by: .pointer)
        clock.advance(by: time)
        phone.release(by: .pointer)
    }

    @Test func newMessagesAreCounted() {
        line.voicemail = Voicemail(newMessages: 3)
        phone.lineStateChanged()
        #expect(phone.statusText == "VM 3" && phone.hasNewVoicemail)
        phone.missedCalls = 2
        #expect(phone.statusText == "2 MISSED  VM 3")
        line.voicemail = Voicemail(newMessages: nil)
        phone.missedCalls = 0
        #expect(phone.statusText == "VM")
        line.voicemail = Voicemail(newMessages: 9_999)
        #expect(phone.statusText == "VM 999")
        line.voicemail = .none
        #expect(phone.statusText == "READY" && !phone.hasNewVoicemail)
    }

    @Test func messagesOfAllLinesAreAdded() {
        let other = FakeLine(id: "other")
        let lines = LineRegistry(fallback: line)
        lines.add(other)
        phone.calls.acceptCalls(from: lines)
        line.voicemail = Voicemail(newMessages: 1)
        other.voicemail = Voicemail(newMessages: 2)
        #expect(phone.statusText == "VM 3")
        other.voicemail = Voicemail(newMessages: nil)
        #expect(phone.statusText == "VM")
    }

    @Test func oneHeldCallsVoicemail() {
        line.voicemail = Voicemail(newMessages: 1, callee: mailbox)
        hold(.one, for: .milliseconds(499))
        #expect(phone.number.text == "1" && line.dialled == [])
        phone.clear()
        phone.press(.tone(.one), by: .pointer)
        clock.advance(by: .milliseconds(500))
        #expect(line.dialled == ["*98"] && phone.dialKey == .hangUp)
        #expect(tones.calls == "1.1.", "the key is silent before its release")
        phone.release(by: .pointer)
        #expect(line.calls.last?.keys == "")
    }

    @Test func voicemailMayBeAnAddress() {
        line.voicemail = Voicemail(
            newMessages: 0, callee: RemoteParty(DialledNumber(), address: "sip:mail@example.org"))
        hold(.one)
        #expect(line.dialledAddresses == ["sip:mail@example.org"])
    }

    @Test func oneHeldElsewhereIsADigit() {
        line.voicemail = Voicemail(newMessages: 1, callee: mailbox)
        hold(.five)
        hold(.one)
        #expect(phone.number.text == "51" && line.dialled == [])
        phone.clear()
        hold(.zero)
        #expect(phone.number.text == "+")
        hold(.one)
        #expect(phone.number.text == "+1" && line.dialled == [])
        phone.clear()
        // Another key ends the long press.
        phone.press(.tone(.one), by: .pointer)
        phone.press(.tone(.two), by: .keyboard(code: 3))
        clock.advance(by: .seconds(1))
        phone.releaseAll()
        #expect(phone.number.text == "12" && line.dialled == [])
        phone.clear()
        phone.call(DialledNumber("5551234") ?? DialledNumber())
        line.calls.last?.tell(.answered)
        hold(.one)
        #expect(line.dialled == ["5551234"] && line.calls.last?.keys == "1", "the call has the keypad")
        // The number of a call that is over is no empty number.
        line.calls.last?.tell(.ended(.farEnd))
        hold(.one)
        #expect(phone.number.text == "1" && line.dialled == ["5551234"])
    }

    @Test func lineWithoutVoicemailSaysWhereToSetIt() {
        hold(.one)
        #expect(phone.status == .noVoicemail && phone.statusText == "NO VOICEMAIL")
        #expect(phone.caption == "SEE PREFERENCES" && phone.number.isEmpty && line.dialled == [])
        hold(.five)
        #expect(phone.statusText == "READY" && phone.caption == "")
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of emergency numbers, which are dialled only on lines that record.
@Suite @MainActor struct EmergencyTests {
    private let tones = FakeTones()
    private let line = FakeLine()
    private let phone: Phone

    init() {
        phone = Phone(
            tones: tones, formatter: NumberFormatter(), clock: ManualScheduler(), line: line)
        phone.calls.emergency = EmergencyNumbers { ["110", "08", "10111"].contains($0) }
        line.features = [.conversation, .hold, .join, .transfer]
        line.rules = DialRules(prefix: "9", form: .international) { number, _ in "+1\(number)" }
    }

    private func type(_ text: String) {
        for character in text {
            guard let key = DTMFKey(character) else { continue }
            phone.press(.tone(key), by: .pointer)
            phone.release(by: .pointer)
        }
    }

    @Test(arguments: ["112", "911", "110", "08", "10111"])
    func isSentAsTyped(_ number: String) {
        type(number)
        phone.dial()
        #expect(line.dialled == [number])
    }

    @Test(arguments: ["9911", "91", "5558675309", "113", "1", "0", "1121"])
    func otherNumbersFollowRules(_ number: String) {
        type(number)
        #expect(phone.status == .ready)
        phone.dial()
        #expect(
            line.dialled == ["9+1\(number)"] || line.dialled == ["9\(number)"] || line.dialled == [number])
        #expect(!EmergencyNumbers().contains(DialledNumber(number) ?? DialledNumber()))
    }

    @Test func keysBehindNumberAreForFarEnd() {
        phone.paste("112,5")
        #expect(phone.isEmergency)
        phone.dial()
        #expect(line.dialled == ["112,5"])
    }

    @Test func kindIsShownAsSoonAsNumberIsComplete() {
        type("11")
        #expect(phone.status == .ready)
        type("0")
        #expect(phone.status == .emergencyNumber && phone.displayText == "110")
        #expect(phone.statusText == "READY" && phone.caption == "EMERGENCY NUMBER")
        type("5")
        #expect(phone.status == .ready && phone.caption.isEmpty)
        phone.press(.delete, by: .pointer)
        phone.release(by: .pointer)
        #expect(phone.status == .emergencyNumber)
        phone.clear()
        #expect(phone.status == .ready)
        phone.paste("911")
        #expect(phone.status == .emergencyNumber)
        phone.open(link: "tel:5551234")
        #expect(phone.status == .ready)
    }

    @Test func lineThatCannotReachHelpIsNotDialled() {
        phone.findLineForHelp = { nil }
        phone.paste("112")
        phone.dial()
        #expect(line.dialled == [] && phone.calls.calls.isEmpty)
        #expect(phone.status == .cannotReachHelp)
        #expect(tones.calls.contains("errorTone"))
        #expect(!phone.callForHelp(DialledNumber("911") ?? DialledNumber()))
        #expect(line.dialled == [])
    }

    @Test func practiceExchangeReachesNobody() {
        let clock = ManualScheduler()
        let exchange = PracticeExchange(
            clock: clock, sounds: tones, echo: FakeEcho(), plan: { nil },
            time: { TimeOfDay(hour: 0, minute: 0, second: .zero) })
        phone.line = exchange
        for number in ["112", "911", "110"] {
            phone.paste(number)
            phone.dial()
            #expect(phone.status == .cannotReachHelp && phone.calls.calls.isEmpty)
        }
        phone.paste("0")
        phone.dial()
        #expect(phone.calls.calls.count == 1)
    }

    @Test func firstLineThatReachesHelpIsUsedAndShown() {
        let exchange = FakeLine(id: "practice")
        exchange.reachesHelp = false
        let (tel, first, second) = (FakeLine(id: "tel"), FakeLine(id: "sip-1"), FakeLine(id: "sip-2"))
        let lines = LineRegistry(fallback: exchange)
        func chosen(_ line: FakeLine) -> String? { LineChooser.lineForHelp(of: lines, chosen: line)?.id }
        #expect(chosen(exchange) == nil)
        lines.add(tel)
        #expect(chosen(exchange) == "tel" && chosen(tel) == "tel")
        tel.state = .unavailable(reason: "")
        #expect(chosen(exchange) == nil)
        tel.state = .available
        lines.accounts = [first, second]
        #expect(chosen(exchange) == "sip-1" && chosen(tel) == "sip-1" && chosen(second) == "sip-2")
        first.state = .connecting
        #expect(chosen(first) == "sip-2")
        second.state = .unavailable(reason: "")
        #expect(chosen(first) == "tel", "a line that works now comes before one that may work")
        tel.state = .unavailable(reason: "")
        #expect(chosen(tel) == "sip-1")
        phone.line = exchange
        phone.findLineForHelp = { first }
        phone.paste("112")
        #expect(phone.lineShown === first)
        phone.dial()
        #expect(first.dialled == ["112"] && exchange.dialled == [])
        #expect(phone.line === exchange, "the choice of the user stays")
        phone.hangUp()
        phone.paste("5551234")
        #expect(phone.lineShown === exchange)
    }

    @Test func lockedPhoneCallsOnlyEmergencyNumbers() {
        phone.paste("5551234")
        #expect(!phone.callForHelp(DialledNumber("5558675309") ?? DialledNumber()))
        #expect(!phone.callForHelp(DialledNumber()))
        #expect(line.dialled == [])
        #expect(phone.callForHelp(DialledNumber("112") ?? DialledNumber()))
        #expect(line.dialled == ["112"])
        phone.hangUp()
        #expect(phone.number.text == "5551234" && phone.lastDialled == nil, "nothing typed is replaced")
    }

    @Test(arguments: Seeds.all)
    func nothingIsInTheWay(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            let fixture = CallManagerFixture()
            fixture.line.refusesHold = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                switch Int.random(in: 0...7, using: &random) {
                case 0: fixture.dial("5551234")
                case 1: fixture.line.offer("5550104")
                case 2: fixture.keeper.answer()
                case 3: fixture.line.calls.randomElement(using: &random)?.tell(.answered)
                case 4: fixture.keeper.flash()
                case 5: fixture.keeper.join()
                case 6: fixture.line.answer(.busy)
                default: fixture.keeper.setHeld(Bool.random(using: &random))
                }
            }
            fixture.line.rules = DialRules(prefix: "9")
            #expect(
                fixture.keeper.dial(RemoteParty(DialledNumber("112") ?? DialledNumber()), on: fixture.line))
            #expect(fixture.line.dialled.last == "112")
            #expect(fixture.keeper.calls.count <= CallManager.capacity)
            #expect(fixture.keeper.current?.remote.number.text == "112")
            fixture.check("emergency")
        }
    }

    @Test func transferToEmergencyNumberIsNotRewritten() {
        let lines = LineRegistry(fallback: line)
        phone.calls.acceptCalls(from: lines)
        phone.paste("5551234")
        phone.dial()
        line.calls[0].tell(.answered)
        phone.transfer()
        phone.paste("112")
        phone.transfer()
        #expect(line.calls[0].orders.contains("to 112"))
    }
}

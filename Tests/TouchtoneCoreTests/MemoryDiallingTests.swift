// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

/// Tests that MEM and a digit dial, and that MEM held and a digit store.
@Suite @MainActor struct MemoryDiallingTests {
    private let tones = FakeTones()
    private let clock = ManualScheduler()
    private let line = FakeLine()
    private let keys = FakeMemoryKeys()
    private let phone: Phone

    init() throws {
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: line)
        phone.memoryKeys = keys
        keys.memory = [3: MemoryKey(try #require(DialledNumber("5558675309")), name: "Grace")]
    }

    private func tap(_ key: KeypadKey) {
        phone.press(key, by: .pointer)
        phone.release(by: .pointer)
    }

    private func tapMemory(held: Duration = .zero) {
        phone.pressMemory()
        clock.advance(by: held)
        phone.releaseMemory()
    }

    @Test func memThenDigitDials() {
        tapMemory()
        #expect(phone.status.text == "MEMORY" && phone.caption == "PRESS A NAME")
        #expect(phone.memoryQuestion == .dial)
        tap(.tone(.three))
        #expect(line.dialled == ["5558675309"])
        #expect(phone.displayText == "(555) 867-5309")
        #expect(phone.memoryQuestion == nil)
        #expect(phone.lastDialled?.text == "5558675309")
        line.answer(.handedOver(to: "Calls"))
        #expect(clock.pending == 0)
        #expect(!tones.calls.contains("3"), "what is dialled by one key is not typed")
    }

    @Test func heldMemThenDigitStores() {
        phone.paste("555-0142")
        keys.names["5550142"] = "Edsger"
        tapMemory(held: .milliseconds(500))
        #expect(phone.status.text == "MEMORY" && phone.caption == "STORE HERE?")
        tap(.tone(.nine))
        #expect(phone.status.text == "STORED 9" && phone.caption == "")
        #expect(keys.memory[9]?.target.kept == "5550142")
        #expect(keys.memory[9]?.name == "Edsger")
        #expect(phone.number.text == "5550142", "the digit is not typed")
        #expect(line.dialled.isEmpty)
    }

    @Test func addressIsStoredAndCalled() throws {
        let account = FakeLine(id: "ada")
        phone.lineForAddresses = { [account] in account }
        phone.paste("sip:Anna@Office.example;transport=udp?Replaces=x")
        keys.names["sip:Anna@office.example"] = "Anna"
        tapMemory(held: .milliseconds(500))
        #expect(phone.status.text == "MEMORY" && phone.caption == "STORE HERE?")
        tap(.tone(.nine))
        #expect(phone.status.text == "STORED 9" && account.dialledAddresses == [])
        #expect(keys.memory[9]?.target.kept == "sip:Anna@office.example")
        #expect(keys.memory[9]?.name == "Anna")
        phone.clear()
        tapMemory()
        tap(.tone(.nine))
        #expect(account.dialledAddresses == ["sip:Anna@office.example"] && line.dialled.isEmpty)
        #expect(phone.lastDialled == nil)
    }

    /// Only SIP addresses are extensions.
    @Test func jabberAddressIsNotStored() {
        phone.enter(.jabber(ChatAddress("grace@example.org")))
        tapMemory(held: .seconds(1))
        #expect(phone.status.text == "NO NUMBER" && phone.memoryQuestion == nil)
        #expect(phone.targetToStore == nil && keys.stored == [])
    }

    @Test func pressUnderHalfSecondIsNotHold() {
        phone.paste("5550142")
        tapMemory(held: .milliseconds(499))
        #expect(phone.memoryQuestion == .dial)
        // The timer may fire at any later time.
        clock.advance(by: .seconds(1))
        #expect(phone.memoryQuestion == .dial)
    }

    /// The caption asks until MEM waits no longer, and never in place of the kind of the number.
    @Test func captionAsks() {
        phone.fill(DialledNumber("5550142") ?? DialledNumber(), name: "Grace")
        tapMemory()
        #expect(phone.caption == "PRESS A NAME")
        phone.leaveMemory()
        #expect(phone.caption == "")
        phone.askMemory(.store)
        #expect(phone.caption == "STORE HERE?")
        clock.advance(by: .seconds(5))
        #expect(phone.caption == "" && phone.status.text == "READY")
        phone.calls.emergency = EmergencyNumbers { $0 == "112" }
        phone.paste("112")
        tapMemory()
        #expect(phone.caption == "EMERGENCY NUMBER" && phone.status.text == "MEMORY")
    }

    @Test func emptyMemoryKeyIsReported() {
        tapMemory()
        tap(.tone(.one))
        #expect(phone.status.text == "MEM 1 EMPTY")
        #expect(line.dialled.isEmpty)
        #expect(tones.calls.contains("errorTone"))
        tap(.tone(.one))
        #expect(phone.number.text == "1", "the next key is an ordinary one")
    }

    @Test func nothingIsStoredWithoutNumber() {
        tapMemory(held: .seconds(1))
        #expect(phone.status.text == "NO NUMBER")
        #expect(phone.memoryQuestion == nil)
        #expect(clock.pending == 0)
    }

    @Test func modeEndsAfterFiveSecondsWithoutKey() {
        tapMemory()
        clock.advance(by: .milliseconds(4_999))
        #expect(phone.memoryQuestion == .dial)
        clock.advance(by: .milliseconds(1))
        #expect(phone.memoryQuestion == nil)
        #expect(phone.status.text == "READY")
        tap(.tone(.three))
        #expect(phone.number.text == "3")
        #expect(clock.pending == 0)
    }

    @Test func otherToneKeysKeepModeWaiting() {
        tapMemory()
        clock.advance(by: .seconds(4))
        for key in [DTMFKey.zero, .star, .pound] { tap(.tone(key)) }
        #expect(phone.number.isEmpty)
        clock.advance(by: .seconds(4))
        #expect(phone.memoryQuestion == .dial)
    }

    @Test func heldZeroDoesNotBecomePlus() {
        phone.paste("0")
        tapMemory()
        phone.press(.tone(.zero), by: .pointer)
        clock.advance(by: .milliseconds(600))
        #expect(phone.number.text == "0")
    }

    @Test(arguments: [KeypadKey.delete, .dial, .plus])
    func otherKeysOnlyCancelMode(_ key: KeypadKey) {
        phone.paste("5550142")
        tapMemory()
        phone.press(key, by: .pointer)
        #expect(phone.memoryQuestion == nil)
        clock.advance(by: .seconds(1))
        phone.release(by: .pointer)
        #expect(phone.number.text == "5550142")
        #expect(line.dialled.isEmpty)
        #expect(phone.status.text == "READY")
    }

    @Test func secondMemPressCancelsMode() {
        tapMemory()
        tapMemory(held: .seconds(1))
        #expect(phone.memoryQuestion == nil)
        #expect(clock.pending == 0)
    }

    @Test func newNumberCancelsMode() {
        tapMemory()
        phone.paste("5550142")
        #expect(phone.memoryQuestion == nil)
        #expect(phone.status.text == "READY")
        phone.askMemory(.store)
        #expect(phone.memoryQuestion == .store)
        phone.clear()
        #expect(phone.memoryQuestion == nil)
    }

    @Test func incomingCallEndsModeAndDialKeyAnswers() throws {
        let lines = LineRegistry(fallback: line)
        phone.calls.acceptCalls(from: lines)
        tapMemory()
        withExtendedLifetime(lines) { line.offer("5550199") }
        #expect(phone.memoryQuestion == nil)
        #expect(phone.dialKey == .answer)
    }

    @Test func keysGoToFarEndDuringCall() {
        line.features = [.conversation]
        phone.paste("5550142")
        phone.dial()
        line.calls.last?.tell(.answered)
        tapMemory()
        #expect(phone.memoryQuestion == nil)
        tap(.tone(.three))
        #expect(line.dialled == ["5550142"])
        #expect(!phone.call(DialledNumber("5550143") ?? DialledNumber()))
        #expect(phone.dialKey == .hangUp, "the call goes on")
        #expect(!phone.fill(DialledNumber("5550143") ?? DialledNumber(), name: "Grace"))
        #expect(phone.number.text == "5550142")
    }

    @Test func memDoesNothingWithoutMemoryKeys() {
        phone.memoryKeys = nil
        tapMemory(held: .seconds(1))
        phone.askMemory(.dial)
        #expect(phone.memoryQuestion == nil)
        #expect(phone.status.text == "READY")
    }

    @Test func windowIsNotified() {
        var told: [Phone.Change] = []
        phone.observe(by: line) { told.append($0) }
        tapMemory()
        #expect(told == [[.memory, .status, .caption], .memory])
        phone.leaveMemory()
        #expect(told.last == [.memory, .status, .caption])
    }

    @Test func choiceByPointerDoesTheSame() {
        tapMemory()
        phone.chooseMemory(3)
        #expect(line.dialled == ["5558675309"])
        phone.chooseMemory(3)
        #expect(line.dialled.count == 1, "nothing is asked for any more")
    }

    @Test func captionShowsNameOfFilledContact() {
        for (name, text) in [("Grace Hopper", "GRACE HOPPER"), ("Ада", "Ада"), ("zoë ~ {x}", "zoë ~ {x}")] {
            phone.fill(DialledNumber("5550142") ?? DialledNumber(), name: name)
            #expect(phone.caption == text && phone.status.text == "READY")
        }
        #expect(phone.displayText == "555-0142")
        #expect(line.dialled.isEmpty)
    }

    /// In every order of a few events, only the requested numbers are dialled or stored, and no timer is left.
    @Test func anyOrderOfEventsLeavesNothingBehind() {
        for number in 0..<3125 {
            keys.stored = []
            phone.paste("5550142")
            var rest = number
            for _ in 0..<5 {
                let (question, dialled) = (phone.memoryQuestion, line.dialled.count)
                let stored = keys.stored.count
                switch rest % 5 {
                case 0: phone.pressMemory()
                case 1: phone.releaseMemory()
                case 2: clock.advance(by: .milliseconds(300))
                case 3: tap(.tone(.three))
                default: tap(.delete)
                }
                let mayAct = rest % 5 == 3
                #expect(line.dialled.count == dialled || mayAct && question == .dial)
                #expect(keys.stored.count == stored || mayAct && question == .store)
                rest /= 5
                line.answer(.handedOver(to: "Calls"))
            }
            phone.releaseMemory()
            clock.advance(by: .seconds(6))
            #expect(phone.memoryQuestion == nil)
            #expect(clock.pending == 0)
        }
    }
}

/// Memory keys in memory.
@MainActor
final class FakeMemoryKeys: MemoryKeyStore {
    var memory: [Int: MemoryKey] = [:]
    var names: [String: String] = [:]
    var stored: [Int] = []

    func setMemoryKey(_ digit: Int, _ key: MemoryKey?) {
        stored.append(digit)
        memory[digit] = key
    }

    func name(for remote: RemoteParty) -> String? { names[remote.called] }
}

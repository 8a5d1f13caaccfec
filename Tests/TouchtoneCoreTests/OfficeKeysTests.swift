// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

/// Tests of the memory keys that watch an extension.
@Suite @MainActor struct OfficeKeysTests {
    private let clock = ManualScheduler()
    private let tones = FakeTones()
    private let line = FakeLine()
    private let account = FakeLine(id: "ada")
    private let extensions = FakeExtensions(["102"])
    private let lines: LineRegistry
    private let contacts: ContactBook
    private let store = MemoryContactStore()
    private let phone: Phone
    private let office: OfficeKeys

    init() async throws {
        account.features = [.conversation, .hold]
        account.address = "sip:ada@example.org"
        account.office = extensions
        lines = LineRegistry(fallback: line)
        lines.accounts = [account]
        extensions.onChange = { [account] in account.onEvent?(.stateChanged) }
        store.fill(
            [],
            memory: [
                1: MemoryKey(try #require(DialledNumber("102")), name: "Grace"),
                2: MemoryKey(try #require(DialledNumber("103")), name: "Ada"),
                3: MemoryKey(try #require(DialledNumber("112")), name: "Help"),
                4: MemoryKey(try #require(CallTarget(kept: "sip:anna@office.example")), name: "Anna"),
                5: MemoryKey(try #require(CallTarget(kept: "sip:112@office.example"))),
            ])
        contacts = ContactBook(store: store, books: nil)
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: line)
        phone.calls.emergency = EmergencyNumbers { $0 == "112" }
        phone.calls.acceptCalls(from: lines)
        phone.memoryKeys = contacts
        office = OfficeKeys(lines: lines, contacts: contacts) { [calls = phone.calls] in
            calls.emergency.contains($0)
        }
        phone.officeKeys = office
        contacts.start()
        while !contacts.isLoaded { await Task.yield() }
    }

    private static let kept = ["102", "103", "112", "sip:anna@office.example", "sip:112@office.example"]

    private func press(_ key: DTMFKey) {
        phone.askMemory(.dial)
        phone.press(.tone(key), by: .pointer)
        phone.release(by: .pointer)
    }

    @Test func lampsFollowExtensions() {
        let changes = Counter()
        office.observe(by: changes) { changes.count += 1 }
        #expect(office.state(ofKey: 1) == .unknown)
        #expect(office.state(ofKey: 2) == nil && office.state(ofKey: 9) == nil)
        extensions.states["102"] = .free
        #expect(office.state(ofKey: 1) == .free && changes.count == 1)
        extensions.states["102"] = .ringing
        extensions.states["103"] = .busy
        #expect(office.state(ofKey: 1) == .ringing && office.state(ofKey: 2) == nil)
        #expect(changes.count == 2, "what nobody watches changes no lamp")
        lines.accounts = []
        #expect(office.state(ofKey: 1) == nil && changes.count == 3)
    }

    /// Only what is on a key is watched, and only once the keys are known.
    @Test func numbersOnKeysAreWatched() async {
        #expect(extensions.onKeys.map(\.kept) == Self.kept)
        contacts.setMemoryKey(1, nil)
        while contacts.memory[1] != nil { await Task.yield() }
        #expect(extensions.onKeys.map(\.kept) == Array(Self.kept.dropFirst()))
        #expect(office.state(ofKey: 1) == nil)
    }

    @Test func oneLineWatchesANumber() throws {
        let other = FakeLine(id: "bob")
        let others = FakeExtensions([])
        other.office = others
        lines.accounts = [account, other]
        #expect(office.watchingLines.map(\.id) == ["ada", "bob"])
        let number = try #require(CallTarget(kept: "102"))
        office.watch(number, on: "bob")
        #expect(extensions.wanted.isEmpty && others.wanted == [number])
        #expect(office.line(watching: number)?.id == "bob")
        others.states["102"] = .busy
        office.watch(number, on: nil)
        #expect(others.wanted.isEmpty && office.line(watching: number) == nil)
        #expect(office.state(ofKey: 1) == nil)
    }

    /// The number means the extension on that line alone.
    @Test(arguments: [ExtensionState.unknown, .free, .busy])
    func keyCallsItsExtension(state: ExtensionState) {
        extensions.states["102"] = state
        extensions.begin = { _ in preconditionFailure("nothing rings") }
        press(.one)
        #expect(account.dialled == ["102"] && line.dialled.isEmpty)
        #expect(phone.dialKey == .hangUp)
        phone.hangUp()
        press(.two)
        #expect(account.dialled == ["102"] && line.dialled == ["103"], "this key watches nothing")
    }

    @Test func keyPicksUpCallThatRings() throws {
        extensions.states["102"] = .ringing
        let call = FakeCall(
            RemoteParty(try #require(DialledNumber("102"))), [.conversation, .hold], refusesHold: false)
        extensions.begin = { _ in call }
        press(.one)
        #expect(account.dialled.isEmpty && line.dialled.isEmpty, "nobody is called")
        #expect(phone.calls.current?.remote.number.text == "102")
        call.tell(.answered)
        #expect(phone.calls.current?.state == .connected)
        call.tell(.farEndChanged(RemoteParty(DialledNumber(), address: "sip:grace@example.org")))
        #expect(phone.displayText == "GRACE@EXAMPLE.ORG" || phone.displayText == "grace@example.org")
        call.tell(.ended(.farEnd))
        #expect(phone.lastDialled == nil, "nothing was dialled")
        #expect(phone.calls.lastEnd?.direction == .pickedUp)
        #expect(phone.calls.lastEnd?.remote.address == "sip:grace@example.org")
    }

    @Test func callThatSomebodyElseAnsweredIsSaid() throws {
        extensions.states["102"] = .ringing
        let call = FakeCall(
            RemoteParty(try #require(DialledNumber("102"))), [.conversation, .hold], refusesHold: false)
        extensions.begin = { _ in call }
        press(.one)
        call.tell(.ended(.notAvailable))
        #expect(phone.statusText == "NOT AVAILABLE")
        phone.hangUp()
        #expect(phone.calls.lastEnd?.isMissed == false)
    }

    /// A call to an extension that rings would wait there, and the user wanted another one.
    @Test func callThatCannotBePickedUpIsSaid() {
        extensions.states["102"] = .ringing
        press(.one)
        #expect(account.dialled.isEmpty && line.dialled.isEmpty && phone.calls.calls.isEmpty)
        #expect(phone.statusText == "NO PICKUP" && phone.caption == "SEE PREFERENCES")
    }

    @Test func keyOfAnEmergencyNumberCallsForHelp() throws {
        let help = try #require(CallTarget(kept: "112"))
        extensions.setWanted(true, help)
        extensions.states["112"] = .ringing
        #expect(office.line(watching: help) == nil && office.state(ofKey: 3) == nil)
        press(.three)
        #expect(line.dialled == ["112"])
    }

    // MARK: - Addresses

    private static let anna = "sip:anna@office.example"

    /// Lets the account watch an address that is on a key.
    private func watch(_ address: String = anna) throws -> CallTarget {
        let target = try #require(CallTarget(kept: address))
        office.watch(target, on: "ada")
        return target
    }

    @Test func addressIsWatchedAndCalledOnItsLine() throws {
        let first = FakeLine(id: "first")
        phone.lineForAddresses = { first }
        let anna = try watch()
        #expect(extensions.wanted.map(\.kept) == ["102", Self.anna])
        #expect(office.line(watching: anna)?.id == "ada" && office.state(ofKey: 4) == .unknown)
        extensions.states[Self.anna] = .busy
        #expect(office.state(ofKey: 4) == .busy)
        press(.four)
        #expect(account.dialledAddresses == [Self.anna] && first.dialledAddresses == [])
        #expect(phone.displayText.lowercased() == "anna@office.example")
        account.calls.last?.tell(.ended(.busy))
        phone.hangUp()
        phone.redial()
        #expect(phone.address?.text == Self.anna)
        phone.clear()
        office.watch(anna, on: nil)
        press(.four)
        #expect(first.dialledAddresses == [Self.anna], "without a watch, it is the line for addresses")
        #expect(account.dialledAddresses == [Self.anna])
    }

    @Test func callAtAnAddressIsPickedUp() throws {
        let anna = try watch()
        extensions.states[Self.anna] = .ringing
        press(.four)
        #expect(account.dialledAddresses == [] && phone.calls.calls.isEmpty)
        #expect(phone.statusText == "NO PICKUP")
        let call = FakeCall(anna.remote, [.conversation, .hold], refusesHold: false)
        var begun: [CallTarget] = []
        extensions.begin = {
            begun.append($0)
            return call
        }
        press(.four)
        #expect(begun == [anna] && account.dialledAddresses == [] && line.dialled.isEmpty)
        call.tell(.answered)
        call.tell(.ended(.farEnd))
        #expect(phone.calls.lastEnd?.direction == .pickedUp)
        #expect(phone.lastDialled == nil)
        phone.redial()
        #expect(phone.address == nil, "nothing was dialled")
    }

    @Test func addressOfAnEmergencyNumberIsNotWatched() throws {
        let help = try watch("sip:112@office.example")
        extensions.states["sip:112@office.example"] = .ringing
        #expect(!office.canWatch(help) && office.line(watching: help) == nil)
        #expect(office.state(ofKey: 5) == nil)
    }

    /// A file or the settings may have anything.
    @Test func hostileAddressesAreNoTargets() {
        for text in [
            "sip:", "sip:@", "anna@", "@office.example", "sip:anna@office.example:0",
            "sip:a%0D%0Ab@c.example",
            "sip:a%00@c.example", "sip:a\u{0}@c.example", "sip:a%E2%80%AEb@c.example", "sip:a%@c.example",
            "sip:anna@office.example\r\nReplaces: x", "anna@office.example\r\nTo: x@y.example",
            "mailto:anna@office.example", "xmpp:anna@office.example", "tel:1@office.example", "x", "sip:102",
            "sip:" + String(repeating: "a", count: 201) + "@c.example",
            "sip:a@" + String(repeating: "b", count: 100_000), String(repeating: "1", count: 41),
        ] { #expect(CallTarget(kept: text) == nil, "\(text.prefix(60).debugDescription)") }
        for text in [
            "sip:anna@office.example?Replaces=call%3Bto-tag%3D1", "sip:anna@office.example;method=REFER",
            "anna@office.example", "sip:anna:secret@OFFICE.example;transport=udp?subject=x ",
        ] { #expect(CallTarget(kept: text)?.kept == Self.anna, "\(text)") }
        // An escaped question mark belongs to the user.
        #expect(CallTarget(kept: "sip:anna%3FReplaces=x@c.example")?.kept == "sip:anna?Replaces=x@c.example")
    }

    @Test func nothingBeginsDuringACall() {
        extensions.states["102"] = .ringing
        extensions.begin = { _ in preconditionFailure("the phone is in a call") }
        account.offer("5550100")
        phone.answer()
        account.calls.last?.tell(.answered)
        phone.callKept(.number(DialledNumber("102") ?? DialledNumber()))
        #expect(phone.calls.calls.count == 1 && account.dialled.isEmpty)
    }
}

@MainActor
private final class Counter {
    var count = 0
}

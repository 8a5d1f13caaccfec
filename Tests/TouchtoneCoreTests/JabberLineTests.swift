// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of people on the display, whom Dial calls on the line of a Jabber account.
@Suite @MainActor struct JabberLineTests {
    private static let home = ChatAddress("grace@home.example")
    private static let work = ChatAddress("grace@work.example")
    private let exchange = FakeLine(id: "practice")
    private let homeLine = FakeLine(id: "home")
    private let workLine = FakeLine(id: "work")
    private let lines: LineRegistry
    private let home: ChatFixture
    private let work: ChatFixture
    private let jabber: JabberLines
    private let phone: Phone

    init() async throws {
        lines = LineRegistry(fallback: exchange)
        (homeLine.address, workLine.address) = ("xmpp:grace@home.example", "xmpp:grace@work.example")
        for line in [homeLine, workLine] {
            line.features = [.conversation, .hold]
            line.callsNumbers = false
            lines.add(line)
        }
        home = try await ChatFixture(buddies: [], account: Self.home)
        work = try await ChatFixture(buddies: [], account: Self.work, hasOperator: false)
        work.service.tell(
            .buddies([BuddyRecord(ada, name: "Ada", tellsMe: true, toldByMe: true)], version: nil))
        let messenger = Messenger(home.chat)
        messenger.setOthers([work.chat])
        await work.rest()
        jabber = JabberLines(lines, messenger)
        phone = Phone(
            tones: FakeTones(), formatter: NumberFormatter(), clock: ManualScheduler(), line: exchange)
        phone.calls.acceptCalls(from: lines)
        phone.jabber = jabber
    }

    private func person(_ text: String) -> RemoteParty { RemoteParty(ChatAddress(text)) }

    // MARK: - What a Line Calls

    @Test func lineCallsItsKindOfAddress() {
        let (number, sip) = (
            RemoteParty(DialledNumber("112") ?? DialledNumber()),
            RemoteParty(DialledNumber(), address: "sip:a@b.example")
        )
        let account = FakeLine(id: "sip")
        account.address = "sips:g@sip.example"
        #expect(account.canCall(number) && account.canCall(sip) && !account.canCall(person("a@b.example")))
        #expect(!homeLine.canCall(number) && !homeLine.canCall(sip))
        #expect(homeLine.canCall(person("a@b.example")))
        homeLine.callsNumbers = true
        #expect(homeLine.canCall(number) && exchange.canCall(number))
        #expect(!exchange.canCall(sip) && !exchange.canCall(person("a@b.example")))
        #expect(!homeLine.canCall(RemoteParty(DialledNumber())))
    }

    @Test func numberGoesToNoLineOfPeople() {
        let chooser = LineChooser(lines, setting: "")
        #expect(chooser.chosen === exchange, "a line without a gateway is not chosen")
        chooser.setting = "home"
        #expect(chooser.chosen === homeLine, "the user’s choice stays, or the number would go elsewhere")
        phone.line = homeLine
        phone.paste("5551234")
        phone.dial()
        #expect(phone.status == .peopleOnly && homeLine.calls.isEmpty && phone.displayText == "555-1234")
        homeLine.state = .connecting
        phone.dial()
        #expect(phone.statusText == "NOT AVAILABLE" && homeLine.calls.isEmpty)
        homeLine.state = .available
        homeLine.callsNumbers = true
        phone.dial()
        #expect(homeLine.dialled == ["5551234"])
        #expect(LineChooser.line(of: lines, setting: "") === exchange, "a gateway has to be chosen")
        homeLine.callsNumbers = false
        #expect(LineChooser.lineForHelp(of: lines, chosen: homeLine) === exchange)
    }

    @Test func accountForNumbersIsNoLineOfPeople() {
        lines.accounts = [homeLine]
        #expect(LineChooser.account(of: lines) == nil)
        #expect(LineChooser.line(of: lines, setting: "") === exchange)
        #expect(LineChooser.lineForSIP(of: lines, chosen: homeLine) == nil)
        let account = FakeLine(id: "sip")
        account.address = "sip:g@sip.example"
        lines.accounts = [homeLine, account]
        #expect(LineChooser.lineForSIP(of: lines, chosen: homeLine) === account)
    }

    // MARK: - Call, Elsewhere in the Window

    /// The tone of a call that was refused makes way, as for a number that is typed.
    @Test func callFollowsCallThatWasRefused() throws {
        let number = try #require(DialledNumber("5551234"))
        phone.enter(.jabber(ada))
        phone.dial()
        workLine.answer(.busy)
        #expect(phone.calls.current?.state == .refused)
        #expect(phone.call(.jabber(ada)))
        #expect(workLine.calls.count == 2 && phone.calls.calls.count == 1)
        workLine.answer(.declined)
        exchange.features = [.conversation]
        #expect(phone.call(number) && exchange.dialled == ["5551234"])
    }

    @Test func callSaysWhyItIsNotMade() {
        phone.enter(.jabber(ada))
        phone.dial()
        workLine.calls.last?.tell(.answered)
        #expect(!phone.call(.jabber(ada)))
        #expect(phone.status == .linesInUse && workLine.calls.count == 1)
        #expect(phone.dialKey == .hangUp, "the call goes on")
        phone.hangUp()
        homeLine.offer("", address: "xmpp:eve@example.org")
        #expect(!phone.call(.jabber(ada)))
        #expect(phone.status == .linesInUse && homeLine.calls[0].orders == [], "the caller is not answered")
    }

    /// The first call waits while a second one is refused, and still does during a third one.
    @Test func heldCallStaysDuringCallsAfterRefusedOne() {
        phone.enter(.jabber(ada))
        phone.dial()
        workLine.calls.last?.tell(.answered)
        phone.calls.flash()
        phone.enter(.jabber(ChatAddress("eve@example.org")))
        phone.dial()
        homeLine.answer(.busy)
        #expect(phone.calls.calls.map(\.state) == [.held, .refused])
        #expect(phone.call(.jabber(ChatAddress("eve@example.org"))))
        #expect(phone.calls.calls.map(\.state) == [.held, .dialling])
        homeLine.answer(.busy)
        phone.memoryKeys = HeldKey()
        phone.askMemory(.dial)
        phone.chooseMemory(1)
        #expect(phone.calls.calls.map(\.state).first == .held, "it is not hung up")
        #expect(exchange.dialled == ["5551234"])
    }

    // MARK: - A Line for One Call

    @Test func lineIsChosenForOneCall() {
        exchange.features = [.conversation]
        func offered() -> [String] { phone.linesForDisplay.map(\.id) }
        #expect(offered() == [], "nothing is on the display")
        phone.paste("5551234")
        #expect(offered() == ["practice"])
        homeLine.callsNumbers = true
        #expect(offered() == ["home", "practice"])
        phone.dial(on: "work")
        #expect(phone.calls.calls.isEmpty, "it has no gateway")
        phone.dial(on: "home")
        #expect(homeLine.dialled == ["5551234"] && exchange.dialled == [])
        #expect(offered() == [], "DIAL hangs up")
        phone.hangUp()
        phone.dial()
        #expect(exchange.dialled == ["5551234"], "the next call takes the usual line")
        phone.hangUp()
        phone.enter(.jabber(ada))
        #expect(offered() == ["home", "work"])
        phone.dial(on: "home")
        #expect(homeLine.calls.last?.remote.jabberAddress == ada && workLine.calls.isEmpty)
        phone.hangUp()
        phone.paste("112")
        #expect(offered() == [], "it has to reach help")
    }

    // MARK: - People

    @Test func linkWaitsAndIsCalledByAccountWithBuddy() {
        phone.open(link: "xmpp:Ada@Example.org/phone?call")
        #expect(phone.displayText == "ADA@EXAMPLE.ORG" && phone.calls.calls.isEmpty, "a link never dials")
        #expect(phone.copy() == "ada@example.org")
        phone.dial()
        #expect(workLine.calls.map(\.remote.address) == ["xmpp:ada@example.org"])
        #expect(homeLine.calls.isEmpty && exchange.calls.isEmpty)
        #expect(phone.dialKey == .hangUp && phone.displayText == "ADA@EXAMPLE.ORG")
        phone.hangUp()
        phone.clear()
        phone.dial()
        #expect(phone.displayText == "ADA@EXAMPLE.ORG" && phone.status == .redial)
        phone.dial()
        #expect(workLine.calls.count == 2)
    }

    @Test func displayNamesTheLineThatCallsAPerson() {
        phone.enter(.jabber(ada))
        #expect(phone.lineShown === workLine)
        phone.enter(.jabber(ada, account: Self.home))
        #expect(phone.lineShown === homeLine)
        phone.paste("5551234")
        #expect(phone.lineShown === exchange)
    }

    @Test func lineIsThatOfTheAccountThenOfTheBuddyThenTheFirst() {
        let (ada, eve) = (ada, ChatAddress("eve@example.org"))
        #expect(jabber.line(for: ada) === workLine)
        #expect(jabber.line(for: ada, account: Self.home) === homeLine)
        #expect(jabber.line(for: eve) === homeLine)
        homeLine.state = .unavailable(reason: "no network")
        workLine.state = .connecting
        #expect(jabber.line(for: eve) === homeLine, "none is available")
        workLine.state = .available
        #expect(jabber.line(for: eve) === workLine)
        workLine.state = .unavailable(reason: "no network")
        homeLine.state = .available
        #expect(jabber.line(for: ada) === workLine, "only that account has the buddy")
        lines.remove("work")
        #expect(jabber.line(for: ada) === homeLine)
        #expect(jabber.line(for: ada, account: Self.work) == nil)
        lines.remove("home")
        #expect(jabber.isEmpty && jabber.line(for: ada) == nil)
        phone.open(link: "xmpp:ada@example.org?call")
        phone.dial()
        #expect(phone.statusText == "NO JABBER ACCOUNT" && exchange.calls.isEmpty)
    }

    @Test func pastedAddressIsPersonUnlessSIPAccountCouldCallIt() {
        func pasted(_ text: String) -> String? {
            phone.clear()
            phone.paste(text)
            return phone.address?.text
        }
        #expect(pasted(" Eve@Example.org\n") == "xmpp:eve@example.org")
        #expect(pasted("xmpp:eve@example.org?message;body=5551234") == "xmpp:eve@example.org")
        let account = FakeLine(id: "sip")
        phone.lineForAddresses = { account }
        #expect(pasted("eve@example.org") == "sip:eve@example.org")
        #expect(pasted("xmpp:eve@example.org") == "xmpp:eve@example.org")
        #expect(pasted("ADA@example.org") == "xmpp:ada@example.org", "a buddy")
        #expect(pasted("mailto:eve@example.org") == nil && pasted("eve @example.org") == nil)
        #expect(pasted("xmpp:") == nil && pasted("xmpp:a%zz@example.org") == nil)
    }

    @Test func callIsNotTransferredToAddressOfAnotherKind() {
        let account = FakeLine(id: "sip")
        account.address = "sip:g@sip.example"
        account.features = [.conversation, .hold, .transfer]
        lines.accounts = [account]
        phone.line = account
        phone.paste("5551234")
        phone.dial()
        account.calls[0].tell(.answered)
        phone.transfer()
        phone.enter(.jabber(ada))
        phone.transfer()
        #expect(!account.calls[0].orders.contains { $0.hasPrefix("to") })
        #expect(phone.status == .notTransferred)
        phone.paste("555-9999")
        phone.transfer()
        #expect(account.calls[0].orders.last == "to 5559999")
    }

    @Test func secondNumberLeavesLineOfPeople() {
        phone.enter(.jabber(ada))
        phone.dial()
        workLine.calls[0].tell(.answered)
        phone.calls.flash()
        phone.paste("5551234")
        #expect(phone.lineShown === exchange)
        phone.dial()
        #expect(exchange.dialled == ["5551234"] && workLine.calls.count == 1)
    }

    // MARK: - Names

    @Test func buddyIsNamedAndKnown() async {
        let book = ContactBook(store: MemoryContactStore(), books: nil)
        book.nameOfBuddy = { [jabber] in jabber.name(of: $0) }
        phone.nameOf = { book.name(for: $0) }
        phone.enter(.jabber(ada))
        #expect(phone.displayText == "ADA@EXAMPLE.ORG" && phone.caption == "ADA")
        workLine.offer("", address: "xmpp:ada@example.org", displayName: "Mallory")
        #expect(phone.displayText == "ADA" && phone.caption == "ADA@EXAMPLE.ORG")
        #expect(jabber.isBuddy(ada) && !jabber.isBuddy(ChatAddress("eve@example.org")))
        #expect(jabber.conversation(with: ada) == ConversationID(ada, of: Self.work))
        let history = CallHistory(store: MemoryHistoryStore(), contacts: book, wall: FixedWallClock())
        let callers = KnownCallers(contacts: book, history: history, clock: ManualScheduler())
        callers.isBuddy = { [jabber] in jabber.isBuddy($0) }
        #expect(await callers.knows(person("ada@example.org")))
        #expect(await callers.knows(RemoteParty(DialledNumber(), address: "xmpp:ADA@example.org/x")))
    }

    @Test func strangerIsShownByAddressWithoutScheme() {
        homeLine.offer("", address: "xmpp:eve%25x@example.org")
        #expect(phone.displayText == "EVE%X@EXAMPLE.ORG" && phone.caption.isEmpty)
    }

    @Test func contactIsFoundByJabberAddress() async {
        let card = ContactCard(name: "Ada Lovelace", methods: [ContactMethod(.xmpp, "Ada@example.org")])
        let fixture = await ContactBookFixture([card])
        #expect(fixture.book.name(for: person("ada@example.org")) == "Ada Lovelace")
        #expect(card.methods[0].callAddress == .jabber(ada))
        #expect(ContactMethod(.sip, "sip:a@b.example").callAddress?.text == "sip:a@b.example")
        #expect(ContactMethod(.number, "5551234").callAddress == nil)
    }
}

@Suite struct CallAddressTests {
    @Test(arguments: [
        ("xmpp:Ada@Example.org", "xmpp:ada@example.org", "ada@example.org"),
        ("XMPP://me@example.net/ada@example.org/x?call", "xmpp:ada@example.org", "ada@example.org"),
        ("xmpp:a%25b@example.org", "xmpp:a%25b@example.org", "a%b@example.org"),
        ("sips:Ada@Example.org;x=y", "sips:Ada@example.org", "Ada@example.org"),
    ])
    func addressIsRead(_ text: String, _ canonical: String, _ shown: String) {
        let address = CallAddress(text)
        #expect(address?.text == canonical && address?.shown == shown)
        #expect(CallAddress.shown(text) == shown)
    }

    @Test(arguments: [
        "", "xmpp:", "xmpp:@", "xmpp:a%@b.example", "mailto:a@b.example", "a@b.example", "sip:a",
    ])
    func otherTextIsNone(_ text: String) {
        #expect(CallAddress(text) == nil && CallAddress.shown(text) == text)
        #expect(RemoteParty(DialledNumber(), address: text).jabberAddress == nil)
    }

    @Test func hostileAddressIsBounded() {
        #expect(CallAddress("xmpp:" + String(repeating: "a", count: 100_000) + "@b.example") == nil)
        #expect(CallAddress("xmpp:a\u{0}@b.example") == nil && CallAddress("xmpp:a%0Ab@c.example") == nil)
    }
}

/// A memory key with a number.
@MainActor
private final class HeldKey: MemoryKeyStore {
    let memory = [1: MemoryKey(DialledNumber("5551234") ?? DialledNumber(), name: "")]

    func setMemoryKey(_ digit: Int, _ key: MemoryKey?) {}
    func name(for remote: RemoteParty) -> String? { nil }
}

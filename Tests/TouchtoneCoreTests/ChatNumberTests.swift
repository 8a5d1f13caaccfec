// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of conversations with telephone numbers, and of the people behind addresses.
@MainActor
@Suite struct ChatNumberTests {
    private let own = ChatAddress("me@example.org")
    private let sms = ChatAddress("sms.example.org")
    private let grace = ChatAddress("+15558675309@sms.example.org")

    private func fixture(
        _ buddies: [BuddyRecord] = [], account: Bool = true, gateway: Bool = true
    ) async throws -> ChatFixture {
        let fixture = try await ChatFixture(account: account ? own : nil)
        fixture.service.tell(.buddies(buddies, version: nil))
        let numbers = fixture.chat.numbers
        numbers.format = { "tel \($0.text)" }
        numbers.international = { $0.count == 10 ? DialledNumber("+1\($0.text)") : nil }
        if gateway { fixture.service.numbers.found = sms }
        fixture.service.tell(.state(.online))
        await fixture.rest()
        return fixture
    }

    private func number(_ text: String) throws -> DialledNumber { try #require(DialledNumber(text)) }

    private func reason(_ fixture: ChatFixture, _ text: String) async throws -> NumberError? {
        let number = try number(text)
        do throws(NumberError) {
            _ = try await fixture.chat.numbers.address(of: number)
            return nil
        } catch {
            return error
        }
    }

    @Test func numberGetsAddressOfGateway() async throws {
        let fixture = try await fixture()
        #expect(try await fixture.chat.numbers.address(of: number("5558675309")) == grace)
        #expect(
            try await fixture.chat.numbers.address(of: number("+442079460958,12")).text.hasPrefix("+44207"))
        #expect(fixture.service.numbers.asked == ["+15558675309", "+442079460958"])
        #expect(fixture.chat.numbers.gateway == sms)
    }

    @Test func addressThatShowsNoNumberIsRemembered() async throws {
        let fixture = try await fixture()
        let odd = ChatAddress("x-77@sms.example.org")
        fixture.service.numbers.assigned["+15558675309"] = odd
        #expect(try await fixture.chat.numbers.address(of: number("5558675309")) == odd)
        _ = try await fixture.open(odd)
        #expect(fixture.chat.buddies.name(of: odd) == "tel +15558675309")
        // The conversation is found without asking again.
        fixture.service.numbers.error = .offline
        #expect(try await fixture.chat.numbers.address(of: number("+15558675309")) == odd)
    }

    @Test func addressThatShowsNoNumberIsKnownInNextRun() async throws {
        let fixture = try await fixture()
        let odd = ChatAddress("x-77@sms.example.org")
        var reports: [[ChatAddress: DialledNumber]] = []
        fixture.chat.numbers.onAssigned = { [own] account, numbers in
            #expect(account == own)
            reports.append(numbers)
        }
        _ = try await fixture.chat.numbers.address(of: number("5551112222"))
        #expect(reports == [], "the address shows its number")
        fixture.service.numbers.assigned["+15558675309"] = odd
        _ = try await fixture.chat.numbers.address(of: number("5558675309"))
        #expect(reports == [[odd: try number("+15558675309")]])
        // Another run knows it before it asks anybody.
        for (account, name) in [(own, "tel +15558675309"), (ada, odd.text)] {
            let next = try await ChatFixture(account: own)
            next.chat.numbers.format = { "tel \($0.text)" }
            next.chat.numbers.remember(sms, of: own)
            next.chat.numbers.remember(reports[0], of: account)
            #expect(next.chat.buddies.name(of: odd) == name, "it belongs to the account")
        }
    }

    @Test func reasonsAreClear() async throws {
        #expect(try await reason(try await fixture(account: false), "5558675309") == .noAccount)
        #expect(try await reason(try await fixture(gateway: false), "5558675309") == .noGateway)
        let fixture = try await fixture()
        #expect(try await reason(fixture, "8675309") == .incomplete("tel 8675309"))
        #expect(try await reason(fixture, "*69") == .notANumber)
        #expect(try await reason(fixture, ",") == .notANumber)
        #expect(fixture.service.numbers.asked == [])
        fixture.service.numbers.error = .refused("no such number")
        #expect(try await reason(fixture, "5558675309") == .refused(.refused("no such number")))
        fixture.service.numbers.error = nil
        fixture.service.numbers.assigned["+15558675309"] = ChatAddress("mallory@elsewhere.example")
        #expect(try await reason(fixture, "5558675309") == .refused(.offline))
    }

    @Test func chosenGatewayIsPreferred() async throws {
        let fixture = try await fixture()
        let numbers = fixture.chat.numbers
        var changes = 0
        numbers.observe(by: fixture) { changes += 1 }
        numbers.setting = "other.example.org"
        #expect(numbers.gateway == ChatAddress("other.example.org") && numbers.chosen != nil && changes == 1)
        #expect(
            try await numbers.address(of: number("5558675309"))
                == ChatAddress("+15558675309@other.example.org"))
        numbers.setting = "not a server"
        #expect(numbers.chosen == nil)
        await numbers.find()
        #expect(numbers.gateway == sms)
        // A gateway belongs to the account that it was found for.
        fixture.service.tell(.account(ChatAddress("other@example.org")))
        #expect(numbers.gateway == nil)
    }

    @Test func gatewayOfEarlierRunIsKnownAtOnce() async throws {
        let fixture = try await fixture(gateway: false)
        var found: [ChatAddress] = []
        fixture.chat.numbers.onFound = { found += [$0, $1] }
        fixture.chat.numbers.remember(sms, of: own)
        #expect(fixture.chat.buddies.name(of: grace) == "tel +15558675309")
        fixture.service.tell(.gateway(ChatAddress("new.example.org")))
        #expect(fixture.chat.numbers.gateway == ChatAddress("new.example.org"))
        #expect(found == [own, ChatAddress("new.example.org")])
    }

    @Test func onlyAddressesOfGatewayAreNumbers() async throws {
        let fixture = try await fixture()
        fixture.service.tell(.gateway(sms))
        let numbers = fixture.chat.numbers
        #expect(numbers.number(of: grace)?.text == "+15558675309")
        #expect(numbers.number(of: ChatAddress("15558675309@sms.example.org"))?.text == "15558675309")
        #expect(numbers.number(of: ChatAddress("tel\\3a+1\\20555@sms.example.org")) == nil)
        #expect(numbers.number(of: ChatAddress("tel\\3a+1\\20555867@sms.example.org"))?.text == "+1555867")
        for other in [
            "+15558675309@elsewhere.example", "+15558675309@xsms.example.org", "sms.example.org",
            "+15558675309@sms.example.org/x", "grace@sms.example.org", "+1234@sms.example.org",
            "+1234567890123456@sms.example.org", "12@sms.example.org", "+1555*69#1@sms.example.org",
        ] {
            #expect(numbers.number(of: ChatAddress(other)) == nil, "\(other)")
        }
    }

    @Test func conversationHasNameOfContact() async throws {
        let contacts = await ContactBookFixture([
            ContactCard(
                name: "Grace Hopper",
                methods: [ContactMethod(.number, "(555) 867-5309"), ContactMethod(.xmpp, "ada@example.org")])
        ])
        let fixture = try await fixture([BuddyRecord(ada, name: "Ada", tellsMe: true, toldByMe: true)])
        fixture.service.tell(.gateway(sms))
        await fixture.tell(received("hello", from: grace))
        #expect(fixture.chat.buddies.row(of: grace)?.name == "tel +15558675309")
        fixture.chat.numbers.contacts = contacts.book
        fixture.chat.numbers.refresh()
        let row = try #require(fixture.chat.buddies.row(of: grace))
        #expect(row.name == "Grace Hopper" && row.person.numberText == "tel +15558675309")
        #expect(row.person.contact == contacts.book.rows.first)
        // Both conversations of one person have one name.
        #expect(fixture.chat.buddies.row(of: ada)?.name == "Grace Hopper")
        await fixture.tell(received("again", from: grace))
        #expect(fixture.arrivals == ["tel +15558675309: hello", "Grace Hopper: again"])
        // A stranger’s server cannot pretend to be a number.
        let fake = ChatAddress("+15558675309@elsewhere.example")
        await fixture.tell(received("hello", from: fake))
        #expect(fixture.chat.buddies.row(of: fake)?.name == fake.text)
    }

    @Test func namesFollowContacts() async throws {
        let contacts = await ContactBookFixture([ContactBookFixture.card("Grace", number: "+15558675309")])
        let fixture = try await fixture([BuddyRecord(grace, name: "G.", tellsMe: true, toldByMe: true)])
        fixture.service.tell(.gateway(sms))
        fixture.chat.numbers.contacts = contacts.book
        fixture.chat.numbers.refresh()
        #expect(fixture.chat.buddies.row(of: grace)?.name == "Grace")
        _ = await contacts.delete(try #require(contacts.book.rows.first))
        #expect(fixture.chat.buddies.row(of: grace)?.name == "G.")
        #expect(contacts.books.starts == 0)
    }

    @Test func numberCanBeAddedAsBuddy() async throws {
        let fixture = try await fixture()
        try await fixture.chat.add("(555) 867-5309", name: "Grace")
        #expect(fixture.service.takeCalls().contains(.add(grace, "Grace")))
        await #expect(throws: ChatServiceError.self) { try await fixture.chat.add("grace", name: "") }
        await #expect(
            throws: ChatServiceError.refused(
                "tel 8675309 is not a complete phone number. Add its area code or country code.")
        ) { try await fixture.chat.add("867-5309", name: "") }
        #expect(fixture.service.takeCalls().isEmpty)
    }
}

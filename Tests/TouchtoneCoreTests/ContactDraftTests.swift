// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

/// What is typed of a contact, and what can be kept of it.
@Suite struct ContactDraftTests {
    private func draft(_ name: String = "", _ ways: ContactWay...) -> ContactDraft {
        ContactDraft(ContactCard(name: name, ways: ways))
    }

    @Test func whatWasThereStaysAsItWas() throws {
        let card = ContactCard(
            name: "Grace Hopper", organization: "Navy",
            ways: [
                ContactWay(.number, "(555) 867-5309", place: .mobile), ContactWay(.xmpp, "grace@example.org"),
            ],
            note: "COBOL\n", hasPhoto: true, rest: "BDAY:19061209")
        let draft = ContactDraft(card)
        #expect(try draft.card() == card)
        #expect(!draft.differs(from: card))
    }

    @Test func spacesAtTheEndsAndEmptyWaysGo() throws {
        var draft = draft("  Grace\t\n", ContactWay(.number, "  "), ContactWay(.number, " 555 0142 "))
        #expect(try draft.card().name == "Grace")
        #expect(try draft.card().ways == [ContactWay(.number, "555 0142")])
        draft = ContactDraft(ContactCard(name: "Grace"))
        draft.ways.append(ContactWay(.number, ""))
        #expect(!draft.differs(from: ContactCard(name: "Grace")))
    }

    @Test func withoutANameSomethingElseStandsForIt() throws {
        var draft = draft("", ContactWay(.number, "555-0142"))
        #expect(try draft.card().name == "555-0142")
        draft.organization = "Navy"
        #expect(try draft.card().name == "Navy")
        #expect(throws: ContactDraft.Mistake.empty) { try self.draft(" ", ContactWay(.sip, "")).card() }
    }

    @Test(arguments: [
        (ContactWay(.number, "nobody"), ContactDraft.Mistake.notANumber(1)),
        (ContactWay(.number, "+"), .notANumber(1)),
        (ContactWay(.number, String(repeating: "1", count: 41)), .numberTooLong(1)),
        (ContactWay(.xmpp, "grace"), .notAJabberAddress(1)),
        (ContactWay(.xmpp, "grace hopper@example.org"), .notAJabberAddress(1)),
        (ContactWay(.xmpp, "grace@"), .notAJabberAddress(1)),
        (ContactWay(.sip, "grace"), .notASIPAddress(1)),
        (ContactWay(.sip, "sip:@example.org"), .notASIPAddress(1)),
        (ContactWay(.xmpp, "a@" + String(repeating: "b", count: 200)), .wayTooLong(1)),
    ])
    func aWayThatLeadsNowhereIsSaidToBe(_ way: ContactWay, _ mistake: ContactDraft.Mistake) {
        #expect(throws: mistake) { try draft("Grace", ContactWay(.number, "1"), way).card() }
    }

    @Test(arguments: [
        (ContactWay(.sip, "grace@example.org"), "sip:grace@example.org"),
        (ContactWay(.sip, "SIPS:grace@example.org"), "SIPS:grace@example.org"),
        (ContactWay(.xmpp, "xmpp:grace@example.org"), "grace@example.org"),
        (ContactWay(.number, "1-800-FLOWERS"), "1-800-FLOWERS"),
    ])
    func addressesAreBroughtIntoTheirForm(_ way: ContactWay, _ text: String) throws {
        #expect(try draft("Grace", way).card().ways.map(\.text) == [text])
    }

    @Test func nothingIsKeptThatIsLongerThanACardCanBe() {
        let long = String(repeating: "é", count: ContactCard.longestText + 1)
        #expect(throws: ContactDraft.Mistake.tooLong(.name, most: 200)) { try self.draft(long).card() }
        var draft = self.draft("Grace")
        draft.organization = long
        #expect(throws: ContactDraft.Mistake.tooLong(.organization, most: 200)) { try draft.card() }
        draft = self.draft("Grace")
        draft.note = String(repeating: "n", count: ContactCard.longestNote + 1)
        #expect(throws: ContactDraft.Mistake.tooLong(.note, most: 10_000)) { try draft.card() }
        draft = self.draft("Grace")
        draft.ways = Array(repeating: ContactWay(.number, "1"), count: ContactCard.mostWays + 1)
        #expect(throws: ContactDraft.Mistake.tooManyWays) { try draft.card() }
    }

    @Test func thePictureIsWhatBecomesOfIt() throws {
        var draft = ContactDraft(ContactCard(name: "Grace", hasPhoto: true))
        draft.photo = .removed
        #expect(try !draft.card().hasPhoto)
        #expect(draft.differs(from: ContactCard(name: "Grace", hasPhoto: true)))
        draft.photo = .set([1])
        #expect(try draft.card().hasPhoto)
    }
}

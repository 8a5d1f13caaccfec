// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

/// Tests of the input in the contact editor and the card made from it.
@Suite struct ContactDraftTests {
    private func draft(_ name: String = "", _ methods: ContactMethod...) -> ContactDraft {
        ContactDraft(ContactCard(name: name, methods: methods))
    }

    @Test func unchangedDraftProducesSameCard() throws {
        let card = ContactCard(
            name: "Grace Hopper", organization: "Navy",
            methods: [
                ContactMethod(.number, "(555) 867-5309", label: .mobile),
                ContactMethod(.xmpp, "grace@example.org"),
            ],
            note: "COBOL\n", hasPhoto: true, rest: "BDAY:19061209")
        let draft = ContactDraft(card)
        #expect(try draft.card() == card)
        #expect(!draft.differs(from: card))
    }

    @Test func surroundingSpacesAndEmptyMethodsAreRemoved() throws {
        var draft = draft("  Grace\t\n", ContactMethod(.number, "  "), ContactMethod(.number, " 555 0142 "))
        #expect(try draft.card().name == "Grace")
        #expect(try draft.card().methods == [ContactMethod(.number, "555 0142")])
        draft = ContactDraft(ContactCard(name: "Grace"))
        draft.methods.append(ContactMethod(.number, ""))
        #expect(!draft.differs(from: ContactCard(name: "Grace")))
    }

    @Test func cardWithoutNameGetsSubstitute() throws {
        var draft = draft("", ContactMethod(.number, "555-0142"))
        #expect(try draft.card().name == "555-0142")
        draft.organization = "Navy"
        #expect(try draft.card().name == "Navy")
        #expect(throws: ContactDraft.ValidationError.empty) {
            try self.draft(" ", ContactMethod(.sip, "")).card()
        }
    }

    @Test(arguments: [
        (ContactMethod(.number, "nobody"), ContactDraft.ValidationError.notANumber(1)),
        (ContactMethod(.number, "+"), .notANumber(1)),
        (ContactMethod(.number, String(repeating: "1", count: 41)), .numberTooLong(1)),
        (ContactMethod(.xmpp, "grace"), .notAJabberAddress(1)),
        (ContactMethod(.xmpp, "grace hopper@example.org"), .notAJabberAddress(1)),
        (ContactMethod(.xmpp, "grace@"), .notAJabberAddress(1)),
        (ContactMethod(.sip, "grace"), .notASIPAddress(1)),
        (ContactMethod(.sip, "sip:@example.org"), .notASIPAddress(1)),
        (ContactMethod(.xmpp, "a@" + String(repeating: "b", count: 200)), .methodTooLong(1)),
    ])
    func invalidMethodIsReported(_ method: ContactMethod, _ mistake: ContactDraft.ValidationError) {
        #expect(throws: mistake) { try draft("Grace", ContactMethod(.number, "1"), method).card() }
    }

    @Test(arguments: [
        (ContactMethod(.sip, "grace@example.org"), "sip:grace@example.org"),
        (ContactMethod(.sip, "SIPS:grace@example.org"), "SIPS:grace@example.org"),
        (ContactMethod(.xmpp, "xmpp:grace@example.org"), "grace@example.org"),
        (ContactMethod(.number, "1-800-FLOWERS"), "1-800-FLOWERS"),
    ])
    func addressesAreNormalized(_ method: ContactMethod, _ text: String) throws {
        #expect(try draft("Grace", method).card().methods.map(\.text) == [text])
    }

    @Test func valuesLongerThanCardLimitAreRefused() {
        let long = String(repeating: "é", count: ContactCard.maximumTextLength + 1)
        #expect(throws: ContactDraft.ValidationError.tooLong(.name, maximum: 200)) {
            try self.draft(long).card()
        }
        var draft = self.draft("Grace")
        draft.organization = long
        #expect(throws: ContactDraft.ValidationError.tooLong(.organization, maximum: 200)) {
            try draft.card()
        }
        draft = self.draft("Grace")
        draft.note = String(repeating: "n", count: ContactCard.maximumNoteLength + 1)
        #expect(throws: ContactDraft.ValidationError.tooLong(.note, maximum: 10_000)) { try draft.card() }
        draft = self.draft("Grace")
        draft.methods = Array(repeating: ContactMethod(.number, "1"), count: ContactCard.maximumMethods + 1)
        #expect(throws: ContactDraft.ValidationError.tooManyMethods) { try draft.card() }
    }

    @Test func draftTracksPictureChanges() throws {
        var draft = ContactDraft(ContactCard(name: "Grace", hasPhoto: true))
        draft.photo = .removed
        #expect(try !draft.card().hasPhoto)
        #expect(draft.differs(from: ContactCard(name: "Grace", hasPhoto: true)))
        draft.photo = .set([1])
        #expect(try draft.card().hasPhoto)
    }
}

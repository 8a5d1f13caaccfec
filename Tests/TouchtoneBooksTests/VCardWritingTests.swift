// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneBooks
import TouchtoneCore

@Suite struct VCardWritingTests {
    @Test(arguments: VCardVersion.allCases)
    func writtenCardRoundTrips(_ version: VCardVersion) async throws {
        for seed in Seeds.all {
            var random = SplitMix64(seed: seed)
            let contacts = (0..<40).map { _ in SomeContact.make(using: &random) }
            let read = try await vCards.read(vCards.write(contacts, version: version))
            #expect(read.unreadable == 0 && read.photosLeftOut == 0, "seed \(seed)")
            #expect(read.contacts.count == contacts.count)
            for (read, written) in zip(read.contacts, contacts) { #expect(read == written, "seed \(seed)") }
        }
    }

    /// The output of other programs, with all the properties that the phone does not show.
    @Test(arguments: VCardVersion.allCases)
    func readCardIsWrittenWithAllItsProperties(_ version: VCardVersion) async throws {
        let lines = [
            "FN:Grandma", "N:Hopper;Grace;Brewster Murray;Adm.;PhD", "ORG:Navy;Ships", "BDAY:1906-12-09",
            "item1.TEL;type=CELL;type=VOICE;type=pref:+1 555", "item1.X-ABLabel:_$!<Mobile>!$_",
            "TEL;TYPE=CELL:555-0199", "NOTE;LANGUAGE=en:first", "NOTE:second\\, and last",
            "ADR;TYPE=HOME:;;1 Main\\, Street;Town;;123;Land", "CATEGORIES:a,b\\,c,d", "NICKNAME:x,y",
            "UID:urn:uuid:4fbe8971", "X-EVOLUTION-FILE-AS:Hopper\\, Grace",
            "URL;VALUE=URI:http://x.example/?a=1;b=2",
        ]
        let first = try #require(try await onlyContact(in: card(lines)))
        let text = String(decoding: await vCards.write([first], version: version), as: UTF8.self)
        let written = Set(text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init))
        #expect(written.isSuperset(of: lines))
        #expect(written.count == lines.count + 3)
        #expect(try await onlyContact(in: Array(text.utf8)) == first)
    }

    @Test func removedValuesAreNotWritten() async throws {
        var contact = try #require(
            try await onlyContact(
                in: card([
                    "FN:Grace", "N:Hopper;Grace;;;", "ORG:Navy;Ships", "TEL;TYPE=HOME,VOICE:1",
                    "TEL;TYPE=WORK,VOICE:2", "NOTE;LANGUAGE=en:old", "UID:1",
                    "PHOTO;VALUE=uri:http://x/y.png",
                ])))
        contact.card.name = "Amazing Grace"
        contact.card.organization = "Army"
        contact.card.note = "new"
        contact.card.methods.remove(at: 0)
        contact.card.methods.append(ContactMethod(.sip, "sip:g@x"))
        contact = NewContact(contact.card, photo: png)
        let text = String(decoding: await vCards.write([contact], version: .three), as: UTF8.self)
        #expect(
            text.split(separator: "\r\n") == [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Amazing Grace", "N:Grace;Amazing;;;", "ORG:Army",
                "TEL;TYPE=WORK,VOICE:2", "X-SIP:sip:g@x", "NOTE:new", "UID:1",
                "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgoEBQ==", "END:VCARD",
            ])
    }

    @Test func version4HasNoEncodings() async throws {
        let contact = try #require(
            try await onlyContact(in: card(["FN:A", "KEY;ENCODING=b;TYPE=PGP:AAEC", "TEL;TYPE=CELL:1"])))
        let text = String(decoding: await vCards.write([contact], version: .four), as: UTF8.self)
        #expect(text.contains("\r\nKEY:data:application/octet-stream;base64,AAEC\r\n"))
        #expect(!text.contains("ENCODING"))
    }

    @Test(arguments: VCardVersion.allCases)
    func linesAreNotFoldedWithinCharacter(_ version: VCardVersion) async throws {
        let contact = NewContact(
            ContactCard(name: String(repeating: "日é😀", count: 60), note: String(repeating: "あ", count: 999)),
            photo: png + Array(repeating: 7, count: 500))
        let bytes = await vCards.write([contact], version: version)
        for line in bytes.split(separator: 0x0A) {
            #expect(line.last == 0x0D && line.count <= 76)
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
        #expect(try await onlyContact(in: bytes) == contact)
    }

    @Test func storedDataIsNotTrusted() async throws {
        var contact = NewContact(ContactCard(name: "A\r\nEND:VCARD"))
        contact.card.methods = [
            ContactMethod(.number, "1\nTEL:2"), ContactMethod(.sip, "x y\n"), ContactMethod(.xmpp, ""),
        ]
        contact.card.rest = "END:VCARD\nBEGIN:VCARD\nVERSION:2.1\nnonsense\n\u{0}:\nTEL:9\r\nUID:1"
        for version in VCardVersion.allCases {
            let read = try await vCards.read(vCards.write([contact], version: version))
            #expect(read.contacts.count == 1)
            #expect(read.contacts.first?.card.rest == "UID:1")
            #expect(read.contacts.first?.card.methods.contains(ContactMethod(.number, "9")) == false)
        }
    }
}

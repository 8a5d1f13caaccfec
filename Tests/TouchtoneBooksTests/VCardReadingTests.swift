// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import Foundation
import TouchtoneBooks
import TouchtoneCore

@Suite struct VCardReadingTests {
    @Test func readsVersion3() async throws {
        let contact = try await onlyContact(
            in: card([
                "FN:Grace Hopper", "N:Hopper;Grace;;;", "ORG:Navy",
                "item1.TEL;type=CELL;type=pref:+1 555 867",
                " 5309", "item1.X-ABLabel:boat", "TEL;TYPE=HOME,VOICE:555-0100", "TEL;TYPE=WORK,FAX:555-0101",
                "TEL:555-0102", "X-SIP;TYPE=HOME:grace@sip.example", "X-JABBER:grace@example.org",
                "NOTE:a\\nb\\, c\\; \\\\d", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AECA//Z",
            ]))
        #expect(
            contact?.card
                == ContactCard(
                    name: "Grace Hopper", organization: "Navy",
                    methods: [
                        ContactMethod(.number, "+1 555 8675309", label: .mobile),
                        ContactMethod(.number, "555-0100", label: .home),
                        ContactMethod(.number, "555-0101", label: .fax), ContactMethod(.number, "555-0102"),
                        ContactMethod(.sip, "sip:grace@sip.example", label: .home),
                        ContactMethod(.xmpp, "grace@example.org"),
                    ], note: "a\nb, c; \\d", hasPhoto: true,
                    rest: """
                        item1.TEL;type=CELL;type=pref:+1 555 8675309
                        TEL;TYPE=HOME,VOICE:555-0100
                        TEL;TYPE=WORK,FAX:555-0101
                        X-SIP;TYPE=HOME:grace@sip.example
                        item1.X-ABLabel:boat
                        """))
        #expect(contact?.photo == jpeg)
    }

    @Test func readsVersion4() async throws {
        let contact = try await onlyContact(
            in: card(
                [
                    "FN:Zoë 日本", "TEL;VALUE=uri;TYPE=\"voice,work\";PREF=1:tel:+1-555-555-5555;ext=55",
                    "TEL;VALUE=uri;TYPE=cell:sip:zoe@example.org", "IMPP:xmpp:zo%C3%AB@example.org",
                    "IMPP:sips:zoe@example.org", "IMPP:icq:1234",
                    "PHOTO:data:image/png;base64,iVBORw0KGgoEBQ==",
                    "NICKNAME:Zo,Z", "CATEGORIES:a,b\\,c", "N:日本;Zoë;;;",
                ], version: "4.0"))
        #expect(contact?.card.name == "Zoë 日本")
        #expect(
            contact?.card.methods == [
                ContactMethod(.number, "+1-555-555-5555 ext. 55", label: .work),
                ContactMethod(.sip, "sip:zoe@example.org", label: .mobile),
                ContactMethod(.xmpp, "zoë@example.org"), ContactMethod(.sip, "sips:zoe@example.org"),
            ])
        #expect(contact?.photo == png)
        // Lists stay unchanged: a comma between two values is different from a comma within one.
        #expect(contact?.card.rest.contains("\nNICKNAME:Zo,Z\nCATEGORIES:a,b\\,c") == true)
        #expect(contact?.card.rest.contains("IMPP:icq:1234") == true)
    }

    @Test(arguments: [
        ("tel:+1-212-555-0136;ext=102", "+1-212-555-0136 ext. 102", "+12125550136;102"),
        ("TEL:5550136;phone-context=+1212", "+12125550136", "+12125550136"),
        ("tel:+12125550136;postd=p55", "+12125550136,55", "+12125550136,55"),
        ("tel:+1-212-555-0136;isub=1", "+1-212-555-0136", "+12125550136"),
        ("callto:+1-212-555-0136", "+1-212-555-0136", "+12125550136"),
        ("+1-212-555-0136 x102", "+1-212-555-0136 x102", "+12125550136;102"),
        ("+44 (0)20 7946 0958", "+44 (0)20 7946 0958", "+442079460958"),
        ("tel:%zz5;ext=1", "%zz5", "995"),
    ])
    func extensionOfNumberIsRead(_ value: String, text: String, number: String) async throws {
        let contact = try await onlyContact(in: card(["FN:Ada", "TEL;VALUE=uri:\(value)"], version: "4.0"))
        #expect(contact?.card.methods == [ContactMethod(.number, text)])
        #expect(contact?.card.methods.first?.number?.text == number)
    }

    @Test func readsVersion21() async throws {
        let latin: [UInt8] = Array("ADR;HOME;CHARSET=ISO-8859-1:;;Stra".utf8) + [0xDF] + Array("e 1\r\n".utf8)
        let windows: [UInt8] = Array("NOTE:na".utf8) + [0xEF] + Array("ve = ".utf8) + [0x80, 0x0D, 0x0A]
        let contact = try await onlyContact(
            in: Array("BEGIN:VCARD\r\nVERSION:2.1\r\n".utf8) + latin + windows
                + Array(
                    """
                    N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FC=\r
                    rgen\r
                    TEL;WORK;FAX:030 1\r
                    TEL;CELL:0170 1\r
                    KEY;ENCODING=BASE64:\r
                      AAEC\r
                      AwQF\r
                    \r
                    X-FOO;QUOTED-PRINTABLE;CHARSET=UTF-8:a=0D=0Ab=3Dc=C3=A9\r
                    END:VCARD\r

                    """.utf8))
        #expect(contact?.card.name == "Jürgen Müller")
        #expect(contact?.card.note == "naïve = €")
        #expect(
            contact?.card.methods == [
                ContactMethod(.number, "030 1", label: .fax),
                ContactMethod(.number, "0170 1", label: .mobile),
            ])
        // Stored properties have the form of version 3.
        #expect(
            contact?.card.rest == """
                N:Müller;Jürgen
                TEL;TYPE=WORK,FAX:030 1
                ADR;TYPE=HOME:;;Straße 1
                KEY;ENCODING=b:AAECAwQF
                X-FOO:a\\nb=cé
                """)
    }

    @Test(arguments: [
        (["N:Hopper;Grace;Brewster;Dr.;PhD"], "Dr. Grace Brewster Hopper PhD"), (["N:Hopper"], "Hopper"),
        (["FN:", "N:;Grace"], "Grace"), (["NICKNAME:Amazing"], "Amazing"),
        (["ORG:Navy;Ships"], "Navy, Ships"),
        (["EMAIL;TYPE=INTERNET:g@example.org"], "g@example.org"), (["TEL:555"], "555"),
        (["FN:A\\nB\t"], "A B"), (["FN: ", "TEL: ", "NOTE:x"], nil), (["NOTE:x", "UID:1"], nil),
    ])
    func readsName(_ lines: [String], name: String?) async throws {
        let read = try await vCards.read(card(lines))
        #expect(read.contacts.first?.card.name == name)
        #expect(read.unreadable == (name == nil ? 1 : 0))
    }

    @Test(arguments: ["\r\n", "\n", "\r"])
    func anyLineEndingIsAccepted(_ end: String) async throws {
        let text = ["BEGIN:VCARD", "VERSION:3.0", "FN:Gra", " ce", "\tx", "TEL:5", "END:VCARD", ""]
            .joined(separator: end)
        #expect(try await onlyContact(in: Array(text.utf8))?.card.name == "Gracex")
        #expect(try await onlyContact(in: [0xEF, 0xBB, 0xBF] + text.utf8)?.card.name == "Gracex")
        for isLittle in [true, false] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap { unit in
                isLittle
                    ? [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
                    : [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            }
            #expect(try await onlyContact(in: bytes)?.card.name == "Gracex")
        }
    }

    @Test func foldWithinCharacterIsJoined() async throws {
        let name = Array("FN:日本語 é 😀".utf8)
        for place in 3..<name.count {
            let line = name[..<place] + Array("\r\n ".utf8) + name[place...]
            let bytes = Array("BEGIN:VCARD\r\nVERSION:3.0\r\n".utf8) + line + Array("\r\nEND:VCARD\r\n".utf8)
            #expect(try await onlyContact(in: bytes)?.card.name == "日本語 é 😀")
        }
    }

    /// Groups are those of RFC 6350, Apple's, and Evolution's; a card that is none is a person.
    @Test(arguments: [
        ("KIND:group", true), ("kind:GROUP", true), ("X-ADDRESSBOOKSERVER-KIND:group", true),
        ("X-EVOLUTION-LIST:TRUE", true), ("KIND:individual", false), ("KIND:org", false),
        ("X-EVOLUTION-LIST:FALSE", false), ("NOTE:group", false),
    ])
    func groupIsNoPerson(_ line: String, isGroup: Bool) async throws {
        let cards = file([
            ["BEGIN:VCARD", "VERSION:4.0", "FN:Table 9", line, "MEMBER:urn:uuid:1", "END:VCARD"],
            ["BEGIN:VCARD", "VERSION:4.0", "FN:Grace", "END:VCARD"],
        ])
        let read = try await vCards.read(cards)
        #expect(read.contacts.map(\.card.name) == (isGroup ? ["Grace"] : ["Table 9", "Grace"]))
        #expect(read.lists == (isGroup ? 1 : 0) && read.unreadable == 0)
        if isGroup {
            let alone = try await vCards.read(card(["FN:Table 9", line]))
            #expect(alone.contacts.isEmpty && alone.lists == 1, "a file of groups is no broken file")
        }
    }

    @Test func pictureWithoutIndentationIsRead() async throws {
        let long = jpeg + (0..<200).map { UInt8($0) }
        let base64 = Array(Data(long).base64EncodedString())
        let parts = stride(from: 0, to: base64.count, by: 60).map {
            String(base64[$0..<min($0 + 60, base64.count)])
        }
        for end in [[""], []] {
            let bytes = card(
                ["FN:Grace", "PHOTO;ENCODING=BASE64;JPEG:" + parts[0]] + parts.dropFirst() + end
                    + ["TEL;CELL:555-0100", "NOTE:abcd"], version: "2.1")
            let contact = try #require(try await onlyContact(in: bytes))
            #expect(contact.photo == long)
            #expect(contact.card.methods.map(\.text) == ["555-0100"] && contact.card.note == "abcd")
        }
        // Elsewhere, a line without a colon is nothing.
        let lines = ["FN:Grace", "NOTE:one", "two"]
        let plain = try #require(try await onlyContact(in: card(lines, version: "2.1")))
        #expect(plain.card.note == "one")
    }

    @Test(arguments: ["GIF87a", "GIF89a"])
    func movingPictureIsKept(_ signature: String) async throws {
        let gif = Array(signature.utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
        let line = "PHOTO;ENCODING=b;TYPE=GIF:" + Data(gif).base64EncodedString()
        let read = try await vCards.read(card(["FN:Grace", line]))
        #expect(read.contacts.first?.photo == gif && read.photosLeftOut == 0)
        let contact = try #require(read.contacts.first)
        for version in VCardVersion.allCases {
            let written = await vCards.write([contact], version: version)
            #expect(try await onlyContact(in: written)?.photo == gif)
        }
    }

    @Test(arguments: [
        ("IMPP;X-SERVICE-TYPE=XMPP:grace@example.org", ContactMethod(.xmpp, "grace@example.org")),
        (
            "IMPP;X-SERVICE-TYPE=Jabber;TYPE=HOME:grace@example.org",
            ContactMethod(.xmpp, "grace@example.org", label: .home)
        ),
        ("IMPP;X-SERVICE-TYPE=Jabber:xmpp:grace@example.org", ContactMethod(.xmpp, "grace@example.org")),
        ("IMPP;X-SERVICE-TYPE=GoogleTalk:grace@gmail.com", ContactMethod(.xmpp, "grace@gmail.com")),
        ("IMPP;X-SERVICE-TYPE=SIP:grace@example.org", ContactMethod(.sip, "sip:grace@example.org")),
        ("IMPP;SERVICE-TYPE=xmpp:grace@example.org", ContactMethod(.xmpp, "grace@example.org")),
        ("IMPP;X-SERVICE-TYPE=Skype:grace", nil), ("IMPP:grace@example.org", nil),
        ("IMPP;X-SERVICE-TYPE=XMPP:skype:grace", nil), ("IMPP;X-SERVICE-TYPE=XMPP:no address", nil),
    ])
    func serviceOfAddressIsRead(_ line: String, method: ContactMethod?) async throws {
        let contact = try #require(try await onlyContact(in: card(["FN:Grace", line])))
        #expect(contact.card.methods == [method].compactMap { $0 })
    }

    @Test func nestedCardsAreNotRead() async throws {
        let read = try await vCards.read(
            file([
                ["BEGIN:VCARD", "VERSION:2.1", "FN:Outer", "AGENT:", "BEGIN:VCARD", "FN:Inner", "TEL:1"],
                ["AGENT:", "BEGIN:VCARD", "FN:Innermost", "END:VCARD", "END:VCARD", "TEL:2", "END:VCARD"],
                ["BEGIN:VCARD", "FN:Second", "END:VCARD"],
            ]))
        #expect(read.contacts.map(\.card.name) == ["Outer", "Second"])
        #expect(read.contacts.first?.card.methods == [ContactMethod(.number, "2")])
    }

    @Test func brokenCardsAreCounted() async throws {
        let read = try await vCards.read(
            file([
                ["nonsense", "END:VCARD", "BEGIN:VCARD", "FN:No end"],
                ["BEGIN:VCARD", "FN:Whole", "END:VCARD"],
                ["BEGIN:VCARD", "NOTE:nobody", "END:VCARD"], ["BEGIN:VCARD", "FN:Cut off", "TEL:55"],
            ]))
        #expect(read.contacts.map(\.card.name) == ["Whole"])
        #expect(read.unreadable == 3)
        await #expect(throws: VCardError.noVCard) { try await vCards.read([]) }
        await #expect(throws: VCardError.noVCard) { try await vCards.read(Array("FN:x\nEND:VCARD\n".utf8)) }
    }

    @Test func invalidPicturesAreCounted() async throws {
        let large = Array(repeating: "AAAA", count: ContactCard.maximumPhotoSize / 3 + 1).joined()
        let huge = Array(repeating: "AAAA", count: 2 * ContactCard.maximumPhotoSize / 3).joined()
        let read = try await vCards.read(
            card([
                "FN:A", "PHOTO;ENCODING=b;TYPE=BMP:Qk06AAAAAAAAADYA", "PHOTO;ENCODING=b:/9j/\(large)",
                "PHOTO;ENCODING=b:/9j/\(huge)", "PHOTO;ENCODING=b:", "PHOTO:data:image/jpeg,x", "PHOTO:x",
                "PHOTO;VALUE=uri:https://example.org/a.jpg",
            ]))
        #expect(read.photosLeftOut == 6)
        #expect(read.contacts.first?.photo == nil)
        #expect(read.contacts.first?.card.rest == "PHOTO;VALUE=uri:https://example.org/a.jpg")
    }

    @Test(arguments: [
        ("SHIFT_JIS", [0x83, 0x5C, 0x83, 0x6A, 0x81, 0x5B] as [UInt8], "ソニー"),
        ("gbk", [0xC1, 0xAA, 0xCD, 0xA8], "联通"), ("KOI8-R", [0xED, 0xC9, 0xD2], "Мир"),
        ("UTF-8", Array("Zoë".utf8), "Zoë"), ("ISO-8859-1", [0x5A, 0x6F, 0xEB], "Zoë"),
        ("CP1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
        ("KOI8-U", [0xB7, 0xD6, 0xC1, 0xCB], "Їжак"),
        ("SJIS", [0xFB, 0xFC, 0x8B, 0xB4], "髙橋"), ("x-sjis", [0x83, 0x5C, 0x83, 0x6A, 0x81, 0x5B], "ソニー"),
        ("CP932", [0xFB, 0xFC, 0x8B, 0xB4], "髙橋"), ("CP936", [0xC1, 0xAA, 0xCD, 0xA8], "联通"),
        ("gb2312", [0xE9, 0x46], "镕"),
        ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x3B, 0x33, 0x45, 0x44, 0x1B, 0x28, 0x42], "山田"),
        ("KS_C_5601-1987", [0xC8, 0xAB, 0xB1, 0xE6, 0xB5, 0xBF], "홍길동"),
        ("ISO-2022-KR", [0x1B, 0x24, 0x29, 0x43, 0x0E, 0x48, 0x2B, 0x0F], "홍"),
        ("TIS-620", [0xCA, 0xC1, 0xAA, 0xD2, 0xC2], "สมชาย"), ("MACINTOSH", [0x5A, 0x6F, 0x91], "Zoë"),
        ("x-mac-cyrillic", [0x8C, 0xE8, 0xF0], "Мир"), ("latin1", [0x5A, 0x6F, 0xEB], "Zoë"),
        ("ISO_8859-2", [0xA3, 0xF3, 0x64, 0xBC], "Łódź"), ("CP866", [0x8C, 0xA8, 0xE0], "Мир"),
        ("big5", [0xA4, 0xFD, 0xA4, 0x70, 0xA9, 0xFA], "王小明"),
        ("nonsense", Array("Zoë".utf8), "Zoë"), ("EUC-JP", [0xFF, 0x41], "ÿA"),
    ])
    func readsCharacterSets(_ charset: String, bytes: [UInt8], text: String) async throws {
        let quoted = bytes.map { byte in
            "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        for (encoding, value) in [("8BIT", bytes), ("QUOTED-PRINTABLE", Array(quoted.utf8))] {
            let line = Array("FN;CHARSET=\(charset);ENCODING=\(encoding):".utf8) + value
            let contact = try await onlyContact(in: Array("BEGIN:VCARD\n".utf8) + line + "\nEND:VCARD\n".utf8)
            #expect(contact?.card.name == text)
        }
    }

    @Test func unknownCharacterSetIsReported() async throws {
        let name = Array("FN;CHARSET=nonsense:Zo".utf8) + [0xEB]
        let cards = { (line: [UInt8]) in Array("BEGIN:VCARD\n".utf8) + line + "\nEND:VCARD\n".utf8 }
        #expect(try await vCards.read(cards(name)).unknownCharsets == 1)
        #expect(try await vCards.read(cards(name) + cards(name)).unknownCharsets == 2)
        // In ASCII, all character sets that are not stateful are alike.
        let plain = cards(Array("FN;CHARSET=nonsense:Zoe".utf8)) + cards(Array("FN;CHARSET=cp1251:Zoe".utf8))
        #expect(try await vCards.read(plain).unknownCharsets == 0)
        #expect(
            try await vCards.read(cards(Array("FN;CHARSET=CP1251:Zo".utf8) + [0xE2])).unknownCharsets == 0)
    }

    @Test func signsAfterEqualsSignAreNotHexadecimal() async throws {
        let contact = try await onlyContact(in: card(["FN;ENCODING=QUOTED-PRINTABLE:a=+Fb=-0c=4A"]))
        #expect(contact?.card.name == "a=+Fb=-0cJ")
    }

    @Test(arguments: [
        ("TEL;TYPE=\"voice,work\":1", ContactMethod.Label.work), ("a.TEL;TYPE=voice;TYPE=\"home\":1", .home),
        ("TEL;HOME;VOICE:1", .home), ("tel;cell;pref:1", .mobile), ("TEL;X=\"a:b;c=d\";TYPE=fax:1", .fax),
        ("TEL;X-=;=;;TYPE=HOME:1", .home), ("TEL;VALUE=text;X=a=b,c;TYPE=work:1", .work),
        ("TEL;PREF=1:1", .other),
    ])
    func readsParameters(_ line: String, place: ContactMethod.Label) async throws {
        let contact = try await onlyContact(in: card(["FN:A", line]))
        #expect(contact?.card.methods == [ContactMethod(.number, "1", label: place)])
    }

    @Test(arguments: [
        "TEL", "TEL;TYPE=HOME", ":1", "TEL;TYPE=\"home:1", ".TEL:1", "a.b.TEL:1", "TE L:1", "TÉL:1", "a.:1",
        "TEL;" + String(repeating: "A;", count: 65) + ":1",
        "TEL;X=" + String(repeating: "a", count: 5000) + ":1",
    ])
    func invalidLinesAreSkipped(_ line: String) async throws {
        let contact = try await onlyContact(in: card(["FN:A", line]))
        #expect(contact?.card == ContactCard(name: "A"))
    }

    @Test(arguments: [
        ("a\\nb\\Nc", "a\nb\nc"), ("a;b\\;c\\,d,e", "a;b;c,d,e"), ("\\\\n\\x\\", "\\n\\x\\"), ("a:b", "a:b"),
    ])
    func readsEscapes(_ value: String, text: String) async throws {
        #expect(try await onlyContact(in: card(["FN:A", "NOTE:" + value]))?.card.note == text)
    }
}

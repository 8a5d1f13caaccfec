// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of files with callers for the block list: what this phone and others write, and what nobody should.
struct BlockListFileTests {
    private func read(_ text: String) throws -> [String] {
        try BlockListFile.read(Array(text.utf8)).callers.map(\.text)
    }

    private func unreadable(_ text: String) throws -> Int {
        try BlockListFile.read(Array(text.utf8)).unreadable
    }

    @Test(arguments: [
        ("5550104\n+442079460958\n", ["5550104", "+442079460958"]),
        (
            "\u{FEFF}555-0104\r\n\r\n(555) 0105\rgrace@example.org",
            ["5550104", "5550105", "grace@example.org"]
        ),
        (
            "sip:Grace@example.org;transport=tls\n\"555 0104\"\n'+15550105\n",
            ["grace@example.org", "5550104", "+15550105"]
        ),
        ("tel:+1-555-0104\n=\"05550105\"\n٥٥٥٠١٠٦\n", ["+15550104", "05550105", "5550106"]),
        ("+44 (0)20 7946 0958\n*43\n104\n５５５\u{2011}０１０４", ["+442079460958", "*43", "104", "5550104"]),
        ("5550104\n555-0104\n5550104", ["5550104"]),
        ("", []), ("\n\n \r\n", []),
    ]) func listHasOneCallerInEachLine(_ text: String, _ callers: [String]) throws {
        #expect(try read(text) == callers)
        #expect(try unreadable(text) == 0)
    }

    /// Letters are keys of the keypad elsewhere; here they are names.
    @Test(arguments: [
        "hello", "Grace 555-0104", "1-800-FLOWERS", "555-0104 Bob", "grace@", "+", "()", "2024-01-01 10:00",
        "1e5", "0x10",
        "+1555*", "1555#", "5+5", "+1+1", "<number>5550104</number>", "5550104 ext 5", "²³", "５a",
    ]) func lineWithAnythingElseIsUnreadable(_ text: String) throws {
        let file = try BlockListFile.read(Array("\(text)\n5550199\n".utf8))
        #expect(file.callers.map(\.text) == ["5550199"])
        #expect(file.unreadable == 1)
    }

    @Test(arguments: [
        // Google Contacts
        (
            "Name,Given Name,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value\r\n"
                + "\"Hopper, Grace\",Grace,grace@example.org,Mobile,+1 555-0104 ::: 555-0105,Home,555-0106\r\n"
                + "Bob 2000,Bob,,,,,\r\n", ["+15550104", "5550105", "5550106"]
        ),
        // Yet Another Call Blocker, whose patterns may stand for many numbers
        (
            "ID,name,pattern,creationTimestamp,numberOfCalls,lastCallTimestamp\n"
                + "1,Bank 24,+15550104,1700000000000,3,1700000000001\n2,Evil,+1555*,1700000000000,0,\n",
            ["+15550104"]
        ),
        // FRITZ!Box
        (
            "sep=;\nTyp;Datum;Name;Rufnummer;Landes-/Ortsnetzbereich;Nebenstelle;Eigene Rufnummer;Dauer\n"
                + "2;24.12.25 18:00;Ada;030 555 0104;Berlin;;Internet: 5559999;0:00\n"
                + "2;24.12.25 18:01;;;;;5559999;0:00\n", ["0305550104"]
        ),
        // Outlook
        (
            "\"Title\",\"First Name\",\"Business Phone\",\"Mobile Phone\",\"Home Address\",\"E-mail Address\"\n"
                + "\"Ms.\",\"Ada 2\",\"(555) 010-4104\",\"\",\"1 Main Street 55\",\"ada@example.org\"\n",
            ["5550104104"]
        ),
        // The call log of this phone
        (
            "began,direction,missed,name,number,address,line,end,seconds\r\n"
                + "2011-09-12T23:34:21Z,incoming,yes,\"Ada \"\"A\"\" 1\",+15550104,sip:5550104@example.org,sip,No answer,\r\n"
                + "2011-09-12T23:34:22Z,incoming,yes,Grace,,sip:grace@example.org,sip,No answer,7\r\n",
            ["+15550104", "grace@example.org"]
        ),
        ("number,reason\n08001234567,Telemarketing 24\n0120-999-999,Scam", ["08001234567", "0120999999"]),
        ("Nom;Numéro\nAda 12;05550104\n", ["05550104"]), ("名前\t電話番号\nAda\t03-5550-0104", ["0355500104"]),
        ("phoneNumber\n5550104\n", ["5550104"]),
        ("Number,Phone\n1,5550104\n2,5550105", ["5550104", "5550105"]),
        ("Blocked numbers\n5550104\n", ["5550104"]),
        ("Name,Jabber\nAda,ada@example.org", ["ada@example.org"]),
        ("Notes,Phone\n\"two\nlines; with, 555\",5550104\n", ["5550104"]),
    ]) func tableGivesOnlyItsNumbersAndAddresses(_ text: String, _ callers: [String]) throws {
        #expect(try read(text) == callers)
    }

    @Test func onlyRowsWithSomethingWrongAreUnreadable() throws {
        #expect(try unreadable("Name,Phone\nAda,5550104\nBob,\nEve,+1555*\nMallory,unknown") == 2)
    }

    @Test(arguments: [
        ("Ada,5550104\nBob 12,5550105\n", ["5550104", "5550105"]),
        ("Naam,Wie\nAda,5550104\nBob 12,5550105\n", ["5550104", "5550105"]),
        ("2024-01-01;Ada;5550104;3\n01.02.2024;Bob;5550105;17\n", ["5550104", "5550105"]),
        ("5550104\nAda,5550105\n", ["5550104", "5550105"]),
        ("5550104, 805, +15550105", ["5550104", "805", "+15550105"]), ("5550104,Ada", ["5550104"]),
    ]) func tableWithoutHeadingHasOneColumnOfNumbers(_ text: String, _ callers: [String]) throws {
        #expect(try read(text) == callers)
    }

    @Test(arguments: ["1700000000000,5550104\n1700000000001,5550105\n", "Ada,Lovelace\nBob,2000\n"])
    func tableWhoseColumnIsNotClearIsRefused(_ text: String) {
        #expect(throws: BlockListFile.Problem.noColumn) { try BlockListFile.read(Array(text.utf8)) }
    }

    @Test(arguments: [
        ([0xFF, 0xFE, 0x35, 0x00], BlockListFile.Problem.wideText), ([0xFE, 0xFF, 0x00, 0x35], .wideText),
        ([0x35, 0x00, 0x35, 0x00], .noText), (Array("5550104\n\0".utf8), .noText),
        (Array(String(repeating: "1\n", count: BlockListFile.maximumLines + 1).utf8), .tooManyLines),
    ]) func otherFilesAreRefused(_ bytes: [UInt8], _ problem: BlockListFile.Problem) {
        #expect(throws: problem) { try BlockListFile.read(bytes) }
    }

    /// Each of these would take minutes if the work grew with the square of the length.
    @MainActor
    @Test(arguments: [
        "\"", "\"\"", ",\"x", ",\"\"\"", ",", "5", "\"5\n", "\u{FFFD}", "+", "(0)", "5;", ":::", "\r\n\n",
    ])
    func hostileTextIsReadInTime(_ piece: String) throws {
        let text = String(repeating: piece, count: BlockList.maximumFileSize / piece.utf8.count)
        let clock = ContinuousClock()
        let began = clock.now
        for whole in [text, "Phone,Name\n" + text] { _ = try? BlockListFile.read(Array(whole.utf8)) }
        #expect(clock.now - began < .seconds(60))
    }

    @Test func longFieldsAndLostQuotesSpoilOnlyTheirLines() throws {
        let long = String(repeating: "5", count: 5000)
        #expect(try read("5550104\n\(long)\n5550105") == ["5550104", "5550105"])
        #expect(
            try read("5550104\n\"lost\n" + String(repeating: "5550105\n", count: 9000)) == [
                "5550104", "5550105",
            ])
    }

    /// Bytes that are no UTF-8, as of names in an older character set.
    @Test func otherCharacterSetSpoilsOnlyNames() throws {
        let bytes = Array("Name;Telefon\nM".utf8) + [0xFC] + Array("ller;5550104\n".utf8)
        #expect(try BlockListFile.read(bytes).callers.map(\.text) == ["5550104"])
    }
}

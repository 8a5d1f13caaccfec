// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneBooks
import TouchtoneCore

/// Tests of malicious files.
@Suite struct VCardHostileTests {
    @Test func tooLargeFileIsRefused() async throws {
        let file = [UInt8](repeating: 0, count: VCardError.maximumFileSize + 1)
        await #expect(throws: VCardError.tooLarge) { try await vCards.read(file) }
    }

    @Test func garbageIsNotVCard() async throws {
        var random = SplitMix64(seed: 1)
        let bytes = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        await #expect(throws: VCardError.noVCard) { try await vCards.read(bytes) }
        for byte: UInt8 in [0, 0x0A, 0x0D, 0x20, 0xFF] {
            let bytes = [UInt8](repeating: byte, count: 200_000)
            await #expect(throws: VCardError.noVCard) { try await vCards.read(bytes) }
        }
    }

    @Test(arguments: ["NOTE:", "FN:", "TEL:", "X-FOO:", "TEL;TYPE=", "NOTE;QUOTED-PRINTABLE:", "", "ORG:;"])
    func lineOfMegabytesIsTruncated(_ start: String) async throws {
        let long = start + String(repeating: "x", count: 3_000_000)
        let read = try await vCards.read(card(["N:;A;;;", long, "TEL:555"]))
        let card = try #require(read.contacts.first?.card)
        #expect(card.name.utf8.count <= ContactCard.maximumTextLength && !card.name.isEmpty)
        #expect(card.note.count <= ContactCard.maximumNoteLength)
        #expect(card.methods.last == ContactMethod(.number, "555"))
        #expect(card.rest.utf8.count < ContactCard.maximumRestLength)
    }

    @Test(arguments: [";", ",", "=", ":", "\"", "\\", ";a=1", ",a", "=0", ".", ";=,"])
    func repeatedScanningIsBounded(_ piece: String) async throws {
        let many = String(repeating: piece, count: 10_000 / piece.utf8.count)
        for start in ["N:", "NOTE:", "TEL;TYPE=", "CATEGORIES:", "a."] {
            let read = try await vCards.read(card(["FN:A", start + many, start + many + ":1", "EMAIL:a@b"]))
            #expect(read.contacts.map(\.card.name) == ["A"])
            #expect(read.contacts.first?.card.rest.contains("EMAIL:a@b") == true)
        }
    }

    @Test func nestingDoesNotUseStack() async throws {
        let count = 20_000
        let read = try await vCards.read(file([Array(repeating: "BEGIN:VCARD", count: count)]))
        #expect(read.contacts.isEmpty && read.unreadable == count)
        let agents = Array(repeating: ["AGENT:", "BEGIN:VCARD"], count: count).flatMap { $0 }
        let inner = try await vCards.read(
            file([["BEGIN:VCARD", "FN:A"] + agents + Array(repeating: "END:VCARD", count: count + 1)]))
        #expect(inner.contacts.map(\.card.name) == ["A"])
    }

    @Test func excessCardsAndLinesAreCounted() async throws {
        let cards = Array(repeating: ["BEGIN:VCARD", "FN:A", "END:VCARD"], count: 100_010)
        let read = try await vCards.read(file(cards))
        #expect(read.contacts.count == 100_000 && read.unreadable == 10)
        let lines = (0..<3000).map { "TEL:\($0)" } + ["FN:Too late"]
        let contact = try #require(try await onlyContact(in: card(lines)))
        #expect(contact.card.name == "0")
        #expect(contact.card.methods.count == ContactCard.maximumMethods)
    }

    @Test func invalidCharactersDoNoHarm() async throws {
        let bytes =
            Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\u{0}\u{1B}[31m".utf8) + [0xFF, 0xC3]
            + Array("\r\nTEL;CHARSET=UTF-7:+AGE-\r\nNOTE;CHARSET=ISO-2022-CN-EXT:a".utf8) + [0x0E, 0xFE]
            + Array("\r\nTEL;ENCODING=QUOTED-PRINTABLE:5=00=FF6=\r\nEND:VCARD\r\n".utf8)
            + Array("\r\nEND:VCARD\r\n".utf8)
        let contact = try #require(try await onlyContact(in: bytes))
        #expect(contact.card.name == "A[31m\u{FFFD}\u{FFFD}")
        #expect(contact.card.rest.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
        #expect(contact.card.methods.allSatisfy { $0.text.utf8.allSatisfy { $0 >= 0x20 } })
    }

    /// Any changed bytes in a valid file give a result within the bounds, and no other outcome.
    @Test func damagedFilesAreReadUpToDamage() async throws {
        for seed in Seeds.all {
            var random = SplitMix64(seed: seed)
            let contacts = (0..<5).map { _ in SomeContact.make(using: &random) }
            let whole = await vCards.write(contacts, version: .three)
            for _ in 0..<15 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...10, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                bytes.removeLast(Int.random(in: 0...20, using: &random))
                let read = try await vCards.read(bytes)
                #expect(read.contacts.count + read.unreadable <= 10, "seed \(seed)")
                #expect(
                    read.contacts.allSatisfy { $0.card.name.count <= ContactCard.maximumTextLength },
                    "seed \(seed)"
                )
            }
        }
    }
}

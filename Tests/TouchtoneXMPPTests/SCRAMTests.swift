// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
@testable import TouchtoneXMPP

@Suite struct SCRAMTests {
    /// The examples of RFC 5802 section 5 and RFC 7677 section 3, and one for SHA-512 that was created with Python's
    /// hmac.
    static let examples: [Example] = [
        Example(
            hash: .sha1, nonce: "fyko+d2lbbFgONRv9qkxdawL",
            first: "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
            challenge: "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
            answer:
                "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
            last: "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="),
        Example(
            hash: .sha256, nonce: "rOprNGfwEbeRWgbNEkqO",
            first: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
            challenge:
                "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
            answer:
                "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
            last: "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="),
        Example(
            hash: .sha512, nonce: "rOprNGfwEbeRWgbNEkqO",
            first: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
            challenge: "r=rOprNGfwEbeRWgbNEkqOserver,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
            answer: "c=biws,r=rOprNGfwEbeRWgbNEkqOserver,p="
                + "CZ7JApHTPokc4WrCBHou42smHcLHmUe0MLyYkfqiJYzxHYfusVjcCfh4GwP/bcmRFItExPjW8zjmBnq4FmVPZg==",
            last: "v="
                + "N3oCzpEcItTOw34BuFx7ZxcZouHjy+jqFtSWPqVKQDPJnQ+v+loHtxwhn3s31CT2qK34Vluv22R21LxJTH2/kQ=="),
    ]

    struct Example: Sendable, CustomTestStringConvertible {
        let hash: SCRAMHash
        let nonce, first, challenge, answer, last: String
        var testDescription: String { hash.rawValue }
    }

    private static func begin(_ example: Example, binding: SCRAM.Binding = .none) throws -> SCRAM {
        try SCRAM(
            hash: example.hash, name: "user", password: "pencil", binding: binding, nonce: example.nonce)
    }

    @Test(arguments: examples)
    func standardExamplesMatch(_ example: Example) async throws {
        let scram = try Self.begin(example)
        #expect(scram.firstMessage == example.first)
        let challenge = try scram.challenge(example.challenge)
        let key = try await SaltedPassword.derived(for: challenge, from: scram)
        let answer = try scram.answer(to: challenge, with: key)
        #expect(answer.message == example.answer)
        try answer.verify(example.last)
        #expect(throws: SASLError.notProven) { try answer.verify("v=AAAA") }
        #expect(throws: SASLError.notProven) { try answer.verify("") }
        #expect(throws: SASLError.notProven) { try answer.verify("v=" + String(example.last.dropFirst(3))) }
        #expect(throws: SASLError.refused(condition: "not-authorized", text: "other-error")) {
            try answer.verify("e=other-error")
        }
        // A character can have any number of combining marks.
        for hostile in [
            String(repeating: "e", count: 100_000), "e" + String(repeating: "\u{301}", count: 100_000),
        ] {
            do throws(SASLError) {
                try answer.verify("e=a\n\u{202E}\(hostile)")
                Issue.record("the server's refusal was accepted")
            } catch {
                guard case .refused(_, let text) = error else { throw error }
                #expect(text.unicodeScalars.starts(with: "a e".unicodeScalars))
                #expect(text.unicodeScalars.count <= 1000)
            }
        }
    }

    @Test(arguments: [
        ("r=other,s=QSXCR+Q6sek8bf92,i=4096", "the nonce"),
        ("r=fyko+d2lbbFgONRv9qkxdawL,s=QSXCR+Q6sek8bf92,i=4096", "the nonce"),
        ("r=fyko+d2lbbFgONRv9qkxdawLx,s=,i=4096", "the salt"),
        ("r=fyko+d2lbbFgONRv9qkxdawLx,s=QSX!,i=4096", "the salt"),
        ("r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=1", "the number of rounds"),
        ("r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=4294967297", "the number of rounds"),
        ("r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=-5000", "the number of rounds"),
        ("r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=", "the number of rounds"),
        ("m=x,r=fyko+d2lbbFgONRv9qkxdawLx,s=QSXCR+Q6sek8bf92,i=4096", "the challenge"),
        ("", "the challenge"), ("r=,s=,i=", "the nonce"),
    ])
    func invalidServerMessageIsRefused(_ challenge: String, _ what: String) throws {
        let scram = try Self.begin(Self.examples[0])
        #expect(throws: SASLError.implausible(what)) { try scram.challenge(challenge) }
    }

    @Test func proofIncludesChannelBinding() async throws {
        let example = Self.examples[1]
        var messages: Set<String> = []
        for binding in [.none, .notOffered, .bound(.exporter, [1]), .bound(.exporter, [2])] as [SCRAM.Binding]
        {
            let scram = try Self.begin(example, binding: binding)
            let challenge = try scram.challenge(example.challenge)
            let key = try await SaltedPassword.derived(for: challenge, from: scram)
            messages.insert(try scram.answer(to: challenge, with: key).message)
        }
        #expect(messages.count == 4)
        #expect(
            try Self.begin(example, binding: .bound(.exporter, [1])).firstMessage.hasPrefix(
                "p=tls-exporter,,n=user"))
        #expect(try Self.begin(example, binding: .notOffered).firstMessage.hasPrefix("y,,"))
    }

    @Test func namesAndPasswordsArePrepared() throws {
        let scram = try SCRAM(hash: .sha1, name: "a=b,\u{AD}c", password: "Ⅸ", binding: .none, nonce: "n")
        #expect(scram.firstMessage == "n,,n=a=3Db=2Cc,r=n")
        let marked = try SCRAM(hash: .sha1, name: "a,\u{301}", password: "a", binding: .none, nonce: "n")
        #expect(marked.firstMessage.unicodeScalars.elementsEqual("n,,n=a=2C\u{301},r=n".unicodeScalars))
        for password in ["", "\u{7}", "a\u{0}b", "\u{627}\u{31}"] {
            #expect(throws: SASLError.unusablePassword) {
                try SCRAM(hash: .sha1, name: "a", password: password, binding: .none, nonce: "n")
            }
        }
    }

    /// The first hash is the example of XEP-0474, the other one was computed with Python's hashlib.
    @Test func hashOfOfferMatchesStandard() throws {
        let bindings = ["tls-server-end-point", "tls-exporter"]
        #expect(
            try OfferHash.make(
                mechanisms: ["SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"], bindings: bindings, hash: .sha1)
                == "G6k/rBLDqgOhRRaCuuatSDFkJ08=")
        #expect(
            try OfferHash.make(mechanisms: ["SCRAM-SHA-512", "PLAIN"], bindings: nil, hash: .sha512)
                == "1oKv25jQWw0TrQCEBBNypLrRkX6YRIFN+GrB6oHUbSIPxPCUNpYZsKzx6XzYsSlaorPah0/ydk5HoFgHI9wNmA==")
    }

    @Test func hashOfOfferIsFoundAmongOtherExtensions() throws {
        let scram = try Self.begin(Self.examples[0])
        for (extensions, hashes) in [
            ("", []), (",x=1,h=a=,y", ["a="]), (",h=", [""]), (",h=a,h=b", ["a", "b"]), (",d=a,hh=b", []),
        ] {
            #expect(try scram.challenge(Self.examples[0].challenge + extensions).offerHashes == hashes)
        }
    }
}

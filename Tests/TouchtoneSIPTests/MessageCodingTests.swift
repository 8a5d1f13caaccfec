// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import SIPMessages

/// Tests of the messages' coding as flat arrays of JSON, with Foundation's parser as the reference.
@Suite struct MessageCodingTests {
    private static let events: [SIPEvent] = [
        .ready(version: 1), .registration(account: "a", .registered),
        .registration(
            account: "a", .failed(.certificate(.init([.expired, .otherName], fingerprint: "A:B")))),
        .registration(
            account: "", .failed(.refused(status: 503, text: "“No” \\ \"\u{1}\u{1F}\n\u{7F}\u{2028}👩‍👩‍👧"))),
        .call(
            SIPCallID(rawValue: 1),
            .incoming(account: "a", caller: SIPParty(address: "sip:x", displayName: "é"))),
        .call(SIPCallID(rawValue: .max), .heldByFarEnd(true)),
        .call(SIPCallID(rawValue: .min), .heldByFarEnd(false)),
        .call(
            SIPCallID(rawValue: 0),
            .quality(SIPQuality(codec: "opus", loss: 0.25, jitter: 1e-7, roundTrip: 1e20))),
        .call(SIPCallID(rawValue: 2), .ended(SIPEnd(.network, status: 486, cause: 17, isTransferred: true))),
    ]

    @Test(arguments: events) func messagesAreReadBack(event: SIPEvent) throws {
        let line = try #require(MessageCoding.line(for: event))
        let text = line.dropLast()
        #expect(line.last == UInt8(ascii: "\n") && !text.contains(UInt8(ascii: "\n")))
        #expect(MessageCoding.message(in: text) == event)
        #expect(MessageCoding.message(in: text, as: SIPCommand.self) == nil)
        #expect(try JSONSerialization.jsonObject(with: Data(text)) is [Any], "it is JSON")
    }

    @Test(arguments: commands) func commandsAreReadBack(command: SIPCommand) throws {
        let text = try #require(MessageCoding.line(for: command)).dropLast()
        #expect(MessageCoding.message(in: text) == command)
        #expect(MessageCoding.message(in: text, as: SIPEvent.self) == nil)
    }

    /// A message in the form in which it is written, so that a change of the form changes the version.
    @Test func messageIsOneRowOfItsValues() {
        let command = SIPCommand.setAccount(
            SIPAccount(id: "a", address: "sip:a@b", codecs: [.opus, .pcma]), password: "\"\u{1F}",
            relayPassword: "")
        let text =
            #"["setAccount","a","sip:a@b","","","tls","offered","","",2,"opus","PCMA","automatic",600,"","\"\u001f",""]"#
        #expect(MessageCoding.line(for: command).map { String(decoding: $0, as: UTF8.self) } == text + "\n")
        let call = SIPCommand.call(SIPCallID(rawValue: 2), .hangUp)
        #expect(MessageCoding.line(for: call) == Array("[\"call\",2,\"hangUp\"]\n".utf8))
    }

    @Test func tooLongMessageIsNotSent() {
        let text = String(repeating: "x", count: MessageCoding.maximumLength)
        #expect(MessageCoding.line(for: SIPEvent.call(SIPCallID(rawValue: 1), .keyReceived(text))) == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func numberThatJSONLacksIsNotSent(number: Double) {
        let event = SIPEvent.call(SIPCallID(rawValue: 1), .quality(SIPQuality(jitter: number)))
        #expect(MessageCoding.line(for: event) == nil)
    }

    @Test(arguments: [
        "", " ", "[", "]", "[]", "[1", "[1,", "[1,]", "[,]", "[,1]", "[1]]", "[1]x", "x[1]", " [1]", "[1] ",
        "[ 1]", "[1 ]",
        "[1,\t2]", "[null]", "[nul]", "[truefalse]", "[True]", "[[1]]", "[{}]", "{}", "1", "\"a\"", "[\"]",
        "[\"\\\"]",
        "[\"\\x\"]", "[\"\\u12\"]", "[\"\\u+012\"]", "[\"\\u0020\"]", "[\"\\u001F\"]", "[\"\\u0\"]",
        "[\"\\ud800\"]",
        "[\"\\n\"]", "[\"\\/\"]", "[\"\u{1}\"]", "[01]", "[-]", "[-0]", "[-01]", "[1.]", "[.5]", "[+1]",
        "[1e]", "[1e5]",
        "[1e999]", "[--1]", "[NaN]", "[nan]", "[inf]", "[0x1p3]", "[1_0]", "[9223372036854775808]", "[0.10]",
        "[1 2]",
        "\u{FEFF}[1]", "['a']",
    ])
    func otherTextIsRefused(text: String) { #expect(Field.fields(of: Array(text.utf8)) == nil) }

    @Test(arguments: [
        ("[-0.5]", [Field.number(-0.5)]), ("[0]", [.integer(0)]),
        ("[-9223372036854775808]", [.integer(.min)]),
        ("[1e+20,0.0]", [.number(1e20), .number(0)]), ("[true,false]", [.bool(true), .bool(false)]),
        ("[\"é😀/\\\\\\\"\\u0008\",\"\"]", [.string("é😀/\\\"\u{8}"), .string("")]),
    ])
    func fieldsAreRead(text: String, fields: [Field]) {
        #expect(Field.fields(of: Array(text.utf8)) == fields)
        #expect(Field.text(of: fields) == text)
    }

    @Test func invalidBytesAndLongNumbersAreRefused() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0]] {
            #expect(Field.fields(of: Array("[\"".utf8) + bytes + Array("\"]".utf8)) == nil)
        }
        let digits = [UInt8](repeating: UInt8(ascii: "1"), count: 60_000)
        #expect(Field.fields(of: Array("[".utf8) + digits + Array("]".utf8)) == nil)
        for character in "[{\"" {
            #expect(Field.fields(of: [UInt8](repeating: character.asciiValue ?? 0, count: 60_000)) == nil)
        }
    }

    @Test(arguments: [
        "[\"ready\",\"1\"]", "[\"ready\",1.5]", "[\"ready\",1.0]", "[\"ready\",true]", "[\"ready\"]",
        "[\"ready\",1,1]",
        "[\"ready\",1,\"ready\",1]", "[1]", "[true]", "[\"unknown\"]", "[\"\"]", "[\"call\"]", "[\"call\",1]",
        "[\"call\",1,\"unknown\"]", "[\"call\",\"1\",\"answered\"]", "[\"call\",1,\"answered\",1]",
        "[\"call\",1,\"heldByFarEnd\",1]", "[\"call\",1,\"ended\",\"nobody\",0,0,\"\",false,false]",
        "[\"call\",1,\"quality\",\"\",\"\",0,0,0]", "[\"call\",1,2]",
        // Numbers of elements that the line does not have.
        "[\"registration\",\"a\",\"failed\",\"certificate\",-1,\"\"]",
        "[\"registration\",\"a\",\"failed\",\"certificate\",2,\"other\"]",
        "[\"registration\",\"a\",\"failed\",\"certificate\",9223372036854775807,\"other\",\"\"]",
        "[\"registration\",\"a\",\"failed\",\"certificate\",0,\"other\",\"\"]",
    ])
    func messageOfOtherFormIsRefused(text: String) {
        #expect(MessageCoding.message(in: text.utf8, as: SIPEvent.self) == nil)
    }

    private static let commands: [SIPCommand] = [
        .start(SIPConfiguration(userAgent: "Touchtone")), .removeAccount(id: "a"),
        .setNetwork(isAvailable: true),
        .refresh,
        .setAccount(
            SIPAccount(id: "a", address: "sip:ä@b", codecs: [.g722, .opus]), password: "“\\\"”",
            relayPassword: ""),
        .call(SIPCallID(rawValue: 2), .dial(account: "a", address: "sips:x")),
        .call(SIPCallID(rawValue: 2), .join(with: SIPCallID(rawValue: .max))),
        .call(SIPCallID(rawValue: 1), .pressKey("#")),
    ]

    /// Changed bytes never crash, and whatever is read is written in the same bytes, as Foundation reads them, too.
    @Test(arguments: Seeds.all) func damagedLinesAreReadInOneFormOnly(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try damage(Self.events, with: &random)
        try damage(Self.commands, with: &random)
    }

    private func damage<Message: Codable & Equatable>(
        _ messages: [Message], with random: inout SplitMix64
    ) throws {
        let lines = try messages.map { Array(try #require(MessageCoding.line(for: $0)).dropLast()) }
        var found = 0
        for _ in 0..<3_000 {
            var line = lines[Int.random(in: lines.indices, using: &random)]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: line.indices, using: &random)
                let byte = Array("{}[]\":,\\u0e-1 .tx".utf8).randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = byte
                case 1: line.insert(byte, at: place)
                default: if line.count > 1 { line.remove(at: place) }
                }
            }
            guard let message = MessageCoding.message(in: line, as: Message.self) else { continue }
            let text = "\(String(decoding: line, as: UTF8.self))"
            #expect(MessageCoding.line(for: message)?.dropLast().elementsEqual(line) == true, "\(text)")
            #expect((try? JSONSerialization.jsonObject(with: Data(line))) is [Any], "\(text)")
            found += 1
        }
        // Some changes only make another text or number.
        #expect(found > 0)
    }

    /// Pieces of any length, and lines that are too long, give the same lines as the whole text.
    @Test(arguments: Seeds.all) func piecesGiveTheSameLines(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let lengths = [0, 1, 2, 100, MessageCoding.maximumLength, MessageCoding.maximumLength + 1]
        let lines = (0..<20).map { _ in
            [UInt8](
                repeating: UInt8.random(in: 32...255, using: &random),
                count: lengths.randomElement(using: &random) ?? 0)
        }
        var rest = lines.flatMap { $0 + [UInt8(ascii: "\n")] }[...]
        var splitter = LineSplitter()
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...90_000, using: &random))
            found += splitter.lines(after: piece)
            rest = rest.dropFirst(piece.count)
        }
        #expect(found == lines.filter { $0.count <= MessageCoding.maximumLength })
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import SIPMessages

/// Tests of the messages' coding as JSON, with Foundation's coder as the reference.
@Suite struct MessageCodingTests {
    private static let events: [SIPEvent] = [
        .ready(version: 1), .registration(account: "a", .registered),
        .registration(
            account: "a", .failed(.certificate(.init([.expired, .otherName], fingerprint: "A:B")))),
        .registration(
            account: "", .failed(.refused(status: 503, text: "“No” \\ \"\u{1}\u{1F}\n\u{7F}\u{2028}👩‍👩‍👧"))),
        .incoming(SIPCallID(rawValue: 1), account: "a", caller: SIPParty(address: "sip:x", displayName: "é")),
        .heldByFarEnd(SIPCallID(rawValue: .max), true), .heldByFarEnd(SIPCallID(rawValue: .min), false),
        .quality(
            SIPCallID(rawValue: 0), SIPQuality(codec: "opus", loss: 0.25, jitter: 1e-7, roundTrip: 1e20)),
        .ended(SIPCallID(rawValue: 2), SIPEnd(.network, status: 486, cause: 17, isTransferred: true)),
    ]

    @Test(arguments: events) func messagesAreReadByFoundationAndBack(event: SIPEvent) throws {
        let line = try #require(MessageCoding.line(for: event))
        #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
        #expect(try JSONDecoder().decode(SIPEvent.self, from: Data(line)) == event)
        #expect(MessageCoding.message(in: line) == event)
        #expect(MessageCoding.message(in: try JSONEncoder().encode(event)) == event)
        #expect(MessageCoding.message(in: line, as: SIPCommand.self) == nil)
    }

    @Test func tooLongMessageIsNotSent() {
        let text = String(repeating: "x", count: MessageCoding.maximumLength)
        #expect(MessageCoding.line(for: SIPEvent.keyReceived(SIPCallID(rawValue: 1), text)) == nil)
    }

    @Test(arguments: [
        "", " ", "nul", "truefalse", "[", "[1", "[1,", "[1,]", "[,]", "{", "{}}", "{\"a\"}", "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}", "{\"a\":1,\"a\":1}", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "01", "-", "-01", "1.", "1.e5", ".5", "+1", "1e",
        "1e999",
        "--1",
        "NaN", "1 2", "\u{FEFF}1", "[1]x",
    ])
    func textThatIsNotJSONIsRefused(text: String) { #expect(JSON(parsing: Array(text.utf8)) == nil) }

    @Test(arguments: [
        ("-0.5e+2", JSON.number(-50)), ("0", .integer(0)), ("9223372036854775808", .number(0x1p63)),
        (" [ ] ", .array([])), ("{ }", .object([:])),
        ("\t\"\\u00e9\\ud83d\\ude00\\/\\b\"\r\n", .string("é😀/\u{8}")),
        ("[null,true,false]", .array([.null, .bool(true), .bool(false)])),
    ])
    func valuesAreRead(text: String, value: JSON) { #expect(JSON(parsing: Array(text.utf8)) == value) }

    @Test func invalidBytesAndDeepNestingAreRefused() {
        #expect(JSON(parsing: [0x22, 0xFF, 0x22]) == nil && JSON(parsing: [0x22, 0xC3, 0x22]) == nil)
        for depth in [JSON.maximumDepth, 60_000] {
            let count = depth == JSON.maximumDepth ? depth : depth / 2
            let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
            #expect((JSON(parsing: Array(text.utf8)) != nil) == (depth == JSON.maximumDepth))
        }
    }

    @Test(arguments: [
        "{\"ready\":{\"version\":\"1\"}}", "{\"ready\":{\"version\":1.5}}", "{\"ready\":{}}",
        "{\"ready\":[]}",
        "{\"ready\":null}", "{\"ready\":{\"version\":1},\"answered\":{\"_0\":1}}", "{\"unknown\":{}}", "[]",
        "1",
        "{\"heldByFarEnd\":{\"_0\":1,\"_1\":1}}", "{\"ended\":{\"_0\":1,\"_1\":{\"side\":\"nobody\"}}}",
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
        .dial(SIPCallID(rawValue: 2), account: "a", address: "sips:x"),
        .join(SIPCallID(rawValue: 2), with: SIPCallID(rawValue: .max)),
        .pressKey(SIPCallID(rawValue: 1), "#"),
    ]

    /// Changed bytes never crash, and whatever is read is what Foundation reads.
    @Test(arguments: Seeds.all) func damagedLinesAreReadAsFoundationReadsThem(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try damage(Self.events, with: &random)
        try damage(Self.commands, with: &random)
    }

    private func damage<Message: Codable & Equatable>(
        _ messages: [Message], with random: inout SplitMix64
    ) throws {
        let lines = try messages.map { Array(try #require(MessageCoding.line(for: $0)).dropLast()) }
        for _ in 0..<3_000 {
            var line = lines[Int.random(in: lines.indices, using: &random)]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: line.indices, using: &random)
                let byte = Array("{}[]\":,\\u0e-1 ".utf8).randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = byte
                case 1: line.insert(byte, at: place)
                default: if line.count > 1 { line.remove(at: place) }
                }
            }
            guard let message = MessageCoding.message(in: line, as: Message.self) else { continue }
            let other = try? JSONDecoder().decode(Message.self, from: Data(line))
            #expect(other == message, "\(String(decoding: line, as: UTF8.self))")
        }
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

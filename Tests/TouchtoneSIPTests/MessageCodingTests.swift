// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

@testable import HelperMessages

/// Tests of the messages' coding as rows of texts.
@Suite struct MessageCodingTests {
    private static let events: [SIPEvent] = [
        .registration(account: "a", .registered),
        .registration(
            account: "a", .failed(.certificate(.init([.expired, .otherName], fingerprint: "A:B")))),
        .registration(
            account: "", .failed(.refused(status: 503, text: "“No” \\ \"\u{1}\u{1F}\n\u{7F}\u{2028}👩‍👩‍👧"))),
        .call(
            SIPCallID(rawValue: 1),
            .incoming(account: "a", caller: SIPParty(address: "sip:x", displayName: "é"))),
        .call(SIPCallID(rawValue: .max), .heldByFarEnd(true)),
        .call(
            SIPCallID(rawValue: 3),
            .incoming(account: "a", caller: SIPParty(address: "sip:x"), offersText: true)),
        .call(
            SIPCallID(rawValue: 7),
            .incoming(account: "a", caller: SIPParty(address: "sip:x"), diversions: 3)),
        .call(SIPCallID(rawValue: 3), .textRuns(true)), .call(SIPCallID(rawValue: 3), .textRefused),
        .call(SIPCallID(rawValue: 3), .text("a\u{8}\u{2028}\u{FFFD}👩‍👩‍👧")),
        .call(SIPCallID(rawValue: .min), .heldByFarEnd(false)),
        .call(
            SIPCallID(rawValue: 0),
            .quality(SIPQuality(codec: "opus", loss: 0.25, jitter: 1e-7, roundTrip: 1e20))),
        .extension(account: "a", address: "sip:102@x", SIPExtension(.free)),
        .extension(
            account: "a", address: "sip:102@x",
            SIPExtension(
                .ringing, canBePickedUp: true, caller: SIPParty(address: "sip:y", displayName: "é\n"))),
        .call(SIPCallID(rawValue: 2), .ended(SIPEnd(.network, status: 486, cause: 17, isTransferred: true))),
    ]

    /// A description has numbers of several sizes.
    @Test(arguments: [true, false]) func descriptionIsReadBack(isEncrypted: Bool) throws {
        let candidate = MediaDescription.Candidate(
            foundation: "1", priority: .max, address: "198.51.100.7", port: .max, kind: .host)
        let parameter = MediaDescription.Parameter("useinbandfec", "1")
        let format = MediaDescription.Format(
            96, "opus", rate: 48_000, channels: 2, parameters: [parameter].compactMap(\.self))
        let fingerprint = try #require(
            MediaDescription.Fingerprint(.sha256, Array(repeating: "AB", count: 32).joined(separator: ":")))
        let made = MediaDescription(
            formats: [format].compactMap(\.self), user: "user", password: "passwordpasswordpassword",
            fingerprint: isEncrypted ? fingerprint : nil, role: .either,
            candidates: [candidate].compactMap(\.self))
        let media = try #require(made)
        #expect(media.candidates.count == 1 && media.formats[0].parameters.count == 1)
        let id = SIPCallID(rawValue: 2)
        let event = SIPEvent.call(id, .described(media))
        let line = try #require(MessageCoding.line(for: event))
        #expect(MessageCoding.message(in: line.dropLast()) == event)
        let route = MediaRoute(servers: [MediaServer(host: "a", port: .max)])
        let command = SIPCommand.call(id, .prepareAnswer(to: media, route))
        let text = try #require(MessageCoding.line(for: command))
        #expect(MessageCoding.message(in: text.dropLast()) == command)
    }

    /// A certificate that is there must be one, and only who has one has a role.
    @Test func spoiltCertificateIsNoMissingOne() throws {
        let certificate = Array(repeating: "AB", count: 32).joined(separator: ":")
        let made = MediaDescription(
            formats: [MediaDescription.Format(0, "PCMU", rate: 8_000)].compactMap(\.self), user: "user",
            password: "passwordpasswordpassword",
            fingerprint: MediaDescription.Fingerprint(.sha256, certificate), role: .client)
        let event = SIPEvent.call(SIPCallID(rawValue: 2), .described(try #require(made)))
        let line = try #require(MessageCoding.line(for: event))
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        let whole = "1\tsha-256\t\(certificate)"
        for spoilt in [
            "1\tsha-384\t\(certificate)", "1\tsha-256\tX\(certificate.dropFirst())", "0", "1", "-1",
            "2\tsha-256\t\(certificate)\tsha-256\t\(certificate)",
        ] {
            #expect(text.contains(whole))
            let changed = text.replacingOccurrences(of: whole, with: spoilt)
            let read: SIPEvent? = MessageCoding.message(in: Array(changed.utf8)[...])
            #expect(read == nil, "\(changed)")
        }
    }

    @Test(arguments: events) func messagesAreReadBack(event: SIPEvent) throws {
        let line = try #require(MessageCoding.line(for: event))
        let text = line.dropLast()
        #expect(line.last == UInt8(ascii: "\n") && !text.contains(UInt8(ascii: "\n")))
        #expect(MessageCoding.message(in: text) == event)
        #expect(MessageCoding.message(in: text, as: SIPCommand.self) == nil)
    }

    @Test(arguments: commands) func commandsAreReadBack(command: SIPCommand) throws {
        let text = try #require(MessageCoding.line(for: command)).dropLast()
        #expect(MessageCoding.message(in: text) == command)
        #expect(MessageCoding.message(in: text, as: SIPEvent.self) == nil)
    }

    /// A message in the form in which it is written, so that a change of the form changes the version.
    @Test func messageIsOneRowOfItsValues() {
        let command = SIPCommand.setAccount(
            SIPAccount(id: "a", address: "sip:a@b", codecs: [.opus, .pcma]), password: "\t\\\n\u{1F}",
            relayPassword: "")
        let text =
            "setAccount\ta\tsip:a@b\t\t\ttls\toffered\t\t\t2\topus\tPCMA\tautomatic\t600\t\t\\t\\\\\\n\u{1F}\t"
        #expect(MessageCoding.line(for: command).map { String(decoding: $0, as: UTF8.self) } == text + "\n")
        let call = SIPCommand.call(SIPCallID(rawValue: 2), .hangUp)
        #expect(MessageCoding.line(for: call) == Array("call\t2\thangUp\n".utf8))
    }

    /// The messages that all helpers have, around those of one kind.
    @Test func messagesOfAllHelpersAreRows() throws {
        let start = HelperCommand<SIPHelper>.start(version: 10, SIPConfiguration(userAgent: "x"))
        let commands: [(HelperCommand<SIPHelper>, String)] = [
            (start, "start\t10\tx\t\t\t\ttrue\tfalse\t0\t0.0\ttrue\ttrue"), (.heartbeat(7), "heartbeat\t7"),
            (.command(.removeAccount(id: "a")), "command\tremoveAccount\ta"),
        ]
        for (command, text) in commands {
            #expect(MessageCoding.line(for: command) == Array((text + "\n").utf8))
            #expect(MessageCoding.message(in: text.utf8) == command)
        }
        let events: [(HelperEvent<SIPHelper>, String)] = [
            (.ready(version: 10), "ready\t10"), (.heartbeat(7), "heartbeat\t7"),
            (.event(.call(SIPCallID(rawValue: 1), .ringing)), "event\tcall\t1\tringing"),
        ]
        for (event, text) in events {
            #expect(MessageCoding.line(for: event) == Array((text + "\n").utf8))
            #expect(MessageCoding.message(in: text.utf8) == event)
        }
    }

    @Test func tooLongMessageIsNotSent() {
        let text = String(repeating: "x", count: MessageCoding.maximumLength)
        #expect(MessageCoding.line(for: SIPEvent.call(SIPCallID(rawValue: 1), .keyReceived(text))) == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func numberWithoutValueIsNotSent(number: Double) {
        let event = SIPEvent.call(SIPCallID(rawValue: 1), .quality(SIPQuality(jitter: number)))
        #expect(MessageCoding.line(for: event) == nil)
    }

    @Test(arguments: [
        ("", [""]), ("\t", ["", ""]), ("a\tb\t", ["a", "b", ""]), ("\\t\\n\\\\", ["\t\n\\"]),
        ("\\\\t", ["\\t"]), ("é😀/\u{0}\r\n".replacingOccurrences(of: "\n", with: "\\n"), ["é😀/\u{0}\r\n"]),
        ("e\t\u{301}", ["e", "\u{301}"]), ("\r\t\r", ["\r", "\r"]),
    ])
    func textsAreRead(line: String, fields: [String]) {
        #expect(Row.fields(of: line.utf8) == fields)
        #expect(Row.line(of: fields) == Array(line.utf8))
    }

    @Test(arguments: [
        "\\", "\\\t", "a\\", "\\x", "\\\\\\", "\\T", "\\u0009", "a\nb", "\\\n", "\\\u{0}",
    ])
    func otherTextIsRefused(line: String) { #expect(Row.fields(of: line.utf8) == nil) }

    @Test func invalidBytesAreRefused() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC3, 0x09, 0xA9]] {
            #expect(Row.fields(of: Array("a\t".utf8) + bytes) == nil)
        }
    }

    @Test(arguments: [
        "", "\t", "unknown", "call", "call\t1", "call\t1\tunknown", "call\t1\tringing\t",
        "call\t\t1\tringing",
        "call\t1\tringing\tcall\t1\tringing", "Call\t1\tringing", " call\t1\tringing", "call\t2",
        // Other spellings of numbers, and other numbers.
        "call\t1.0\tringing", "call\t+1\tringing", "call\t01\tringing", "call\t-0\tringing",
        "call\t 1\tringing",
        "call\t1 \tringing", "call\t0x1\tringing", "call\t1e0\tringing", "call\t١\tringing",
        "call\t\tringing",
        "call\t9223372036854775808\tringing", "call\ttrue\tringing",
        "call\t1\theldByFarEnd\t1", "call\t1\theldByFarEnd\tTrue", "call\t1\theldByFarEnd\t",
        "call\t1\tended\tnobody\t0\t0\t\tfalse\tfalse", "call\t1\tquality\t\t\t0\t0\t0",
        "call\t1\tquality\t\t\tnan\t0.0\t0.0", "call\t1\tquality\t\t\tinf\t0.0\t0.0",
        "call\t1\tquality\t\t\t1e5\t0.0\t0.0", "call\t1\tquality\t\t\t.5\t0.0\t0.0",
        "call\t1\tquality\t\t\t1e999\t0.0\t0.0",
        // Numbers of elements that the line does not have.
        "registration\ta\tfailed\tcertificate\t-1\t", "registration\ta\tfailed\tcertificate\t2\tother",
        "registration\ta\tfailed\tcertificate\t9223372036854775807\tother\t",
        "registration\ta\tfailed\tcertificate\t0\tother\t",
    ])
    func messageOfOtherFormIsRefused(text: String) {
        #expect(MessageCoding.message(in: text.utf8, as: SIPEvent.self) == nil)
    }

    @Test func longNumberIsRefused() {
        let digits = String(repeating: "1", count: 60_000)
        #expect(MessageCoding.message(in: "call\t\(digits)\tringing".utf8, as: SIPEvent.self) == nil)
    }

    private static let commands: [SIPCommand] = [
        .removeAccount(id: "a"),
        .setNetwork(isAvailable: true),
        .refresh, .setTakesText(false),
        .setAccount(
            SIPAccount(id: "a", address: "sip:ä@b", codecs: [.g722, .opus]), password: "“\\\"”",
            relayPassword: ""),
        .call(SIPCallID(rawValue: 2), .dial(account: "a", address: "sips:x")),
        .call(SIPCallID(rawValue: 2), .join(with: SIPCallID(rawValue: .max))),
        .call(SIPCallID(rawValue: 1), .pressKey("#")),
        .call(SIPCallID(rawValue: 1), .startText), .call(SIPCallID(rawValue: 1), .sendText("\u{8}\u{2028}é")),
    ]

    /// Changed bytes never crash, and whatever is read is written in the same bytes.
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
                let byte = Array("\t\n\\tn0e-1 .x\u{0}".utf8).randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = byte
                case 1: line.insert(byte, at: place)
                default: if line.count > 1 { line.remove(at: place) }
                }
            }
            guard let message = MessageCoding.message(in: line, as: Message.self) else { continue }
            let text = "\(String(decoding: line, as: UTF8.self))"
            #expect(MessageCoding.line(for: message)?.dropLast().elementsEqual(line) == true, "\(text)")
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

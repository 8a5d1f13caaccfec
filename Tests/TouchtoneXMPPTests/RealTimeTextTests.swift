// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of real-time text without a connection: its elements, and the texts at both ends.
@MainActor
@Suite struct RealTimeTextTests {
    /// Pieces of texts in which code points, characters and bytes differ.
    private static let pieces = [
        "a", "b ", " ", "\n", "é", "e\u{301}", "\u{301}", "👩‍👩‍👧", "🇩🇪", "\u{202E}", "日本", "&<>'\"", "\t",
        "x\u{200d}",
    ]

    // MARK: Both ends

    @Test func readerHasTheTextOfTheWriter() throws {
        var random = SplitMix64(seed: 3)
        for run in 0..<40 {
            var (writer, reader) = (RealTimeWriter(sequence: run), RealTimeReader())
            var (text, now): ([Unicode.Scalar], Duration) = ([], .seconds(100))
            for _ in 0..<60 {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    now += .milliseconds(Int.random(in: 0...400, using: &random))
                    Self.edit(&text, &random)
                    writer.type(Self.string(text), at: now)
                }
                // An element is lost now and then, or a new text begins.
                switch Int.random(in: 0..<20, using: &random) {
                case 0: reader.lose()
                case 1: writer.lose()
                case 2:
                    writer.end()
                    (text, reader) = ([], RealTimeReader())
                default: break
                }
                now += RealTimeWriter.interval
                guard let element = writer.next(at: now) else { continue }
                let read = try #require(RealTimeText(try XMLElementTests.read(element.element.serialized())))
                #expect(read == element)
                reader.take(read)
                var pause = Duration.zero
                while let next = reader.play() { pause += next }
                #expect(pause <= RealTimeReader.maximumPause)
                if reader.isInStep { #expect(Array(reader.text.unicodeScalars) == text, "run \(run)") }
            }
            // A repetition brings them together again.
            text.append("z")
            writer.type(Self.string(text), at: now)
            now += RealTimeWriter.refresh
            let last = writer.next(at: now)
            reader.take(try #require(last))
            while reader.play() != nil {}
            #expect(reader.isInStep && Array(reader.text.unicodeScalars) == text)
        }
    }

    private static func edit(_ text: inout [Unicode.Scalar], _ random: inout SplitMix64) {
        let start = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, start + Int.random(in: 0...3, using: &random))
        let piece = Bool.random(using: &random) ? pieces.randomElement(using: &random) ?? "" : ""
        text.replaceSubrange(start..<end, with: piece.unicodeScalars)
    }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    @Test func charactersOfSeveralCodePointsAreReplacedAsAWhole() {
        let (plain, accented) = (RealTimeDraft("cafe"), RealTimeDraft("cafe\u{301}"))
        #expect(plain.actions(to: accented) == [.erase(1, before: nil), .insert("e\u{301}", at: nil)])
        #expect(
            RealTimeDraft("e\u{301}x").actions(to: RealTimeDraft("a\u{301}x"))
                == [.erase(2, before: 2), .insert("a\u{301}", at: 0)])
        #expect(plain.actions(to: plain) == [])
        #expect(RealTimeDraft("abc").actions(to: RealTimeDraft("ac")) == [.erase(1, before: 2)])
        #expect(RealTimeDraft("ac").actions(to: RealTimeDraft("abc")) == [.insert("b", at: 1)])
    }

    @Test func writerTellsPausesAndRepeatsTheText() {
        var writer = RealTimeWriter(sequence: 6)
        #expect(writer.due == nil)
        writer.type("h", at: .seconds(50))
        #expect(writer.due == .zero, "the first change is told at once")
        #expect(writer.next(at: .seconds(50)) == RealTimeText(.new, sequence: 7, [.insert("h", at: nil)]))
        #expect(writer.due == nil, "nothing is told without a change")
        writer.type("he", at: .seconds(50) + .milliseconds(200))
        writer.type("hey", at: .seconds(50) + .milliseconds(350))
        #expect(writer.due == .seconds(50) + RealTimeWriter.interval)
        #expect(
            writer.next(at: .seconds(51))
                == RealTimeText(
                    .edit, sequence: 8,
                    [
                        .wait(.milliseconds(200)), .insert("e", at: nil), .wait(.milliseconds(150)),
                        .insert("y", at: nil),
                    ]))
        writer.type("", at: .seconds(65))
        #expect(writer.next(at: .seconds(65)) == RealTimeText(.reset, sequence: 9))
        for count in 1...200 {
            writer.type(String(repeating: "x", count: count), at: .seconds(65) + .milliseconds(count))
        }
        #expect(
            writer.next(at: .seconds(66))
                == RealTimeText(.edit, sequence: 10, [.insert(String(repeating: "x", count: 200), at: nil)]),
            "many changes are told as one")
        writer.end()
        #expect(writer.due == nil)
        writer.type("n", at: .seconds(67))
        #expect(writer.next(at: .seconds(67))?.event == .new)
    }

    // MARK: Hostile elements

    @Test func actionsStayWithinTheText() throws {
        func text(_ actions: String) throws -> String {
            let element = try XMLElementTests.read(
                "<rtt xmlns='urn:xmpp:rtt:0' event='new' seq='1'>\(actions)</rtt>")
            var reader = RealTimeReader()
            reader.take(try #require(RealTimeText(element)))
            while reader.play() != nil {}
            return reader.text
        }
        #expect(try text("<t>Hello Bob</t><e n='4'/><t>, this is Alice!</t>") == "Hello, this is Alice!")
        #expect(try text("<t>Hello, this is Alice!</t><e p='15' n='8'/><t p='7'> w</t>") == "Hello,  wAlice!")
        #expect(try text("<t>ab</t><e n='9'/><t>c</t>") == "c", "too many are erased")
        #expect(try text("<t>ab</t><e p='99' n='1'/><t p='99'>c</t>") == "ac")
        #expect(try text("<t>ab</t><e p='-3' n='-2'/><t p='-1'>c</t>") == "cab")
        #expect(try text("<t>ab</t><e n='99999999999999999999999'/>") == "")
        #expect(
            try text("<t>ab</t><t p='x'>c</t><e n='1e9'/><t p=''>d</t><u/><t xmlns='urn:x'>e</t>") == "ab")
        #expect(try text("<t>a<b>x</b>b</t><w n='99999999999999999999'/><t/><t> </t><t>c</t>") == "ab c")
        #expect(try text("<t>👍e\u{301}</t><e/>") == "👍e", "it counts code points")
    }

    @Test func elementsThatNoProgramSendsAreIgnored() throws {
        for attributes in [
            "event='new'", "event='new' seq='-1'", "event='new' seq='99999999999'", "event='new' seq='x'",
            "seq=''", "event='other' seq='1'", "event='New' seq='1'", "event='' seq='1'",
            "event='new' seq='1' id='a'",
        ] {
            let element = try XMLElementTests.read("<rtt xmlns='urn:xmpp:rtt:0' \(attributes)><t>a</t></rtt>")
            #expect(RealTimeText(element) == nil, "\(attributes)")
        }
        let many = (0...RealTimeText.maximumActions).map { _ in RealTimeAction.insert("a", at: nil) }
        #expect(RealTimeText(RealTimeText(.new, sequence: 1, many).element) == nil)
        #expect(
            RealTimeText(XMLElement("rtt", RealTimeText.namespace, ["event": "init", "seq": "x"])) != nil)
        #expect(RealTimeText(XMLElement("rtt", "urn:xmpp:rtt:1", ["seq": "1"])) == nil)
    }

    @Test func textIsBoundedAndLossIsNoticed() {
        var reader = RealTimeReader()
        func take(_ event: RealTimeText.Event, _ sequence: Int, _ text: String, at place: Int? = nil) {
            reader.take(RealTimeText(event, sequence: sequence, [.insert(text, at: place)]))
            while reader.play() != nil {}
        }
        take(.edit, 1, "a")
        #expect(reader.text.isEmpty, "it has not begun")
        take(.new, 5, "a")
        take(.edit, 6, "b")
        take(.edit, 8, "d")
        take(.edit, 7, "c")
        take(.edit, 9, "e")
        #expect(reader.text == "ab" && !reader.isInStep, "one was lost")
        take(.reset, 3, "abcd")
        take(.edit, 4, "e")
        #expect(reader.text == "abcde")
        let long = String(repeating: "\u{301}", count: RealTimeDraft.maximumLength)
        take(.edit, 5, long, at: 0)
        #expect(reader.text.unicodeScalars.count == RealTimeDraft.maximumLength)
        take(.edit, 6, "f")
        #expect(!reader.isInStep && reader.text.hasSuffix("abcde"))
    }
}

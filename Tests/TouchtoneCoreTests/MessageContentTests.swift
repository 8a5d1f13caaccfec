// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneCore

@Suite struct MessageContentTests {
    private typealias Fallback = MessageContent.Fallback

    private static let (reply, other) = ("urn:xmpp:reply:0", "urn:example:0")

    @Test func plainTextNeedsNoMemoryForOtherParts() {
        // A text, a reference to the parts, and what most encrypted messages have.
        #expect(
            MemoryLayout<MessageContent>.size == MemoryLayout<String>.size + MemoryLayout<Int>.size
                + MemoryLayout<UInt32?>.size + MemoryLayout<Protection>.size)
        let content = MessageContent("hello")
        #expect(content.files.isEmpty && content.fallbacks.isEmpty && content.encryption == nil)
        #expect(!content.isUnstyled && MessageContent("hello", isUnstyled: true).isUnstyled)
        #expect(content.spoiler == nil && content.spoilerLine == nil)
        #expect(content.file == nil && content.visibleText == "hello")
        var changed = MessageContent("hello", files: [SharedFile(name: "a")])
        #expect(changed != content)
        changed.files = []
        #expect(changed == content)
    }

    @Test func fileKeepsItsOtherParts() {
        var content = MessageContent(
            "abc", files: [SharedFile(name: "a"), SharedFile(name: "b")],
            fallbacks: [Fallback(0..<1, for: Self.reply)], encryption: "OMEMO", isUnstyled: true,
            spoiler: "ending")
        content.files[0].url = "https://example.org/a"
        #expect(
            content.files == [SharedFile(url: "https://example.org/a", name: "a"), SharedFile(name: "b")])
        #expect(content.file?.name == "a" && content.encryption == "OMEMO" && content.isUnstyled)
        #expect(content.spoiler == "ending")
        #expect(content.fallbacks == [Fallback(0..<1, for: Self.reply)])
        #expect(MessageContent(file: SharedFile(name: "a.pdf")).text == "a.pdf")
    }

    @Test(
        arguments: [
            (0..<7, "Great"), (0..<0, "> Tea?\nGreat"), (7..<12, "> Tea?\n"), (7..<99, "> Tea?\n"),
            (12..<13, "> Tea?\nGreat"), (-5..<7, "Great"), (-5..<0, "> Tea?\nGreat"), (0..<Int.max, ""),
            (Int.min..<Int.max, ""), (Int.max - 1..<Int.max, "> Tea?\nGreat"), (2..<6, "> \nGreat"),
        ] as [(Range<Int>, String)])
    func textIsShownWithoutFallback(_ range: Range<Int>, _ expected: String) {
        let content = MessageContent("> Tea?\nGreat", fallbacks: [Fallback(range, for: Self.reply)])
        #expect(content.text(without: [Self.reply]) == expected)
        #expect(content.text(without: [Self.other]) == "> Tea?\nGreat")
        // Nobody should miss what somebody wrote.
        #expect(content.visibleText == (expected.isEmpty ? content.text : expected))
        let unknown = MessageContent("> Tea?\nGreat", fallbacks: [Fallback(range, for: Self.other)])
        #expect(unknown.visibleText == unknown.text, "the phone does not show the other element")
    }

    /// Ranges count scalars, so that one may end inside an emoji of several scalars, but not inside one of these.
    @Test func rangeMayCutEmoji() {
        let text = "👩‍🚀🇩🇪e\u{301}x"
        for end in 0...text.unicodeScalars.count {
            let content = MessageContent(text, fallbacks: [Fallback(0..<end, for: Self.reply)])
            let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(end)))
            #expect(content.text(without: [Self.reply]).unicodeScalars.elementsEqual(rest.unicodeScalars))
        }
    }

    /// The order in which a message states its ranges has no meaning.
    @Test(arguments: 0..<200) func textIsShownWithoutAnyFallbacks(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            ["a", "é", "\n", "👍🏽", "👨‍👩‍👧", "و"].randomElement(using: &random) ?? ""
        }.joined()
        let scalars = Array(text.unicodeScalars)
        let fallbacks = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            let ends = [-3...scalars.count + 3, -3...scalars.count + 3].map {
                Int.random(in: $0, using: &random)
            }
            return Fallback(
                min(ends[0], ends[1])..<max(ends[0], ends[1]),
                for: [Self.reply, Self.other].randomElement(using: &random) ?? "")
        }
        let content = MessageContent(text, fallbacks: fallbacks)
        #expect(content == MessageContent(text, fallbacks: fallbacks.shuffled(using: &random) + fallbacks))
        #expect(content == MessageContent(text, fallbacks: content.fallbacks))
        #expect(content.fallbacks.allSatisfy { !$0.range.isEmpty && scalars.indices.contains($0.range) })
        for namespaces in [[], [Self.reply], [Self.other], [Self.reply, Self.other]] as [Set<String>] {
            let expected = scalars.indices.filter { index in
                !fallbacks.contains { namespaces.contains($0.namespace) && $0.range.contains(index) }
            }.map { scalars[$0] }
            #expect(Array(content.text(without: namespaces).unicodeScalars) == expected)
        }
    }

    @Test func partsAreBounded() {
        let long = String(repeating: "n", count: MessageContent.maximumNamespace)
        let content = MessageContent(
            String(repeating: "x", count: 5000),
            files: (0..<99).map { SharedFile(name: "\($0)") },
            fallbacks: [
                Fallback(0..<1, for: ""), Fallback(0..<1, for: long + "n"), Fallback(0..<1, for: long),
            ]
                + (0..<4000).map { Fallback($0..<$0 + 2, for: Self.reply) },
            encryption: "OMEMO\n" + String(repeating: "z", count: 500),
            spoiler: String(repeating: "\u{202E}z\n", count: 5000))
        #expect(content.files.count == MessageContent.maximumFiles)
        #expect(content.fallbacks.count == MessageContent.maximumFallbacks)
        #expect(content.fallbacks.contains(Fallback(0..<1, for: long)))
        let hint = content.spoiler ?? ""
        #expect(hint.hasPrefix("z z") && hint.count <= 201)
        #expect(MessageContent("x", spoiler: hint).spoiler == hint, "it is stored and read again")
        let name = content.encryption ?? ""
        #expect(name.hasPrefix("OMEMO zz") && name.count <= 61)
        #expect(MessageContent("x", encryption: name).encryption == name, "it is stored and read again")
    }

    @Test func rangeOfFileIsHiddenBesideFile() {
        let range = Fallback(4..<7, for: "jabber:x:oob")
        let (file, text) = (SharedFile(url: "https://example.org/a", name: "a"), "Tea https")
        #expect(MessageContent(text, files: [file], fallbacks: [range]).visibleText == "Tea ps")
        #expect(MessageContent(text, fallbacks: [range]).visibleText == text, "there is no file")
    }

    @Test func encryptedTextIsReplacedByNote() {
        let note = "This message is encrypted, and Touchtone can’t read it."
        for text in ["", "I sent you an OMEMO message", "?OTR:AAMD", "> Tea?\nGreat"] {
            for name in ["OMEMO", ""] {
                let content = MessageContent(
                    text, fallbacks: [Fallback(0..<7, for: Self.reply)], encryption: name)
                #expect(content.visibleText == note && content.text == text)
            }
        }
        #expect(MessageContent("").visibleText == "")
        let message = ChatMessage(
            id: 1, conversation: ConversationID(ada), sender: .me,
            content: MessageContent("Use another app", encryption: "OMEMO"),
            time: ChatTime(milliseconds: 0), place: 1, state: .sent)
        #expect(message.summary == note && !message.isCorrectable)
        #expect(
            FoundMessage(message, SearchWords("another")) == nil,
            "it is not found by words that are not shown")
    }
}

extension MessageContentTests {
    @Test func hiddenTextIsInNoSummary() {
        let content = MessageContent("Rosebud is a sled", spoiler: "Citizen Kane")
        #expect(content.spoilerLine == "Spoiler: Citizen Kane" && content.visibleText == "Rosebud is a sled")
        #expect(MessageContent("x", spoiler: "").spoilerLine == "Spoiler")
        var message = ChatMessage(
            id: 1, conversation: ConversationID(ada), sender: .me, content: content,
            time: ChatTime(milliseconds: 0), place: 1, state: .sent)
        #expect(message.summary == "Spoiler: Citizen Kane" && message.isCorrectable)
        message.content = message.content.replacing(with: "It is a sled")
        #expect(message.content == MessageContent("It is a sled", spoiler: "Citizen Kane"))
        message.content = MessageContent(
            "a.png", files: [SharedFile(name: "a.png", mediaType: "image/png")], spoiler: "")
        #expect(message.summary == "Spoiler")
    }
}

extension Range<Int> {
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}

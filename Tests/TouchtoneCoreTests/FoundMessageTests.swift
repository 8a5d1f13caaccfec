// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of the part of a message that a search shows, and of what is not found.
@Suite struct FoundMessageTests {
    private func message(_ content: MessageContent) -> ChatMessage {
        ChatMessage(
            id: 1, conversation: ConversationID(ada), sender: .buddy, content: content,
            time: ChatTime(milliseconds: 0), place: 1, state: .received)
    }

    /// Returns the excerpt, with what was found in brackets.
    private func excerpt(_ text: String, _ words: String) -> String? {
        FoundMessage(message(MessageContent(text)), SearchWords(words))?.excerpt
            .map { $0.isHit ? "[\($0.text)]" : $0.text }.joined()
    }

    @Test(arguments: [
        ("Tea at noon?", "tea", "[Tea] at noon?"), ("Teatime, and tea", "tea", "[Tea]time, and [tea]"),
        ("tea at noon", "noon tea", "[tea] at [noon]"), ("teas at noon", "tea no", "teas at [no]on"),
        ("Café au lait", "cafe", "[Café] au lait"), ("Cafe\u{301} au lait", "café", "[Cafe\u{301}] au lait"),
        ("Straße 5", "strass", "[Straß]e 5"), ("one\ntwo\tthree", "two", "one [two] three"),
        ("at 12:30", "12:30", "at [12]:[30]"), ("<b>tea</b>", "tea", "<b>[tea]</b>"),
        ("日本語の本", "日本", "[日本]語の本"), ("steal", "tea", "steal"), ("", "tea", ""),
    ])
    func hitsAreMarked(_ text: String, _ words: String, _ shown: String) {
        #expect(excerpt(text, words) == shown)
    }

    @Test func excerptIsAroundTheFirstHit() throws {
        let long = String(repeating: "and so on ", count: 500)
        let shown = try #require(excerpt(long + "tea at noon " + long, "tea"))
        #expect(shown.hasPrefix("…on and so on and so on [tea] at noon and"))
        #expect(shown.hasSuffix("…") && shown.unicodeScalars.count < 170)
        // Without spaces, it begins anywhere.
        let whole = try #require(excerpt(String(repeating: "、あ", count: 500) + "、tea", "tea"))
        #expect(whole.hasPrefix("…") && whole.hasSuffix("[tea]") && whole.unicodeScalars.count < 40)
    }

    @Test func longTextsAreLookedThroughInPart() throws {
        for text in [
            String(repeating: "a", count: 200_000), String(repeating: "é ", count: 100_000),
            String(repeating: "\u{301}", count: 100_000), String(repeating: "tea", count: 50_000),
        ] {
            let shown = try #require(excerpt(text, "tea"))
            #expect(shown.unicodeScalars.count < 170)
        }
    }

    @Test func whatIsNotShownIsNotFound() {
        for content in [
            MessageContent("Tea?", spoiler: ""), MessageContent("Tea?", spoiler: "about tea"),
            MessageContent("Gladly", quoting: "Tea?"), MessageContent("Tea?", encryption: "OMEMO"),
        ] {
            #expect(FoundMessage(message(content), SearchWords("tea")) == nil)
        }
        var gone = message(MessageContent("Tea?"))
        gone.retraction = MessageRetraction(time: ChatTime(milliseconds: 1), moderation: nil)
        #expect(FoundMessage(gone, SearchWords("tea")) == nil)
        let reply = message(MessageContent("Gladly, tea", quoting: "Coffee?"))
        #expect(
            FoundMessage(reply, SearchWords("tea"))?.excerpt.map(\.text) == ["Gladly, ", "tea"])
    }
}

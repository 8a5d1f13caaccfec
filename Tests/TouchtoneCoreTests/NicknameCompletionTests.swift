// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of the completion of nicknames.
@Suite struct NicknameCompletionTests {
    private static let names = ["grace", "Grete H", "Alan T", "alan", "日本語"]

    /// Returns a text after it was completed a number of times.
    private func completed(_ text: String, times: Int = 1) -> String? {
        var (completion, text) = (NicknameCompletion(), text)
        for _ in 0..<times {
            guard let change = completion.complete(text, among: { Self.names }) else { return nil }
            text = String(text.dropLast(change.removed)) + change.inserted
        }
        return text
    }

    @Test(
        arguments: [
            ("gra", "grace, "), ("Ask GR", "Ask grace "), ("Alan ", nil), ("Ask Alan t", "Ask Alan T "),
            ("日", "日本語, "),
            ("x", nil), ("", nil), ("grace, ", nil), ("line\ngre", "line\nGrete H "), ("ograce", nil),
        ] as [(String, String?)])
    func wordBecomesNickname(_ text: String, _ expected: String?) {
        #expect(completed(text) == expected)
    }

    @Test func nextOneFollows() {
        #expect(
            (1...5).map { completed("gr", times: $0) } == [
                "grace, ", "Grete H, ", "grace, ", "Grete H, ", "grace, ",
            ])
        #expect(completed("gra", times: 2) == nil, "there is no other one")
    }

    @Test func changedTextBeginsAnew() {
        var completion = NicknameCompletion()
        let inserted = ["g", "grace, al", "grace, Alan T "].map { text in
            completion.complete(text, among: { Self.names })?.inserted
        }
        #expect(inserted == ["grace, ", "Alan T ", "alan "])
    }

    @Test func longTextIsFast() {
        var completion = NicknameCompletion()
        let names = (0..<5000).map { "person \($0)" }
        let text = String(repeating: "a ", count: 50_000) + "person 4999"
        let found = completion.complete(text, among: { names })
        #expect(found?.inserted == "person 4999 ")
        let none = completion.complete(String(repeating: "p", count: 100_000), among: { names })
        #expect(none == nil)
    }
}

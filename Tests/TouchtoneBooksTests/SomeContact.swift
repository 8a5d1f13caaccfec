// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A generator of random contacts.
enum SomeContact {
    /// Returns a normalized contact with characters that have a meaning in vCards.
    static func make(using random: inout some RandomNumberGenerator) -> NewContact {
        var ways: [ContactMethod] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let method = method(using: &random)
            if !ways.contains(method) { ways.append(method) }
        }
        let card = ContactCard(
            name: text("x", 1...40, using: &random), organization: text("", 0...30, using: &random),
            methods: ways,
            note: CardLines.note(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in text("", 0...90, using: &random) }))
        return NewContact(
            card,
            photo: Bool.random(using: &random)
                ? (Bool.random(using: &random) ? jpeg : png)
                    + (0..<Int.random(in: 0...300, using: &random)).map { _ in
                        .random(in: 0...255, using: &random)
                    }
                : nil)
    }

    private static func method(using random: inout some RandomNumberGenerator) -> ContactMethod {
        let place = ContactMethod.Label.allCases.randomElement(using: &random) ?? .other
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return ContactMethod(
                .number, "+1 (555) \(Int.random(in: 0..<9999, using: &random)),;#1", label: place)
        case 1:
            return ContactMethod(
                .sip, "sip:é\(Int.random(in: 0..<99, using: &random))@x.example;a=b", label: place)
        default:
            return ContactMethod(
                .xmpp, "zo\u{EB}\\;,%\(Int.random(in: 0..<99, using: &random))@x.example", label: place)
        }
    }

    private static func text(
        _ start: String, _ length: ClosedRange<Int>, using random: inout some RandomNumberGenerator
    ) -> String {
        let characters: [Character] = Array("abcXYZ 0123:;,\\\"=.<>&%日é😀\u{301}nNrR")
        let text =
            start
            + String(
                (0..<Int.random(in: length, using: &random)).map { _ in
                    characters.randomElement(using: &random) ?? " "
                })
        return CardLines.line(text)
    }
}

/// Normalized texts.
enum CardLines {
    static func line(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    static func note(_ lines: [String]) -> String {
        lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

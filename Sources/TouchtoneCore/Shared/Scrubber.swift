// SPDX-License-Identifier: GPL-3.0-or-later

/// Takes out of a text what may name somebody: known words, addresses, hosts, paths, numbers and what others wrote.
///
///     Scrubber(hiding: ["ada"]).scrubbed("ada@example.org: 403, “Hello Ada”")   // "(address) 403, “…”"
public struct Scrubber: Sendable {
    /// The greatest length of a text that is kept, in characters.
    private static let maximumLength = 300
    private static let quotes: [Character: Set<Character>] = [
        "“": ["”"], "„": ["“", "”"], "«": ["»"], "「": ["」"], "\"": ["\""], "‘": ["’"],
    ]

    private let hidden: Set<String>

    /// - Parameter phrases: The names and addresses that are known to be private, each word of which is hidden; those of one
    ///   letter are left.
    public init(hiding phrases: [String] = []) {
        hidden = Set(
            phrases.flatMap { $0.lowercased().split(whereSeparator: \.isWhitespace) }.map { String($0) }
                .filter { $0.count > 1 })
    }

    public func scrubbed(_ text: String) -> String {
        let line = PlainText.line(text, maximum: Self.maximumLength)
        return withoutQuotations(line).split(separator: " ").map { scrubbed(word: $0) }.joined(separator: " ")
    }

    private func withoutQuotations(_ text: String) -> String {
        var (result, ends): (String, Set<Character>?) = ("", nil)
        for character in text {
            if let marks = ends {
                guard marks.contains(character) else { continue }
                result += "…\(character)"
                ends = nil
            } else {
                result.append(character)
                ends = Self.quotes[character]
            }
        }
        // A quotation that was cut has no end.
        return ends == nil ? result : result + "…"
    }

    private func scrubbed(word: Substring) -> String {
        let lower = word.lowercased()
        if lower.contains("@") || lower.count(where: { $0 == ":" }) > 1 { return "(address)" }
        // Two letters are a part of too many words.
        if hidden.contains(where: { $0.count > 2 ? lower.contains($0) : lower == $0 }) { return "(hidden)" }
        if lower.contains("/") { return "(path)" }
        if isHost(lower) { return "(host)" }
        // Codes such as 403 stay; a telephone number has more digits.
        if lower.count(where: \.isNumber) > 3 { return "(number)" }
        return String(word)
    }

    /// Returns whether a dot stands between two letters or digits.
    private func isHost(_ word: String) -> Bool {
        let characters = Array(word)
        return characters.indices.dropFirst().dropLast().contains {
            characters[$0] == "." && (characters[$0 - 1].isLetter || characters[$0 - 1].isNumber)
                && (characters[$0 + 1].isLetter || characters[$0 + 1].isNumber)
        }
    }
}

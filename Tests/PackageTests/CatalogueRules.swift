// SPDX-License-Identifier: GPL-3.0-or-later

/// The rules for the translations of a language.
enum CatalogueRules {
    /// The most columns of a translated word in capitals, for so many of the English one: such words are on keys and on
    /// the display, which shrink them to fit.
    static func maximumWordLength(_ columns: Int) -> Int { max(columns + 7, columns * 14 / 10) }

    /// The most columns of any other translation, for so many of the English text.
    static func maximumLength(_ columns: Int) -> Int { max(columns + 22, columns * 2) }

    /// Returns the faults of a language's translations.
    ///
    /// - Parameter template: The texts of the program.
    static func faults(in catalogue: Catalogue, for template: Catalogue) -> [String] {
        let missing = template.texts.subtracting(catalogue.texts).map {
            "“\($0.text)” is missing: run make po"
        }
        let stale = catalogue.texts.subtracting(template.texts).map {
            "“\($0.text)” is no text of the program: run make po"
        }
        let wrong = catalogue.entries.flatMap { entry in
            faults(of: entry, in: catalogue).map { "“\(entry.text.text)” \($0)" }
        }
        return missing.sorted() + stale.sorted() + wrong + sharedAccessKeys(of: catalogue.entries)
    }

    private static func faults(of entry: Catalogue.Entry, in catalogue: Catalogue) -> [String] {
        let (english, forms) = (entry.text, entry.translations)
        if entry.isFuzzy { return ["is fuzzy"] }
        guard !forms.contains(""), forms.count == (english.plural == nil ? 1 : catalogue.pluralForms) else {
            return ["is not translated, or not in all plural forms"]
        }
        return forms.enumerated().flatMap { index, form in
            let isOne = index < catalogue.formsOfOneNumber
            // In French, the form for one also stands for none, which the program never says without a number.
            let lacksCount = index == 0 && catalogue.pluralForms > 1 && !english.text.contains("{count}")
            let mayLackCount = english.plural != nil && (isOne || lacksCount)
            return faults(of: form, for: english.plural ?? english.text, mayLackCount: mayLackCount)
        }
    }

    /// Returns the faults of one translation.
    ///
    /// - Parameter mayLackCount: Whether the text may express the number in words, as in “a new message”.
    static func faults(of text: String, for english: String, mayLackCount: Bool = false) -> [String] {
        var faults: [String] = []
        let (wanted, found) = (placeholders(of: english), placeholders(of: text))
        if found != wanted, !mayLackCount || found != wanted.subtracting(["{count}"]) {
            faults.append("has the placeholders \(found.sorted()) in “\(text)”, not \(wanted.sorted())")
        }
        if ending(of: text) != ending(of: english) { faults.append("ends differently in “\(text)”") }
        if accessKeys(of: text).count != accessKeys(of: english).count {
            faults.append("has \(accessKeys(of: text).count) access keys in “\(text)”")
        }
        let maximum = isWord(english) ? maximumWordLength : maximumLength
        if columns(of: text) > maximum(columns(of: english)) {
            faults.append(
                "has \(columns(of: text)) columns in “\(text)”, more than \(maximum(columns(of: english)))")
        }
        return faults
    }

    /// Returns the access keys that two texts of one file share, although the English texts have different ones.
    static func sharedAccessKeys(of entries: [Catalogue.Entry]) -> [String] {
        var faults: [String] = []
        let files = Dictionary(grouping: entries.flatMap { entry in entry.places.map { ($0, entry) } }) {
            $0.0
        }
        for (file, found) in files.sorted(by: { $0.key < $1.key }) {
            let keys = found.compactMap { _, entry -> (english: Character, own: Character)? in
                guard let english = accessKeys(of: entry.text.text).first,
                    let own = entry.translations.first.flatMap({ accessKeys(of: $0).first })
                else { return nil }
                return (english, own)
            }
            for (own, group) in Dictionary(grouping: keys, by: \.own)
            where Set(group.map(\.english)).count > 1 {
                faults.append("\(file) has \(group.count) texts with the access key \(own)")
            }
        }
        return faults
    }

    private static func placeholders(of text: String) -> Set<String> {
        Set(text.matches(of: /\{[a-z]+\}/).map { String($0.output) })
    }

    /// Returns the ending that the translation must have too.
    private static func ending(of text: String) -> String {
        ["…", "\\n", ";"].first { text.hasSuffix($0) } ?? ""
    }

    /// Returns the letters behind an underscore in lower case, without those in names such as `WAYLAND_DISPLAY`.
    private static func accessKeys(of text: String) -> [Character] {
        let letters = Array(text)
        return letters.indices.dropFirst().compactMap { index in
            guard letters[index - 1] == "_", letters[index].isLetter else { return nil }
            let isInName = index > 1 && letters[index].isUppercase && letters[index - 2].isUppercase
            return isInName ? nil : letters[index].lowercased().first
        }
    }

    /// Returns whether a text is a word of the display or of a key.
    private static func isWord(_ text: String) -> Bool {
        let words = text.replacing(/\{[a-z]+\}/, with: "")
        return columns(of: words) <= 24 && words.contains(where: \.isLetter) && words == words.uppercased()
    }

    /// The main ranges of characters that are two columns wide (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    ]

    /// Returns the width of a text: East Asian characters are two columns wide; marks above and below letters, and
    /// the underscore of an access key, take none.
    static func columns(of text: String) -> Int {
        text.replacing(/\(_[A-Z]\)/, with: "").unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: return sum
            default:
                let isWide = wide.contains { $0.contains(scalar.value) }
                return sum + (isWide ? 2 : scalar == "_" ? 0 : 1)
            }
        }
    }
}

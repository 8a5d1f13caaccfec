// SPDX-License-Identifier: GPL-3.0-or-later

/// The permitted uses between the folders of a module.
///
/// In TouchtoneCore, the phone stands above lines, contacts and conversations. In TouchtoneUI, the window knows its
/// parts, and no part knows the window.
enum FolderRules {
    /// The layers of each module, from the lowest: a folder may use what the folders of lower layers declare.
    static let layers: [String: [Set<String>]] = ["TouchtoneCore": core, "TouchtoneUI": window]

    private static let core: [Set<String>] = [
        ["Language"],
        ["Shared"],
        ["Account", "Tones"],
        ["Numbers", "Passcode"],
        ["Links"],
        ["Lines"],
        ["Contacts", "Voice"],
        ["Chat", "History"],
        ["Dial", "Setup"],
    ]

    private static let window: [Set<String>] = [
        ["Navigation", "Resources", "Time", "Widgets"],
        ["Account", "Deck", "Display", "Start"],
        ["Dependencies"],
        ["Desktop", "Keypad", "Style"],
        ["Calls", "NumberPad", "Panel"],
        ["Chat", "Contacts", "History", "Lock", "Notifications", "Preferences"],
        ["Window"],
        ["Application"],
    ]

    /// A source text and the folder that it is in.
    struct Source {
        let folder: String
        let name: String
        let text: String
    }

    /// Returns a sentence for each use of a type that the rules do not permit.
    ///
    /// Only types are looked for, not the members that an extension adds to a type of another module.
    static func violations(in sources: [Source], layers: [Set<String>]) -> [String] {
        func layer(of folder: String) -> Int {
            // A folder that is in none may be used by nobody.
            layers.firstIndex { $0.contains(folder) } ?? layers.count
        }
        var homes: [Substring: String] = [:]
        for source in sources {
            for type in declaredTypes(in: source.text) { homes[type] = source.folder }
        }
        return sources.flatMap { source in
            Set(words(in: source.text)).compactMap { word in
                guard let home = homes[word], home != source.folder,
                    layer(of: home) >= layer(of: source.folder)
                else { return nil }
                return "\(source.folder)/\(source.name) must not use \(word) of \(home)"
            }.sorted()
        }
    }

    /// Returns the types that a text declares at its top level, and that other files can see.
    private static func declaredTypes(in text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            // Members are indented.
            guard line.first != " " else { return nil }
            let words = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
            guard let kind = words.first, kinds.contains(kind) else { return nil }
            return words.dropFirst().first?.prefix(while: isPartOfName)
        }
    }

    /// Returns the words of the code, without those of comments and literals.
    private static func words(in text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).flatMap { line -> [Substring] in
            let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            let parts = code.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.indices.filter { $0.isMultiple(of: 2) }.flatMap {
                parts[$0].split { !isPartOfName($0) }
            }
        }
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static let modifiers: Set<Substring> = ["public", "package", "internal", "final", "indirect"]
    private static let kinds: Set<Substring> = ["actor", "class", "enum", "protocol", "struct", "typealias"]
}

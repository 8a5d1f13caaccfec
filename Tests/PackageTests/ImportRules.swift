// SPDX-License-Identifier: GPL-3.0-or-later

/// The permitted imports of each module: the layers of the package, as CONTRIBUTING.md draws them.
enum ImportRules {
    /// Returns the modules that a module of Sources may import; nil for one that the rules do not know.
    static func allowed(in module: String) -> Set<String>? { table[module] }

    /// The modules that put the parts together, and may import all of them.
    static let executables: Set<String> = ["touchtone", "tonegen"]

    /// The modules with Swift code to which the rules apply.
    static var modules: Set<String> { Set(table.keys) }

    /// A line that breaks the rules.
    struct Violation: Hashable {
        let line: Int
        let module: String
    }

    /// Returns the imports in a source text that its module is not allowed; all of them if the rules don't know it.
    static func violations(in text: String, of module: String) -> [Violation] {
        guard !executables.contains(module) else { return [] }
        let allowed = allowed(in: module) ?? []
        return imports(in: text).filter { !allowed.contains($0.module) }
    }

    /// Returns the modules that a source text imports, with any attributes, access level or kind of import.
    static func imports(in text: String) -> [Violation] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().flatMap {
            number, line in
            line.split(separator: ";").compactMap { imported(by: $0) }.map {
                Violation(line: number + 1, module: $0)
            }
        }
    }

    private static func imported(by statement: Substring) -> String? {
        var words = statement.split { $0 == " " || $0 == "\t" || $0 == "\r" }[...]
        while let word = words.first, word.hasPrefix("@") || accessLevels.contains(word) {
            words.removeFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let word = words.first, kinds.contains(word) { words.removeFirst() }
        return words.first?.split(separator: ".").first.map(String.init)
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]

    private static let table: [String: Set<String>] = [
        "TouchtoneCore": ["Synchronization"],
        "GLibBridge": ["CGio", "CGLibShims", "Dispatch", "Glibc", "Synchronization"],
        "HelperMessages": ["CHelperShims", "Glibc"],
        "HelperSupport": ["HelperMessages", "CHelperShims", "Glibc"],
        "SIPMessages": ["HelperMessages", "Glibc"],
        "PictureFormats": [],
        "DecoderSupport": ["CHelperShims", "Glibc"],
        "touchtone-pictures": ["CPixbuf", "DecoderSupport", "Glibc"],
        "touchtone-sounds": ["RecordedSound", "DecoderSupport", "Glibc"],
        "touchtone-sip": [
            "HelperSupport", "HelperMessages", "RecordedSound", "DialogInfo", "SIPMessages", "CLinphone",
            "CSIPShims", "Glibc", "Synchronization",
        ],
        "DialogInfo": ["CExpat"],
        "TouchtoneBooks": ["TouchtoneCore", "GLibBridge", "CGio", "Glibc", "Synchronization"],
        "TouchtoneFiles": [
            "TouchtoneCore", "GLibBridge", "TouchtoneOMEMO", "CGio", "Glibc", "PictureFormats",
            "Synchronization",
        ],
        "TouchtoneNumbers": ["TouchtoneCore", "GLibBridge"],
        "TouchtoneOMEMO": ["TouchtoneCore", "CGcrypt", "COMEMO", "Glibc"],
        "TouchtoneHelpers": ["TouchtoneCore", "GLibBridge", "CGio", "Glibc", "HelperMessages"],
        "TouchtoneEngine": [
            "TouchtoneCore", "GLibBridge", "TouchtoneHelpers", "HelperMessages", "SIPMessages",
        ],
        "TouchtoneSIP": ["TouchtoneCore", "GLibBridge", "TouchtoneEngine", "SIPMessages"],
        "TouchtoneHeadset": ["TouchtoneCore", "GLibBridge", "Glibc"],
        "TouchtoneMobile": ["TouchtoneCore", "GLibBridge"],
        "TouchtoneTel": ["TouchtoneCore", "GLibBridge", "CGio"],
        "TouchtoneStore": [
            "TouchtoneCore", "GLibBridge", "TouchtoneOMEMO", "CGio", "CSecret", "CSodium", "CSQLite",
            "Dispatch", "Glibc", "Synchronization",
        ],
        "TouchtoneXMPP": [
            "TouchtoneCore", "GLibBridge", "TouchtoneEngine", "SIPMessages", "CGio", "CExpat", "CIDN",
            "CGcrypt", "CSodium", "Synchronization",
        ],
        "TouchtoneAudio": [
            "TouchtoneCore", "GLibBridge", "RecordedSound", "CALSA", "CAudioShims", "Glibc",
            "Synchronization",
        ],
        "RecordedSound": ["CSndFile", "Glibc", "Synchronization"],
        "GtkBridge": ["GLibBridge", "CGio", "CGtk", "CHandy", "CGtkShims", "Glibc", "PictureFormats"],
        "TouchtoneUI": ["TouchtoneCore", "GtkBridge"],
    ]
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The literals that a translatable call may have: those that xgettext reads as the Swift compiler does.
enum TranslationRules {
    /// A text for which a call requests a translation, in the escapes of the source.
    struct Text: Hashable {
        var context: String?
        var text: String
        var plural: String?
    }

    /// Returns the texts of a source, and the numbers of the lines whose call is not of the allowed form.
    static func read(_ source: String) -> (texts: Set<Text>, wrong: [Int]) {
        var texts: Set<Text> = []
        var wrong: [Int] = []
        let call = /\blocalized(In|Plural)?\(/
        let noCall = /(func\s+|\/\/.*)$/
        let kept = /static let [^{]*$/
        for match in source.matches(of: call) {
            let line = source[..<match.range.lowerBound].split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let before = line.last ?? ""
            if before.firstMatch(of: noCall) != nil { continue }
            let count = match.output.1 == nil ? 1 : 2
            let literals = literals(count, at: source[match.range.upperBound...])
            guard literals.count == count, before.firstMatch(of: kept) == nil else {
                wrong.append(line.count)
                continue
            }
            switch match.output.1 {
            case "In": texts.insert(Text(context: literals[0], text: literals[1]))
            case "Plural": texts.insert(Text(text: literals[0], plural: literals[1]))
            default: texts.insert(Text(text: literals[0]))
            }
        }
        return (texts, wrong)
    }

    /// Returns the first arguments of a call if they are plain literals.
    private static func literals(_ count: Int, at arguments: Substring) -> [String] {
        let literal = /\s*"((?:[^"\\\n]|\\[n"\\])+)"\s*([,)])/
        var rest = arguments
        var found: [String] = []
        while found.count < count, let match = rest.prefixMatch(of: literal) {
            found.append(String(match.output.1))
            rest = rest[match.range.upperBound...]
            if match.output.2 == ")" { break }
        }
        return found
    }
}

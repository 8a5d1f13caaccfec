// SPDX-License-Identifier: GPL-3.0-or-later

/// Lines with a name and a value, such as `digits 4`, between a title and an end line.
///
/// Parsing is strict: any other text was not written by this app, or is not complete.
struct RecordText {
    private var fields: [Substring]

    private static let end = "end"
    /// The greatest length of a record, in bytes.
    static let longest = 1024

    /// Parses a text; nil if it does not begin with `title` or is not complete.
    init?(_ text: String, title: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 == 10 || (32...126).contains($0) })
        else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, lines.popLast() == Self.end[...], lines.first == title[...]
        else { return nil }
        fields = lines.dropFirst().reversed()
    }

    /// Removes and returns the value of the next field; nil if there is none, or if it has a different name.
    mutating func next(_ name: String) -> String? {
        guard let line = fields.popLast(), line.hasPrefix(name + " ") else { return nil }
        return String(line.dropFirst(name.count + 1))
    }

    /// Removes and returns the next field as a number in its canonical form; nil if it is not one.
    mutating func nextNumber(_ name: String) -> Int? {
        guard let text = next(name), let number = Int(text), String(number) == text else { return nil }
        return number
    }

    var isAtEnd: Bool { fields.isEmpty }

    static func text(title: String, _ fields: [(String, String)]) -> String {
        ([title] + fields.map { "\($0) \($1)" } + [end]).joined(separator: "\n") + "\n"
    }
}

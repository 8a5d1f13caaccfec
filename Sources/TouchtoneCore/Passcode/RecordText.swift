// SPDX-License-Identifier: GPL-3.0-or-later

/// A record in lines of a name and a value, such as `digits 4`: a first line says what it is, the last that it is whole.
///
/// Reading is strict. A line too many or too few, an order that is another, a space or a line end that is: such a text
/// was not written here, or not to its end.
struct RecordText {
    private var fields: [Substring]

    private static let end = "end"
    /// The longest record, in bytes.
    static let longest = 1024

    /// Takes a text apart; nil where it does not begin with `title` or is not whole.
    init?(_ text: String, title: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 == 10 || (32...126).contains($0) })
        else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, lines.popLast() == Self.end[...], lines.first == title[...]
        else { return nil }
        fields = lines.dropFirst().reversed()
    }

    /// The next field, which must have this name; nil where it has another, or there is none.
    mutating func next(_ name: String) -> String? {
        guard let line = fields.popLast(), line.hasPrefix(name + " ") else { return nil }
        return String(line.dropFirst(name.count + 1))
    }

    /// The next field as a number that is written as this program writes it.
    mutating func nextNumber(_ name: String) -> Int? {
        guard let text = next(name), let number = Int(text), String(number) == text else { return nil }
        return number
    }

    /// Whether all fields have been read.
    var isAtEnd: Bool { fields.isEmpty }

    /// The text of a record.
    static func text(title: String, _ fields: [(String, String)]) -> String {
        ([title] + fields.map { "\($0) \($1)" } + [end]).joined(separator: "\n") + "\n"
    }
}

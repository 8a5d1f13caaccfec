// SPDX-License-Identifier: GPL-3.0-or-later

/// A value in a line, which is an array of JSON (RFC 8259) without arrays and objects in it.
///
/// Foundation's coders would add their library to the program, and milliseconds to its start.
enum Field: Hashable {
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
}

// MARK: - Writing

extension Field {
    /// Returns the text of an array, without line ends.
    static func text(of fields: [Field]) -> String {
        var text = "["
        for (index, field) in fields.enumerated() {
            if index > 0 { text += "," }
            switch field {
            case .bool(let value): text += "\(value)"
            case .integer(let value): text += "\(value)"
            case .number(let value): text += "\(value)"
            case .string(let value): write(value, to: &text)
            }
        }
        return text + "]"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                text += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: - Reading

extension Field {
    /// Returns the fields of a line; nil unless it is what `text(of:)` returns for them.
    static func fields(of line: some Collection<UInt8>) -> [Field]? {
        var parser = FieldParser(rest: Array(line)[...])
        return parser.array()
    }
}

/// A parser of the form in which `Field` writes lines; other spellings of JSON are refused.
private struct FieldParser {
    var rest: ArraySlice<UInt8>

    mutating func array() -> [Field]? {
        guard take("[") else { return nil }
        var fields: [Field] = []
        repeat {
            guard let field = field() else { return nil }
            fields.append(field)
        } while take(",")
        return take("]") && rest.isEmpty ? fields : nil
    }

    /// Removes a character, if it is next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func field() -> Field? {
        if take("\"") { return string().map { .string($0) } }
        let bytes = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "]") }
        rest.removeFirst(bytes.count)
        // No word and no number is longer; the numbers are parsed by Swift, and compared with what it writes.
        guard bytes.count <= 32, let word = String(validating: bytes, as: UTF8.self) else { return nil }
        if let value = Bool(word) { return .bool(value) }
        if let value = Int(word), "\(value)" == word { return .integer(value) }
        if let value = Double(word), value.isFinite, "\(value)" == word { return .number(value) }
        return nil
    }

    private mutating func string() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                bytes.append(escaped)
            case ..<0x20: return nil
            default: bytes.append(byte)
            }
        }
        return nil
    }

    /// Returns a quotation mark, a backslash or a control character.
    private mutating func escape() -> UInt8? {
        if take("\"") { return UInt8(ascii: "\"") }
        if take("\\") { return UInt8(ascii: "\\") }
        let hexadecimal = rest.dropFirst(3).prefix(2)
        guard rest.starts(with: "u00".utf8), hexadecimal.count == 2,
            hexadecimal.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
            let value = UInt8(String(decoding: hexadecimal, as: UTF8.self), radix: 16), value < 0x20
        else { return nil }
        rest.removeFirst(5)
        return value
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A JSON value (RFC 8259).
///
/// Foundation's coders would add their library to the program, and milliseconds to its start.
enum JSON: Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

// MARK: - Writing

extension JSON {
    /// Appends the text of the value, without line ends; the names of an object are sorted.
    func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        // JSON has no infinities.
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                Self.write(name, to: &text)
                text += ":"
                value.write(to: &text)
            }
            text += "}"
        }
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

extension JSON {
    /// The greatest depth of arrays and objects in each other.
    static let maximumDepth = 16

    /// Parses a text; nil if it is not valid, or nested too deeply.
    init?(parsing text: some Collection<UInt8>) {
        var parser = Parser(rest: Array(text)[...])
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipSpace()
        guard parser.rest.isEmpty else { return nil }
        self = value
    }

    private struct Parser {
        var rest: ArraySlice<UInt8>

        mutating func skipSpace() {
            while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { rest.removeFirst() }
        }

        /// Removes a character after white space, if it is next.
        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func takeWord(_ word: StaticString) -> Bool {
            let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard rest.starts(with: bytes) else { return false }
            rest.removeFirst(bytes.count)
            return true
        }

        mutating func value(depth: Int) -> JSON? {
            guard depth < JSON.maximumDepth else { return nil }
            skipSpace()
            switch rest.first {
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return string().map { .string($0) }
            case UInt8(ascii: "t"): return takeWord("true") ? .bool(true) : nil
            case UInt8(ascii: "f"): return takeWord("false") ? .bool(false) : nil
            case UInt8(ascii: "n"): return takeWord("null") ? .null : nil
            default: return number()
            }
        }

        private mutating func array(depth: Int) -> JSON? {
            rest.removeFirst()
            var values: [JSON] = []
            if take("]") { return .array(values) }
            repeat {
                guard let value = value(depth: depth + 1) else { return nil }
                values.append(value)
            } while take(",")
            return take("]") ? .array(values) : nil
        }

        private mutating func object(depth: Int) -> JSON? {
            rest.removeFirst()
            var members: [String: JSON] = [:]
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard rest.first == UInt8(ascii: "\""), let name = string(), take(":"),
                    let value = value(depth: depth + 1), members.updateValue(value, forKey: name) == nil
                else { return nil }
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func number() -> JSON? {
            let text = rest.prefix { $0 < 0x80 && "+-.0123456789Ee".utf8.contains($0) }
            let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
            guard let first = digits.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
                first != UInt8(ascii: "0") || !(digits.dropFirst().first.map { 0x30...0x39 ~= $0 } ?? false),
                digits.last.map({ 0x30...0x39 ~= $0 }) == true
            else { return nil }
            let written = String(decoding: text, as: UTF8.self)
            // Swift reads such numbers, but a fraction has digits (RFC 8259 section 6).
            guard !written.contains(".e"), !written.contains(".E") else { return nil }
            rest.removeFirst(text.count)
            if let integer = Int(written) { return .integer(integer) }
            return Double(written).flatMap { $0.isFinite ? .number($0) : nil }
        }

        private mutating func string() -> String? {
            rest.removeFirst()
            var bytes: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let scalar = escape() else { return nil }
                    bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                case ..<0x20: return nil
                default: bytes.append(byte)
                }
            }
            return nil
        }

        private mutating func escape() -> Unicode.Scalar? {
            switch rest.popFirst() {
            case UInt8(ascii: "\""): "\""
            case UInt8(ascii: "\\"): "\\"
            case UInt8(ascii: "/"): "/"
            case UInt8(ascii: "b"): "\u{8}"
            case UInt8(ascii: "f"): "\u{C}"
            case UInt8(ascii: "n"): "\n"
            case UInt8(ascii: "r"): "\r"
            case UInt8(ascii: "t"): "\t"
            case UInt8(ascii: "u"): unicodeEscape()
            default: nil
            }
        }

        private mutating func unicodeEscape() -> Unicode.Scalar? {
            guard let first = codeUnit() else { return nil }
            guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
            guard takeWord("\\u"), let second = codeUnit(), UTF16.isTrailSurrogate(second) else { return nil }
            return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        }

        private mutating func codeUnit() -> UInt16? {
            let digits = rest.prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
            else {
                return nil
            }
            rest.removeFirst(4)
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of a content line before its value: group, name and parameters (RFC 6350, 3.3; also version 2.1).
struct ContentLineHeader {
    struct Parameter: Hashable {
        let name: String
        var values: [String]
    }

    /// The group, which ties lines together, or an empty string.
    let group: String
    /// The name, in upper case.
    let name: String
    /// The parameters in order, with names in upper case; a parameter with an invalid name is omitted.
    private(set) var parameters: [Parameter] = []
    let valueStart: Int
    /// Whether each parameter has a name, and the value no encoding that versions from 3.0 on lack.
    private(set) var isModern = true

    /// The maximum length, in bytes.
    static let longest = 4096
    static let mostParameters = 64

    /// Parses the header of a line, or returns nil if it is not a content line or exceeds the bounds.
    init?(_ line: [UInt8]) {
        let parts = Self.parts(of: line)
        guard let colon = parts.last?.endIndex, colon < line.count, line[colon] == UInt8(ascii: ":"),
            parts.count <= Self.mostParameters + 1
        else { return nil }
        let names = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard names.count <= 2, names.allSatisfy(Self.isName) else { return nil }
        group = names.count == 2 ? String(decoding: names[0], as: UTF8.self) : ""
        name = String(decoding: names[names.count - 1], as: UTF8.self).uppercased()
        valueStart = colon + 1
        for part in parts.dropFirst() { add(part) }
        if charset != nil || isQuotedPrintable { isModern = false }
    }

    var isQuotedPrintable: Bool { words(of: "ENCODING").contains("QUOTED-PRINTABLE") }

    var isBase64: Bool { words(of: "ENCODING").contains { $0 == "B" || $0 == "BASE64" } }

    /// The value of the parameter CHARSET in upper case, or nil if there is none.
    var charset: String? { parameters.first { $0.name == "CHARSET" }?.values.first?.uppercased() }

    /// Whether bytes of ASCII may be parts of other characters.
    var isStateful: Bool { charset.flatMap { Charset($0) }?.isStateful == true }

    /// Returns the values of a parameter in upper case; one value may contain several, as in `TYPE="voice,home"`.
    func words(of parameter: String) -> [Substring] {
        parameters.filter { $0.name == parameter }.flatMap(\.values)
            .flatMap { $0.uppercased().split(separator: ",") }
    }

    private mutating func add(_ part: ArraySlice<UInt8>) {
        if let equals = part.firstIndex(of: UInt8(ascii: "=")) {
            guard Self.isName(part[..<equals]) else { return }
            let name = String(decoding: part[..<equals], as: UTF8.self).uppercased()
            let values = Self.split(part[(equals + 1)...], at: UInt8(ascii: ","))
            let texts = values.map { String(decoding: $0.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) }
            parameters.append(Parameter(name: name, values: texts))
            return
        }
        isModern = false
        // Version 2.1 allows values without a parameter name.
        let value = String(decoding: part.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        let isEncoding = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"].contains(value.uppercased())
        let name = isEncoding ? "ENCODING" : "TYPE"
        if let index = parameters.firstIndex(where: { $0.name == name }) {
            parameters[index].values.append(value)
        } else if !value.isEmpty {
            parameters.append(Parameter(name: name, values: [value]))
        }
    }

    /// Splits the line into the name and the parameters, up to the first colon outside quotation marks.
    private static func parts(of line: [UInt8]) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        let bounded = line.prefix(longest)
        let colon = bounded.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ":") && !isQuoted
        }
        return split(bounded[..<(colon ?? bounded.endIndex)], at: UInt8(ascii: ";"))
    }

    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        return bytes.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == separator && !isQuoted
        }
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A content line as libebook-contacts reads it.
struct ContentLine {
    /// A parameter with its values.
    struct Parameter: Hashable {
        var name: String
        var values: [String] = []
    }

    /// The group, which ties lines together; empty is none.
    var group = ""
    /// The name, in upper case.
    var name = ""
    /// The parameters in their order, with names in upper case.
    var parameters: [Parameter] = []
    /// The values that semicolons part (in CATEGORIES, commas), without escapes.
    var values: [String] = []
    /// What base64 says; nil where the line has none.
    var bytes: [UInt8]?

    /// Reads a line; nil where it is none.
    init?(_ line: [UInt8], by functions: BooksLibrary.Functions) {
        let isRead = withUnsafeMutablePointer(to: &self) { this in
            line.withUnsafeBytes { bytes in
                functions.readLine(
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
                    { kind, piece, length, context in
                        let line = context?.assumingMemoryBound(to: ContentLine.self)
                        let bytes = UnsafeBufferPointer(start: piece, count: length)
                        bytes.withMemoryRebound(to: UInt8.self) { line?.pointee.take($0, kind: kind) }
                    }, this)
            }
        }
        if isRead == 0 || values.isEmpty { return nil }
    }

    /// The values as they stood, where semicolons part nothing.
    var text: String { values.joined(separator: ";") }

    /// The values of a parameter, in upper case; several may stand in one, as in `TYPE="voice,home"`.
    func words(of parameter: String) -> [Substring] {
        parameters.filter { $0.name == parameter }.flatMap(\.values)
            .flatMap { $0.uppercased().split(separator: ",") }
    }

    private mutating func take(_ piece: UnsafeBufferPointer<UInt8>, kind: Int32) {
        if kind == Kind.bytes {
            bytes = (bytes ?? []) + piece
            return
        }
        // What quoted-printable says may be no UTF-8; the ends of lines are told in one way.
        let text = String(decoding: piece, as: UTF8.self)
        switch kind {
        case Kind.group: group = text
        case Kind.name: name = text.uppercased()
        case Kind.parameter: parameters.append(Parameter(name: text.uppercased()))
        case Kind.parameterValue: parameters.indices.last.map { parameters[$0].values.append(text) }
        default: values.append(text.utf8.contains(where: Self.isControl) ? Self.clean(text) : text)
        }
    }

    private static func clean(_ text: String) -> String {
        String(decoding: text.utf8.filter { !isControl($0) }, as: UTF8.self)
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F
    }

    /// The kinds of CBooks.h.
    private enum Kind {
        static let (group, name, parameter, parameterValue, value, bytes):
            (
                Int32, Int32, Int32, Int32, Int32, Int32
            ) = (0, 1, 2, 3, 4, 5)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// Where a link in a message leads.
public enum TextLink: Hashable, Sendable {
    /// A page of the web, by its address as it is written.
    case web(String)
    /// A number, as it is written or in a `tel:` link, for `DialledNumber.read`.
    case number(String)
    /// Somebody to call, by a `sip:` or `sips:` address.
    case sip(String)
    /// Somebody to write to, by an `xmpp:` address.
    case xmpp(String)

    /// The longest one, in bytes.
    ///
    /// What is longer is text.
    static let limit = 2048

    private static let schemes: [(name: [UInt8], make: @Sendable (String) -> TextLink?)] = [
        (Array("https://".utf8), web), (Array("http://".utf8), web),
        (Array("tel:".utf8), { isNumber($0) ? .number($0) : nil }),
        (Array("sips:".utf8), { isAddress($0) ? .sip($0) : nil }),
        (Array("sip:".utf8), { isAddress($0) ? .sip($0) : nil }),
        (Array("xmpp:".utf8), { isAddress($0) ? .xmpp($0) : nil }),
    ]

    private static func isNumber(_ text: String) -> Bool {
        if case .number = DialledNumber.read(text) { true } else { false }
    }

    /// Whether there is more than a word after the colon, as in “a sip:tea”.
    private static func isAddress(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "@")) || text.utf8.contains(UInt8(ascii: "."))
    }

    /// What begins with a scheme at a place of a text.
    ///
    /// - Returns: where it ends, and where it leads, which is nowhere if it is too long or nothing follows the scheme;
    ///   nil if no scheme begins there.
    static func uri(in text: TextBytes, at start: Int) -> (end: Int, link: TextLink?)? {
        guard text.isWordStart(start),
            let scheme = schemes.first(where: { text.hasScheme($0.name, at: start) })
        else { return nil }
        let body = start + scheme.name.count
        let whole = text.uriEnd(from: body)
        let end = text.withoutClosing(body, whole)
        guard end > body, end - start <= limit else { return (max(whole, body), nil) }
        let link = scheme.make(text.string(start..<end))
        return (link == nil ? whole : end, link)
    }
}

/// The bytes of a text, and what is known of the places in it.
struct TextBytes {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    subscript(_ index: Int) -> UInt8 { bytes[index] }
    var count: Int { bytes.count }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Whether a word can begin there: no letter, digit or part of a scheme stands before it.
    func isWordStart(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let before = bytes[index - 1]
        return !before.isLetter && !before.isDigit && !"+-._".utf8.contains(before)
    }

    func hasScheme(_ scheme: [UInt8], at start: Int) -> Bool {
        guard start + scheme.count <= bytes.count else { return false }
        return zip(scheme, bytes[start...]).allSatisfy { $0 == $1 || $1.isLetter && $0 == $1 | 0x20 }
    }

    /// Where what can be in an address ends: a blank, a control or formatting character, a quote.
    func uriEnd(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                guard byte > 0x20, byte != 0x7F, !"<>\"`{}|\\^".utf8.contains(byte) else { return index }
                index += 1
            } else {
                guard let (scalar, length) = scalar(at: index), scalar.isInAddress else { return index }
                index += length
            }
        }
        return index
    }

    /// Without the full stop of the sentence, and the bracket that was opened before the address.
    func withoutClosing(_ start: Int, _ end: Int) -> Int {
        var open: [UInt8: Int] = [:]
        for byte in bytes[start..<end] where "()[]".utf8.contains(byte) { open[byte, default: 0] += 1 }
        var end = end
        while end > start {
            switch bytes[end - 1] {
            case UInt8(ascii: ")")
            where open[UInt8(ascii: ")"), default: 0] > open[UInt8(ascii: "("), default: 0]:
                open[UInt8(ascii: ")"), default: 0] -= 1
            case UInt8(ascii: "]")
            where open[UInt8(ascii: "]"), default: 0] > open[UInt8(ascii: "["), default: 0]:
                open[UInt8(ascii: "]"), default: 0] -= 1
            case let last where ".,;:!?'*_~".utf8.contains(last): break
            default: return end
            }
            end -= 1
        }
        return end
    }

    /// The character that begins there, and its length in bytes.
    func scalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        let length = bytes[index] < 0x80 ? 1 : bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
        guard index + length <= bytes.count,
            let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
        else { return nil }
        return (scalar, length)
    }

    /// Whether there is white space, or the end of the text.
    func isBlank(_ index: Int) -> Bool { index >= bytes.count || blankLength(index) > 0 }

    /// How many bytes of white space there are, of one character.
    func blankLength(_ index: Int) -> Int {
        if bytes[index] < 0x80 { return (9...13).contains(bytes[index]) || bytes[index] == 0x20 ? 1 : 0 }
        guard let (scalar, length) = scalar(at: index), scalar.properties.isWhitespace else { return 0 }
        return length
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension Unicode.Scalar {
    fileprivate var isInAddress: Bool {
        switch properties.generalCategory {
        // What turns the writing direction could show another address than it is.
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .initialPunctuation,
            .finalPunctuation, .openPunctuation, .closePunctuation, .surrogate, .privateUse, .unassigned:
            false
        case .otherPunctuation: value < 0x2010
        default: true
        }
    }
}

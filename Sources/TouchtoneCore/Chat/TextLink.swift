// SPDX-License-Identifier: GPL-3.0-or-later

public enum TextLink: Hashable, Sendable {
    /// A web page, with its address as written.
    case web(String)
    /// A number, as written or in a `tel:` or `callto:` link, for `DialledNumber.read`.
    case number(String)
    /// A `sip:` or `sips:` address to call.
    case sip(String)
    /// An `xmpp:` address to write to.
    case xmpp(String)
    /// A place on a map.
    case place(GeoURI)

    /// The maximum length of a link, in bytes; a longer one is plain text.
    static let limit = 2048

    private static let schemes: [(name: [UInt8], make: @Sendable (String) -> TextLink?)] = [
        (Array("https://".utf8), web), (Array("http://".utf8), web),
        (Array("tel:".utf8), { isNumber($0) ? .number($0) : nil }),
        (Array("callto:".utf8), { isNumber($0) ? .number($0) : nil }),
        (Array("sips:".utf8), { isAddress($0) ? .sip($0) : nil }),
        (Array("sip:".utf8), { isAddress($0) ? .sip($0) : nil }),
        (Array("xmpp:".utf8), { isAddress($0) ? .xmpp($0) : nil }),
        (Array(GeoURI.scheme.utf8), { GeoURI($0).map { .place($0) } }),
    ]

    private static func isNumber(_ text: String) -> Bool {
        if case .number = DialledNumber.read(text) { true } else { false }
    }

    /// Returns whether the text is more than a word after a colon, as in “a sip:tea”: an address or a number.
    private static func isAddress(_ text: String) -> Bool {
        SIPURI.user(inLink: text)?.number != nil || text.utf8.contains(UInt8(ascii: "@"))
            || text.utf8.contains(UInt8(ascii: "."))
    }

    /// Finds a URI with a known scheme; nil if none starts here.
    ///
    /// - Returns: The end of the URI and its target, which is nil if the URI is too long or invalid.
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

/// The UTF-8 bytes of a text, with queries about positions in it.
struct TextBytes {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    subscript(_ index: Int) -> UInt8 { bytes[index] }
    var count: Int { bytes.count }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns whether a word can start at an index: no letter, digit or part of a scheme precedes it.
    func isWordStart(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let before = bytes[index - 1]
        return !before.isLetter && !before.isDigit && !"+-._".utf8.contains(before)
    }

    func hasScheme(_ scheme: [UInt8], at start: Int) -> Bool {
        guard start + scheme.count <= bytes.count else { return false }
        return zip(scheme, bytes[start...]).allSatisfy { $0 == $1 || $1.isLetter && $0 == $1 | 0x20 }
    }

    /// Returns the end of an address: at a space, a control or formatting character, or a quote.
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

    /// Returns the end without the sentence’s punctuation, and without a bracket that was opened before the address.
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

    func scalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        let length = bytes[index] < 0x80 ? 1 : bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
        guard index + length <= bytes.count,
            let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
        else { return nil }
        return (scalar, length)
    }

    /// Returns whether an index is at white space or the end of the text.
    func isBlank(_ index: Int) -> Bool { index >= bytes.count || blankLength(index) > 0 }

    /// Returns the length in bytes of the white space character at an index; 0 if it is not white space.
    func blankLength(_ index: Int) -> Int {
        if bytes[index] < 0x80 { return (9...13).contains(bytes[index]) || bytes[index] == 0x20 ? 1 : 0 }
        guard let (scalar, length) = scalar(at: index), scalar.properties.isWhitespace else { return 0 }
        return length
    }

    func has(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start + length <= count else { return false }
        return word.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + length]) }
    }

    /// Returns whether white space precedes an index, which is not 0.
    func isBlankBefore(_ index: Int) -> Bool {
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return blankLength(start) == index - start
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension Unicode.Scalar {
    fileprivate var isInAddress: Bool {
        switch properties.generalCategory {
        // Characters that change the writing direction could make an address look like a different one.
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .initialPunctuation,
            .finalPunctuation, .openPunctuation, .closePunctuation, .surrogate, .privateUse, .unassigned:
            false
        case .otherPunctuation: value < 0x2010
        default: true
        }
    }
}

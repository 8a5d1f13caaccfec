// SPDX-License-Identifier: GPL-3.0-or-later

/// The percent escapes of links (RFC 3986 section 2.1).
enum PercentCoding {
    /// Returns the bytes with their escapes decoded once; nil if an escape is incomplete or invalid.
    static func bytes(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Returns the text with its escapes decoded once; nil if the result is not UTF-8.
    static func decoded(_ text: Substring.UTF8View) -> String? {
        bytes(text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the text with all bytes escaped except ASCII letters, digits, `-._~`, and those in `kept`.
    static func encoded(_ text: String, keeping kept: Set<UInt8> = []) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where kept.contains(byte): result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count < 2 ? "%0" + digits : "%" + digits
            }
        }
    }
}

extension String {
    /// Returns whether the text begins with a scheme and its colon, ignoring case.
    func begins(withScheme scheme: String) -> Bool {
        String(decoding: utf8.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit.
    package var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

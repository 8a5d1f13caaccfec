// SPDX-License-Identifier: GPL-3.0-or-later

/// A telephone number as people write it: the number and its extension.
struct WrittenNumber {
    /// The number, with ASCII digits and without invisible characters.
    let main: ArraySlice<Unicode.Scalar>
    /// The digits of the extension; empty if there is none.
    let `extension`: ArraySlice<Unicode.Scalar>

    /// The longest extension, in digits, as in libphonenumber.
    private static let maximumLength = 20
    /// The words before an extension, in lower case, in the languages in which numbers are often written with one.
    private static let words: Set<String> = [
        "x", "ext", "exts", "extn", "xtn", "extension", "extensión", "extensao", "extensão", "anexo", "ramal",
        "int", "interno", "poste", "durchwahl", "dw", "nebenstelle", "apparat", "wew", "доб", "добавочный",
        "内線", "分机", "分機", "내선", "داخلي", "تحويلة",
    ]

    init(_ text: some Sequence<Unicode.Scalar>) {
        let scalars = text.compactMap(Self.folded)
        guard let (end, digits) = Self.extension(in: scalars) else {
            (main, `extension`) = (scalars[...], [])
            return
        }
        (main, `extension`) = (scalars[..<end], scalars[digits])
    }

    /// Returns the ASCII form of a decimal digit of any script, of white space and of a full-width form (U+FF01 to
    /// U+FF5E); the scalar itself for others, and nil for an invisible one.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.properties.isWhitespace { return " " }
        if scalar.isInvisible { return nil }
        // Characters such as ² and Ⅷ are numeric, but not decimal digits.
        if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        }
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Returns the end of the number and the range of the extension at the end of a text; nil if it has none.
    private static func `extension`(in text: [Unicode.Scalar]) -> (end: Int, digits: Range<Int>)? {
        let end = text.prefixEnd(without: " .)]")
        let start = text[..<end].reversed().prefix(maximumLength + 1).prefix(while: \.isDigit).count
        guard (1...maximumLength).contains(start) else { return nil }
        let digits = end - start..<end
        let wordEnd = text[..<digits.lowerBound].prefixEnd(without: " .:=-")
        let length = text[..<wordEnd].reversed().prefix { $0.properties.isAlphabetic }.count
        let wordStart = wordEnd - length
        // The longest of the words bounds the work.
        guard (1...16).contains(length),
            words.contains(String(String.UnicodeScalarView(text[wordStart..<wordEnd])).lowercased())
        else { return nil }
        // A comma in front of the word is no pause.
        return (text[..<wordStart].prefixEnd(without: " .,;(["), digits)
    }
}

extension RandomAccessCollection<Unicode.Scalar> where Index == Int {
    /// Returns the end without the last characters that are among those given.
    fileprivate func prefixEnd(without characters: String) -> Int {
        let omitted = characters.unicodeScalars
        return (lastIndex { !omitted.contains($0) } ?? startIndex - 1) + 1
    }
}

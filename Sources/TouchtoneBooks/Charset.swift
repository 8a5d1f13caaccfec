// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// A character set of a vCard, which GLib converts with iconv(3).
struct Charset: Hashable {
    /// The name for iconv.
    let name: String

    /// UTF-8, in which all other bytes are invalid.
    static let utf8 = Charset(name: "UTF-8")

    /// Whether bytes below 0x80 may be parts of other characters, after an escape sequence.
    var isStateful: Bool { name.hasPrefix("ISO-2022") }

    private init(name: String) { self.name = name }

    /// Finds a character set by the name in a card, in any case and with any marks; nil if it is not supported.
    ///
    /// Names that are not here are hardly used, and some converters of iconv have crashed on invalid input.
    init?(_ label: String) {
        let key = Self.key(label)
        guard let name = Self.names[key] ?? Self.numbered(key) else { return nil }
        self.init(name: name)
    }

    /// Returns bytes as text, with replacement characters for invalid ones; an old card without a known
    /// character set may be in Windows-1252.
    static func text(_ bytes: [UInt8], charset label: String?, isOld: Bool) -> String {
        let charset = label.flatMap { Charset($0) }
        if let charset, charset.isStateful, let text = charset.converted(bytes) { return text }
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        if let charset, charset != .utf8, let text = charset.converted(bytes) { return text }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return (isOld ? Charset(name: "WINDOWS-1252").converted(bytes) : nil)
            ?? String(decoding: bytes, as: UTF8.self)
    }

    private func converted(_ bytes: [UInt8]) -> String? {
        var length: gsize = 0
        let text = bytes.withUnsafeBytes { bytes in
            g_convert(
                bytes.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(bytes.count), "UTF-8", name,
                nil,
                &length, nil)
        }
        guard let text else { return nil }
        defer { g_free(text) }
        return String(decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
    }
}

// MARK: - Names

extension Charset {
    /// Returns a name without its case and its marks, which programs write in any way.
    private static func key(_ label: String) -> String {
        String(
            label.prefix { $0 != ":" }.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
                .prefix(40))
    }

    /// Returns the name of a character set of a numbered family: those of ISO 8859, and those of Windows.
    private static func numbered(_ key: String) -> String? {
        func number(_ prefixes: String..., in range: ClosedRange<Int>) -> Int? {
            prefixes.lazy.filter { key.hasPrefix($0) }.compactMap { Int(key.dropFirst($0.count)) }
                .first { range.contains($0) }
        }
        if let part = number("ISO8859", "ISO8859P", in: 1...16) { return "ISO-8859-\(part)" }
        return number("WINDOWS", "CP", "XCP", "MSCP", "WIN", in: 1250...1258).map { "WINDOWS-\($0)" }
    }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for (name, labels) in table {
            for label in labels.split(separator: " ") { names[String(label)] = name }
        }
        return names
    }()

    /// The names for iconv, each with its labels as `key` returns them: those of IANA, of iconv, and of programs.
    ///
    /// Where Windows has a superset under the same label, it is the superset, as in the WHATWG's standard.
    private static let table: KeyValuePairs<String, String> = [
        "UTF-8": "UTF8",
        "ISO-8859-1": "LATIN1 L1 ISOIR100 USASCII ASCII ISO88591WINDOWS30LATIN1",
        "ISO-8859-2": "LATIN2 L2",
        "ISO-8859-3": "LATIN3 L3",
        "ISO-8859-4": "LATIN4 L4",
        "ISO-8859-5": "CYRILLIC ISOIR144",
        "ISO-8859-6": "ARABIC ECMA114 ASMO708",
        "ISO-8859-7": "GREEK GREEK8 ELOT928 ECMA118",
        "ISO-8859-8": "HEBREW ISO88598I ISO88598E",
        "ISO-8859-9": "LATIN5 L5",
        "ISO-8859-10": "LATIN6 L6",
        "ISO-8859-13": "LATIN7",
        "ISO-8859-14": "LATIN8",
        "ISO-8859-15": "LATIN9 LATIN0",
        "ISO-8859-16": "LATIN10",
        "KOI8-R": "KOI8R CSKOI8R KOI8",
        "KOI8-U": "KOI8U KOI8RU",
        "CP437": "CP437 IBM437 437",
        "CP850": "CP850 IBM850 850",
        "CP852": "CP852 IBM852 852",
        "CP862": "CP862 IBM862 862",
        "CP866": "CP866 IBM866 866",
        "CP874": "TIS620 TIS6200 TIS62025291 TIS62025330 ISO885911 CP874 WINDOWS874 IBM874 MS874",
        "MACINTOSH": "MACINTOSH MAC MACROMAN XMACROMAN CSMACINTOSH",
        "MAC-CYRILLIC": "MACCYRILLIC XMACCYRILLIC MSMACCYRILLIC MACUKRAINIAN XMACUKRAINIAN MACUK",
        "MAC-CENTRALEUROPE": "MACCENTRALEUROPE XMACCE MACCE",
        "CP932": "SHIFTJIS SJIS XSJIS MSKANJI CSSHIFTJIS CP932 MS932 WINDOWS31J CSWINDOWS31J SJISWIN IBM932",
        "EUC-JP": "EUCJP XEUCJP UJIS CSEUCPKDFMTJAPANESE EUCJPMS EUCJPWIN",
        "ISO-2022-JP-2": "ISO2022JP CSISO2022JP JIS ISO2022JP1 ISO2022JP2",
        "CP936": "GB2312 GB231280 CSGB2312 CSGB231280 EUCCN XEUCCN GBK XGBK CP936 MS936 WINDOWS936 CHINESE",
        "GB18030": "GB18030",
        "BIG5-HKSCS": "BIG5HKSCS",
        "CP950": "BIG5 XXBIG5 CNBIG5 CSBIG5 CP950 BIGFIVE",
        "EUC-TW": "EUCTW XEUCTW",
        "CP949": "EUCKR CSEUCKR KSC5601 KSC56011987 KSC56011989 KSC5601 KOREAN UHC CP949 MSCP949 WINDOWS949",
        "JOHAB": "JOHAB CP1361",
        "ISO-2022-KR": "ISO2022KR CSISO2022KR",
        "VISCII": "VISCII CSVISCII",
        "TCVN5712-1": "TCVN TCVN5712 TCVN57121",
        "ARMSCII-8": "ARMSCII8",
        "GEORGIAN-PS": "GEORGIANPS",
        "KOI8-T": "KOI8T",
    ]
}

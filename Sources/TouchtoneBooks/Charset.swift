// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// The conversion of text from the character sets in vCards, by GLib.
enum Charset {
    /// The accepted character sets besides UTF-8.
    ///
    /// The others of iconv(3) are hardly used, and some of its converters have crashed on invalid input.
    private static let known: Set<String> = {
        let numbered = (1...15).map { "ISO-8859-\($0)" } + (0...8).map { "WINDOWS-125\($0)" }
        return Set(
            numbered + ["SHIFT_JIS", "EUC-JP", "EUC-KR", "GB2312", "GBK", "GB18030", "BIG5", "KOI8-R"])
    }()

    /// Returns bytes as text, with replacement characters for invalid ones.
    ///
    /// - Parameters:
    ///   - charset: The name of the character set in upper case; an unsupported one is treated as nil.
    ///   - isOld: Whether bytes that are not UTF-8 are Windows-1252 if no character set is given.
    static func text(_ bytes: [UInt8], charset: String?, isOld: Bool) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        if let charset, known.contains(charset), let text = converted(bytes, from: charset) { return text }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return (isOld ? converted(bytes, from: "WINDOWS-1252") : nil)
            ?? String(decoding: bytes, as: UTF8.self)
    }

    private static func converted(_ bytes: [UInt8], from charset: String) -> String? {
        var length: gsize = 0
        let text = bytes.withUnsafeBytes { bytes in
            g_convert(
                bytes.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(bytes.count), "UTF-8", charset,
                nil,
                &length, nil)
        }
        guard let text else { return nil }
        defer { g_free(text) }
        return String(decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
public import TouchtoneCore

/// The folding of letters by the system's Unicode tables (GLib).
public enum TextFolding {
    /// Unicode's full case folding and compatibility decomposition (NFKD), for every searchable list.
    public static let letters = LetterFolding(plain)

    /// Returns a case-folded and decomposed text.
    ///
    /// Control characters become spaces; a NUL would end the text for GLib.
    static func plain(_ text: String) -> String {
        var visible = String(String.UnicodeScalarView(text.unicodeScalars.map(visible)))
        return visible.withUTF8 { casefolded($0) } ?? ""
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control ? " " : scalar
    }

    private static func casefolded(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.withMemoryRebound(to: CChar.self) { text -> String? in
            guard let start = text.baseAddress, let cased = g_utf8_casefold(start, text.count) else {
                return nil
            }
            defer { g_free(cased) }
            guard let normal = g_utf8_normalize(cased, -1, G_NORMALIZE_ALL) else { return nil }
            defer { g_free(normal) }
            return String(cString: normal)
        }
    }
}

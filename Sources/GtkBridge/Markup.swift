// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGtk

/// Pango markup, which notifications use too.
public enum Markup {
    /// Returns markup that shows a text literally, up to its first NUL.
    public static func escaped(_ text: String) -> String {
        guard let escaped = g_markup_escape_text(text, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}

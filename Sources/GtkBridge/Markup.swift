// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGtk

/// Pango's markup, which is also that of notifications.
public enum Markup {
    /// The markup that shows a text as it stands, up to a NUL in it.
    public static func escaped(_ text: String) -> String {
        guard let escaped = g_markup_escape_text(text, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// Base64, as GLib implements it.
enum Base64 {
    /// Returns the decoded bytes, ignoring white space, or nil if there are none.
    static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var (state, save) = (gint(0), guint(0))
        let text = Array(text)
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { room, count in
            count = text.withUnsafeBytes { text in
                Int(
                    g_base64_decode_step(
                        text.baseAddress?.assumingMemoryBound(to: gchar.self), gsize(text.count),
                        room.baseAddress, &state, &save))
            }
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Returns bytes in base64, on one line.
    static func encoded(_ bytes: [UInt8]) -> String {
        guard let text = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// GLib's base64.
enum Base64 {
    /// What base64 says, white space passed over; nil where nothing does.
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

    /// Bytes in base64, on one line.
    static func encoded(_ bytes: [UInt8]) -> String {
        guard let text = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

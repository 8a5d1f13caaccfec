// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of the keyboard that are down, whichever window they went down in.
@MainActor
public enum KeysDown {
    /// Their hardware codes.
    ///
    /// Only an X server is asked. A Wayland compositor has a window that gets the focus repeat no key that is down.
    public static var codes: Set<UInt32> {
        var bits = [UInt8](repeating: 0, count: Int(CGTK_KEY_BYTES))
        guard let display = gdk_display_get_default(), cgtk_keys_down(display, &bits) != 0 else { return [] }
        return Set(
            (0..<UInt32(bits.count * 8)).filter { code in
                bits[Int(code / 8)] & (1 << UInt8(code % 8)) != 0
            })
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of the keyboard that are pressed, in whichever window they were pressed.
@MainActor
public enum KeysDown {
    /// The hardware codes of the pressed keys.
    ///
    /// Only an X server reports them. With a Wayland compositor, a window that gets the focus does not repeat a key
    /// that is already pressed.
    public static var codes: Set<UInt32> {
        var bits = [UInt8](repeating: 0, count: Int(CGTK_KEY_BYTES))
        guard let display = gdk_display_get_default(), cgtk_keys_down(display, &bits) != 0 else { return [] }
        return Set(
            (0..<UInt32(bits.count * 8)).filter { code in
                bits[Int(code / 8)] & (1 << UInt8(code % 8)) != 0
            })
    }
}

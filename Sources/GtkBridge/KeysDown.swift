// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of the keyboard that were pressed when a window gained the focus.
///
/// Only an X server reports them. With a Wayland compositor, a window that gets the focus does not repeat a key that is
/// already pressed.
@MainActor
public enum KeysDown {
    /// Reports the pressed keys of a window from now on; the window must be realized.
    public static func track(_ window: Widget) {
        if let window = gtk_widget_get_window(window) { cgtk_track_keys(window) }
    }

    /// Returns the hardware codes of the keys that were pressed when the window gained the focus, and forgets them.
    ///
    /// Keys that are pressed later are not among them, even if the focus event is handled after the press.
    public static func takeAtFocus() -> Set<UInt32> {
        var bits = [UInt8](repeating: 0, count: Int(CGTK_KEY_BYTES))
        cgtk_take_keys_at_focus(&bits)
        return Set(
            (0..<UInt32(bits.count * 8)).filter { code in
                bits[Int(code / 8)] & (1 << UInt8(code % 8)) != 0
            })
    }
}

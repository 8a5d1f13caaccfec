// SPDX-License-Identifier: GPL-3.0-or-later

extension Signal {
    /// Connects to an overlay's `get-child-position`; the handler gives the place of what lies over the overlay's content,
    /// in the overlay's own pixels, or nil for where GTK would have it.
    public static func connectPlace(
        _ overlay: UnsafeMutableRawPointer,
        _ handler: @escaping @MainActor () -> GdkRectangle?
    ) {
        let trampoline:
            @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GdkRectangle>?, gpointer?) -> gboolean =
                { _, _, place, data in
                    nonisolated(unsafe) var found: GdkRectangle?  // It stays on this, the main, thread.
                    Box<@MainActor () -> GdkRectangle?>.call(data) { found = $0() }
                    guard let found, let place else { return 0 }
                    place.pointee = found
                    return 1
                }
        connect(overlay, "get-child-position", trampoline, handler)
    }
}

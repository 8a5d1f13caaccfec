// SPDX-License-Identifier: GPL-3.0-or-later

extension Signal {
    /// Connects to `get-child-position`: a place in the overlay's pixels, or nil for GTK's default.
    public static func connectPlace(
        _ overlay: UnsafeMutableRawPointer, _ handler: @escaping @MainActor (Widget) -> GdkRectangle?
    ) {
        let trampoline:
            @convention(c) (gpointer?, Widget?, UnsafeMutablePointer<GdkRectangle>?, gpointer?) -> gboolean =
                { _, child, place, data in
                    guard let child else { return 0 }
                    nonisolated(unsafe) var found: GdkRectangle?  // It stays on the main thread.
                    nonisolated(unsafe) let one = child  // It stays on the main thread.
                    Box<@MainActor (Widget) -> GdkRectangle?>.call(data) {
                        found = $0(one)
                    }
                    guard let found, let place else { return 0 }
                    place.pointee = found
                    return 1
                }
        connect(overlay, "get-child-position", trampoline, handler)
    }
}

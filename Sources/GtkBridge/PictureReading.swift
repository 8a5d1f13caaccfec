// SPDX-License-Identifier: GPL-3.0-or-later

/// The decoding of untrusted picture files.
enum PictureReading {
    /// The thread that decodes one picture at a time: several at once would occupy all processors.
    static let thread = BackgroundThread("pictures")

    /// Decodes a picture in PNG, JPEG, GIF or WebP; the caller owns the returned reference.
    ///
    /// - Parameters:
    ///   - side: The maximum length of the longer side, in pixels, to which a larger picture is scaled down; nil for any.
    ///   - fits: A function that returns whether a width and a height in pixels are accepted. It is called before memory
    ///     is allocated.
    static func pixels(
        _ bytes: [UInt8], side: gint? = nil, fits: @escaping @Sendable (gint, gint) -> Bool
    ) -> OpaquePointer? {
        guard let type = type(of: bytes), type != "jpeg" || JPEGScans.areFew(in: bytes),
            // The type is named, because a loader that guesses would also accept vector graphics, which can take
            // unlimited time.
            let loader = gdk_pixbuf_loader_new_with_type(type, nil)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        let bound = Bound(side, fits)
        watchSize(of: loader, bound)
        let isRead = bytes.withUnsafeBufferPointer {
            gdk_pixbuf_loader_write(loader.cast(), $0.baseAddress, gsize($0.count), nil) != 0
        }
        let isWhole = gdk_pixbuf_loader_close(loader.cast(), nil) != 0
        guard isRead, isWhole, let whole = gdk_pixbuf_loader_get_pixbuf(loader.cast()),
            fits(gdk_pixbuf_get_width(whole), gdk_pixbuf_get_height(whole))
        else { return nil }
        g_object_ref(UnsafeMutableRawPointer(whole))
        return whole
    }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            // A truncated file would show uninitialized memory.
            return bytes.suffix(8).elementsEqual([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
                ? "png" : nil
        }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "jpeg" }
        if bytes.starts(with: [0x47, 0x49, 0x46, 0x38]) { return "gif" }
        if bytes.starts(with: [0x52, 0x49, 0x46, 0x46]),
            bytes.dropFirst(8).starts(with: [0x57, 0x45, 0x42, 0x50])
        {
            return "webp"
        }
        return nil
    }

    private final class Bound {
        let side: gint?
        let fits: @Sendable (gint, gint) -> Bool

        init(_ side: gint?, _ fits: @escaping @Sendable (gint, gint) -> Bool) {
            (self.side, self.fits) = (side, fits)
        }

        /// Returns the size to decode a picture of the stated size to; no pixels if it is rejected.
        func target(_ width: gint, _ height: gint) -> (gint, gint) {
            guard width > 0, height > 0, fits(width, height) else { return (0, 0) }
            guard let side, max(width, height) > side else { return (width, height) }
            let scale = Double(side) / Double(max(width, height))
            return (max(1, gint(Double(width) * scale)), max(1, gint(Double(height) * scale)))
        }
    }

    /// Rejects a picture whose stated size is too large, before memory is allocated for it, or scales it down.
    private static func watchSize(of loader: UnsafeMutablePointer<GdkPixbufLoader>, _ bound: Bound) {
        let check: @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
            loader, width, height, data in
            guard let data else { return }
            let bound = Unmanaged<Bound>.fromOpaque(data).takeUnretainedValue()
            let target = bound.target(width, height)
            if target != (width, height) { gdk_pixbuf_loader_set_size(loader, target.0, target.1) }
        }
        // GLib passes the arguments of the signal, although GCallback has none.
        let handler = unsafeBitCast(check, to: GCallback.self)
        g_signal_connect_data(
            loader, "size-prepared", handler, Unmanaged.passRetained(bound).toOpaque(),
            { data, _ in if let data { Unmanaged<Bound>.fromOpaque(data).release() } },
            GConnectFlags(rawValue: 0))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A small picture, made from a file that a stranger may have sent.
@MainActor
public final class Picture {
    /// The pixels, to be painted at the size that was asked for.
    public let surface: OpaquePointer

    private init(_ surface: OpaquePointer) {
        self.surface = surface
    }

    isolated deinit {
        cairo_surface_destroy(surface)
    }

    /// The most that a file, and a side of the picture in it, may have.
    private nonisolated static let mostBytes = 1 << 20
    private nonisolated static let longestSide: gint = 2048

    /// Reads a picture on a thread of its own.
    ///
    /// - Parameters:
    ///   - side: of the square that it is cut to, in pixels of the layout.
    ///   - scale: how many pixels of the screen there are to one of the layout.
    ///   - done: gets nil for what is no picture in PNG, JPEG, GIF or WebP, or is too large.
    public static func read(
        _ bytes: [UInt8], side: Int, scale: Int, done: @escaping @MainActor (Picture?) -> Void
    ) {
        ReaderThread.run {
            let pixels = pixels(bytes, side: gint(side * scale))
            nonisolated(unsafe) let found = pixels  // Given on, and left alone here.
            Task { @MainActor in
                defer { if let found { g_object_unref(UnsafeMutableRawPointer(found)) } }
                guard let found, let surface = gdk_cairo_surface_create_from_pixbuf(found, gint(scale), nil)
                else {
                    return done(nil)
                }
                done(Picture(surface))
            }
        }
    }

    private nonisolated static func pixels(_ bytes: [UInt8], side: gint) -> OpaquePointer? {
        guard bytes.count <= mostBytes, let type = type(of: bytes),
            // By name: a loader that guesses would also take drawings, which can be made to work for ever.
            let loader = gdk_pixbuf_loader_new_with_type(type, nil)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        watchSize(of: loader)
        let isRead = bytes.withUnsafeBufferPointer {
            gdk_pixbuf_loader_write(loader.cast(), $0.baseAddress, gsize($0.count), nil) != 0
        }
        let isWhole = gdk_pixbuf_loader_close(loader.cast(), nil) != 0
        guard isRead, isWhole, let whole = gdk_pixbuf_loader_get_pixbuf(loader.cast()) else { return nil }
        return square(whole, side: side)
    }

    private nonisolated static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            // One that is cut off would show whatever was in memory.
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

    /// A picture that says that it is large is made nothing, before there is room taken for it.
    private nonisolated static func watchSize(of loader: UnsafeMutablePointer<GdkPixbufLoader>) {
        let check: @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
            loader, width, height, _ in
            let isFit =
                (1...Picture.longestSide).contains(width) && (1...Picture.longestSide).contains(height)
            if !isFit { gdk_pixbuf_loader_set_size(loader, 0, 0) }
        }
        // GLib calls it with the arguments of the signal, whatever the type says that handlers have in C.
        let handler = unsafeBitCast(check, to: GCallback.self)
        g_signal_connect_data(loader, "size-prepared", handler, nil, nil, GConnectFlags(rawValue: 0))
    }

    /// The middle of a picture, as a square of that size.
    private nonisolated static func square(_ whole: OpaquePointer, side: gint) -> OpaquePointer? {
        let (width, height) = (gdk_pixbuf_get_width(whole), gdk_pixbuf_get_height(whole))
        let least = min(width, height)
        guard least > 0, max(width, height) <= longestSide,
            let middle = gdk_pixbuf_new_subpixbuf(
                whole, (width - least) / 2, (height - least) / 2, least, least)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(middle)) }
        return gdk_pixbuf_scale_simple(middle, side, side, GDK_INTERP_BILINEAR)
    }
}

/// A thread for one picture: libdispatch's pool, once used, wakes the machine every second for ever.
private enum ReaderThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func run(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        let thread = g_thread_try_new(
            "picture",
            { data in
                if let data { Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body() }
                return nil
            }, work.toOpaque(), nil)
        // Without a thread there is no picture.
        guard let thread else { return work.release() }
        g_thread_unref(thread)
    }
}

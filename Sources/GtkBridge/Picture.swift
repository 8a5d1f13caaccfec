// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture from an untrusted file.
@MainActor
public final class Picture {
    /// The pixels, to be painted at the requested size.
    public let surface: OpaquePointer
    /// The width and height, in layout pixels.
    public let width, height: Double

    /// Takes the reference to pixels, `scale` to a layout pixel; nil if they are nil or there is no memory.
    init?(taking pixels: OpaquePointer?, scale: Int) {
        guard let pixels else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
        guard let surface = gdk_cairo_surface_create_from_pixbuf(pixels, gint(scale), nil) else { return nil }
        self.surface = surface
        width = Double(gdk_pixbuf_get_width(pixels)) / Double(scale)
        height = Double(gdk_pixbuf_get_height(pixels)) / Double(scale)
    }

    isolated deinit {
        cairo_surface_destroy(surface)
    }

    /// The maximum size of a file in bytes, and of the sides of its picture in pixels.
    private nonisolated static let maximumBytes = 2 << 20
    private nonisolated static let maximumSide = 2048

    /// Reads a picture on a background thread, after earlier requests, and crops it to a square.
    ///
    /// `side` is in layout pixels, `scale` in screen pixels per layout pixel. `done` receives nil if the file
    /// is not a PNG, JPEG, GIF or WebP picture, is too large, or takes too much work.
    public static func read(
        _ bytes: [UInt8], side: Int, scale: Int, done: @escaping @MainActor (Picture?) -> Void
    ) {
        PictureDecoder.thread.add {
            let side = side * scale
            let pixels =
                bytes.count <= maximumBytes
                ? PictureDecoder.pixels(bytes, as: .square, side: side) { max($0, $1) <= maximumSide } : nil
            nonisolated(unsafe) let found = pixels  // It is passed on, and not used here any more.
            Task { @MainActor in done(Picture(taking: found, scale: scale)) }
        }
    }
}

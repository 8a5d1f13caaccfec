// SPDX-License-Identifier: GPL-3.0-or-later

/// The reduction of a picture file, for storing and sending it.
@MainActor
public enum PictureFile {
    /// The maximum size of a file in bytes, enough for a camera's pictures.
    public nonisolated static let maximumBytes = 64 << 20
    /// The maximum number of pixels in a picture.
    private nonisolated static let maximumPixels = 64_000_000

    /// Reduces a picture to the given limits on a background thread, after earlier requests.
    ///
    /// It applies the camera's orientation, and removes metadata such as the location.
    ///
    /// - Parameters:
    ///   - longest: The maximum length of the longer side, in pixels.
    ///   - maximum: The maximum size of the result, in bytes.
    ///   - isPNG: Whether the result must be a PNG.
    /// - Returns: A JPEG, or a PNG if the picture is transparent; nil if the file is not a PNG, JPEG, GIF or WebP
    ///   picture, is too large, takes too much work, or cannot be made small enough.
    public static func shrunk(_ bytes: [UInt8], longest: Int, maximum: Int, isPNG: Bool = false) async
        -> [UInt8]?
    {
        await PictureReading.thread.run {
            shrunkHere(bytes, longest: gint(longest), maximum: maximum, isPNG: isPNG)
        }
    }

    nonisolated static func shrunkHere(
        _ bytes: [UInt8], longest: gint, maximum: Int, isPNG: Bool = false
    ) -> [UInt8]? {
        guard bytes.count <= maximumBytes,
            let read = PictureReading.pixels(bytes, fits: { Int($0) * Int($1) <= maximumPixels })
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(read)) }
        guard let whole = gdk_pixbuf_apply_embedded_orientation(read) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(whole)) }
        let (width, height) = (gdk_pixbuf_get_width(whole), gdk_pixbuf_get_height(whole))
        let longer = max(width, height)
        let scale = min(1, Double(longest) / Double(longer))
        guard
            let small = gdk_pixbuf_scale_simple(
                whole, max(1, gint(Double(width) * scale)), max(1, gint(Double(height) * scale)),
                GDK_INTERP_BILINEAR)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(small)) }
        let isPNG = isPNG || gdk_pixbuf_get_has_alpha(small) != 0
        return written(small, as: isPNG ? "png" : "jpeg").flatMap { $0.count <= maximum ? $0 : nil }
    }

    private nonisolated static func written(_ pixels: OpaquePointer, as type: String) -> [UInt8]? {
        var (buffer, size): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
        guard gdk_pixbuf_save_to_bufferv(pixels, &buffer, &size, type, nil, nil, nil) != 0, let buffer else {
            return nil
        }
        defer { g_free(buffer) }
        return [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(size)))
    }
}

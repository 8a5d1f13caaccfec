// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture's file made smaller, as it is kept and sent.
@MainActor
public enum PictureFile {
    /// How many bytes a file may have that is looked at: what a camera makes.
    public nonisolated static let maximumBytes = 64 << 20
    /// How many pixels a picture may have that is looked at.
    private nonisolated static let maximumPixels = 64_000_000

    /// Makes a picture no larger than it is to be, on a thread, after those that were asked for before: turned as the
    /// camera was, without what else the file tells (such as the place).
    ///
    /// - Parameters:
    ///   - longest: how many pixels its longer side has at most.
    ///   - most: how many bytes it has at most.
    /// - Returns: JPEG, or PNG where something can be seen through; nil for what is no picture in PNG, JPEG, GIF or WebP,
    ///   is too large or too much work to be looked at, or can't be made small enough.
    public static func shrunk(_ bytes: [UInt8], longest: Int, maximum: Int) async -> [UInt8]? {
        await PictureReading.thread.run { shrunkHere(bytes, longest: gint(longest), maximum: maximum) }
    }

    nonisolated static func shrunkHere(_ bytes: [UInt8], longest: gint, maximum: Int) -> [UInt8]? {
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
        let isPNG = gdk_pixbuf_get_has_alpha(small) != 0
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

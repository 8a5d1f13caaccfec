// SPDX-License-Identifier: GPL-3.0-or-later

internal import CPixbuf
internal import Glibc

/// The decoding of the standard input; nothing is released, since the process ends afterwards.
enum Decoding {
    /// Decodes the file, and applies its orientation; returns nil if it is invalid, or larger than it said.
    static func pixels(
        _ loader: UnsafeMutablePointer<GdkPixbufLoader>, _ request: DecodingRequest
    ) -> OpaquePointer? {
        watchSize(of: loader, request)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(0, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            if count == 0 { break }
            guard gdk_pixbuf_loader_write(loader, buffer, gsize(count), nil) != 0 else { return nil }
        }
        guard gdk_pixbuf_loader_close(loader, nil) != 0, let whole = gdk_pixbuf_loader_get_pixbuf(loader),
            gdk_pixbuf_get_width(whole) <= gint(request.width),
            gdk_pixbuf_get_height(whole) <= gint(request.height)
        else { return nil }
        guard request.orientation > 1 else { return whole }
        gdk_pixbuf_remove_option(whole, "orientation")
        gdk_pixbuf_set_option(whole, "orientation", String(request.orientation))
        return gdk_pixbuf_apply_embedded_orientation(whole)
    }

    /// Returns what the request asks for; nil if there is no memory.
    static func result(
        _ pixels: OpaquePointer, _ request: DecodingRequest, _ finder: CodeFinder?
    ) -> [UInt8]? {
        let side = gint(request.side)
        switch request.result {
        case .fit: return raw(fitted(pixels, side))
        case .square: return raw(square(pixels, side))
        case .jpeg, .png:
            guard let small = fitted(pixels, side) else { return nil }
            let isPNG = request.result == .png || gdk_pixbuf_get_has_alpha(small) != 0
            return file(small, as: isPNG ? "png" : "jpeg")
        case .codes:
            // One byte tells whether codes can be found.
            guard let finder else { return [0] }
            guard let small = fitted(pixels, side), let texts = finder.texts(in: small) else { return nil }
            return texts.reduce(into: [1]) { bytes, text in
                bytes += withUnsafeBytes(of: UInt32(text.count)) { Array($0) } + text
            }
        }
    }

    /// Rejects a picture that is larger than the file said, or scales one down while it is decoded.
    private static func watchSize(
        of loader: UnsafeMutablePointer<GdkPixbufLoader>, _ request: DecodingRequest
    ) {
        let check: @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
            loader, width, height, data in
            guard let request = data?.assumingMemoryBound(to: DecodingRequest.self).pointee else { return }
            guard width > 0, height > 0, width <= request.width, height <= request.height else {
                return gdk_pixbuf_loader_set_size(loader, 0, 0)
            }
            // A square is cut out of the whole picture.
            guard request.result != .square, max(width, height) > request.side else { return }
            let target = Decoding.size(width, height, within: gint(request.side))
            gdk_pixbuf_loader_set_size(loader, target.0, target.1)
        }
        let kept = UnsafeMutablePointer<DecodingRequest>.allocate(capacity: 1)
        kept.initialize(to: request)
        g_signal_connect_data(
            // GLib passes the arguments of the signal, although GCallback has none.
            loader, "size-prepared", unsafeBitCast(check, to: GCallback.self), kept, nil,
            GConnectFlags(rawValue: 0))
    }

    private static func size(_ width: gint, _ height: gint, within side: gint) -> (gint, gint) {
        let scale = min(1, Double(side) / Double(max(width, height)))
        return (max(1, gint(Double(width) * scale)), max(1, gint(Double(height) * scale)))
    }

    private static func fitted(_ pixels: OpaquePointer, _ side: gint) -> OpaquePointer? {
        let (width, height) = (gdk_pixbuf_get_width(pixels), gdk_pixbuf_get_height(pixels))
        let target = size(width, height, within: side)
        if target == (width, height) { return pixels }
        return gdk_pixbuf_scale_simple(pixels, target.0, target.1, GDK_INTERP_BILINEAR)
    }

    /// Returns the middle of a picture, as a square of the given size.
    private static func square(_ whole: OpaquePointer, _ side: gint) -> OpaquePointer? {
        let (width, height) = (gdk_pixbuf_get_width(whole), gdk_pixbuf_get_height(whole))
        let least = min(width, height)
        let middle = gdk_pixbuf_new_subpixbuf(
            whole, (width - least) / 2, (height - least) / 2, least, least)
        return middle.flatMap { gdk_pixbuf_scale_simple($0, side, side, GDK_INTERP_BILINEAR) }
    }

    /// Returns the width, the height and the channels as four bytes each, and the pixels row by row.
    private static func raw(_ pixels: OpaquePointer?) -> [UInt8]? {
        guard let pixels, let data = gdk_pixbuf_read_pixels(pixels) else { return nil }
        let (width, height) = (Int(gdk_pixbuf_get_width(pixels)), Int(gdk_pixbuf_get_height(pixels)))
        let channels = Int(gdk_pixbuf_get_n_channels(pixels))
        let stride = Int(gdk_pixbuf_get_rowstride(pixels))
        var bytes = [width, height, channels].flatMap { number in
            withUnsafeBytes(of: UInt32(number)) { Array($0) }
        }
        bytes.reserveCapacity(bytes.count + width * height * channels)
        for row in 0..<height {
            bytes += UnsafeBufferPointer(start: data + row * stride, count: width * channels)
        }
        return bytes
    }

    private static func file(_ pixels: OpaquePointer, as type: String) -> [UInt8]? {
        var (buffer, size): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
        guard gdk_pixbuf_save_to_bufferv(pixels, &buffer, &size, type, nil, nil, nil) != 0, let buffer else {
            return nil
        }
        return [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(size)))
    }
}

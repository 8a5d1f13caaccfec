// SPDX-License-Identifier: GPL-3.0-or-later

/// The decoding of an untrusted picture file for its display.
@MainActor
public enum PictureLoader {
    /// The maximum size of a file, in bytes.
    public nonisolated static let maximumBytes = 10 << 20
    /// The maximum length of each side of the picture in a file, in pixels.
    public nonisolated static let maximumSide = 4096

    /// Decodes a picture, or the first frame of an animation, on a background thread, with its orientation.
    ///
    /// A larger picture is scaled down to `maximumSide`, in layout pixels of `scale` screen pixels. Nil if the
    /// file is not a PNG, JPEG, GIF or WebP picture, exceeds a maximum, or takes too much work.
    public static func load(path: String, maximumSide: Int, scale: Int) async -> Picture? {
        guard let uri = Files.uri(of: path), let bytes = try? await Files.read(uri, maximum: maximumBytes)
        else { return nil }
        return await load(bytes, maximumSide: maximumSide, scale: scale)
    }

    /// Decodes the picture of a file in Base64, as one of a path.
    public static func load(base64 text: String, maximumSide: Int, scale: Int) async -> Picture? {
        var count: gsize = 0
        guard text.utf8.count <= maximumBytes, !text.utf8.contains(0),
            let data = g_base64_decode(text, &count)
        else { return nil }
        let bytes = Array(UnsafeBufferPointer(start: data, count: Int(count)))
        g_free(data)
        return await load(bytes, maximumSide: maximumSide, scale: scale)
    }

    /// Decodes the picture of a file’s content, as one of a path.
    public static func load(_ bytes: [UInt8], maximumSide: Int, scale: Int) async -> Picture? {
        guard bytes.count <= maximumBytes else { return nil }
        let side = maximumSide * scale
        return await withCheckedContinuation { continuation in
            PictureDecoder.thread.add {
                let pixels = PictureDecoder.pixels(bytes, as: .fit, side: side) {
                    max($0, $1) <= Self.maximumSide
                }
                nonisolated(unsafe) let found = pixels  // It is passed on, and not used here any more.
                Task { @MainActor in continuation.resume(returning: Picture(taking: found, scale: scale)) }
            }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The reduction of a picture file, for storing and sending it.
@MainActor
public enum PictureFile {
    /// The maximum size of a file in bytes, enough for a camera's pictures.
    public nonisolated static let maximumBytes = 64 << 20
    /// The maximum number of pixels in a picture.
    private nonisolated static let maximumPixels = 64_000_000

    /// Reduces a picture on a background thread, with the camera's orientation applied and without metadata.
    ///
    /// `longest` is the greatest side in pixels, `maximum` the greatest size in bytes. The result is a JPEG, or
    /// a PNG if the picture is transparent; nil if the file is not a PNG, JPEG, GIF or WebP picture, is too
    /// large, takes too much work, or cannot be made small enough.
    public static func shrunk(_ bytes: [UInt8], longest: Int, maximum: Int, isPNG: Bool = false) async
        -> [UInt8]?
    {
        await PictureDecoder.thread.run {
            guard bytes.count <= maximumBytes else { return nil }
            let small = PictureDecoder.decoded(bytes, as: isPNG ? .png : .jpeg, side: longest) {
                $0 * $1 <= maximumPixels
            }
            return small.flatMap { $0.count <= maximum ? $0 : nil }
        }
    }

    /// The greatest side of a thumbnail in pixels, and its greatest size in bytes: it is a part of a message.
    private nonisolated static let (thumbnailSide, maximumThumbnail) = (16, 1536)

    /// Returns a very small copy of a picture, which shows its colours, as a PNG in Base64; nil as for `shrunk`.
    public static func thumbnail(of bytes: [UInt8]) async -> String? {
        guard
            let small = await shrunk(
                bytes, longest: thumbnailSide, maximum: maximumThumbnail, isPNG: true),
            let text = g_base64_encode(small, gsize(small.count))
        else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}

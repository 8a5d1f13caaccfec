// SPDX-License-Identifier: GPL-3.0-or-later

private import PictureFormats

/// The door through which every picture file goes: those of messages and contacts, and those that the user chooses.
///
/// A file is reduced to what the pixels of its first frame need (`StillPicture`), then decoded by a process of its own,
/// `touchtone-pictures`, which has little memory and time, and can open neither files nor sockets.
enum PictureDecoder {
    /// The thread that waits for one process at a time: several at once would occupy all processors.
    static let thread = BackgroundThread("pictures")

    enum Result: String {
        /// Pixels, of which the longer side has at most `side`.
        case fit
        /// The middle of the picture, as a square of `side` pixels.
        case square
        /// A file whose longer side has at most `side` pixels, as a JPEG unless it is transparent.
        case jpeg
        /// The same, as a PNG.
        case png
        /// The texts of the QR codes in a picture of at most `side`.
        case codes
    }

    /// Decodes a picture on `thread`, to a `side` in pixels (see `Result`), if `fits` accepts its stated size.
    ///
    /// Nil if it is not a PNG, JPEG, GIF or WebP picture, or takes too much memory or time.
    static func decoded(
        _ file: [UInt8], as result: Result, side: Int, fits: (_ width: Int, _ height: Int) -> Bool
    ) -> [UInt8]? {
        guard side > 0, let still = StillPicture(file), fits(still.width, still.height) else { return nil }
        let numbers = [still.width, still.height, Int(still.orientation ?? 1), side]
        return PictureProcess.run(
            [still.format.rawValue, result.rawValue] + numbers.map(String.init), input: still.bytes,
            maximum: maximumOutput(result, still, side))
    }

    /// Decodes a picture to pixels, of which the caller owns the reference.
    static func pixels(
        _ file: [UInt8], as result: Result, side: Int, fits: (_ width: Int, _ height: Int) -> Bool
    ) -> OpaquePointer? {
        guard let bytes = decoded(file, as: result, side: side, fits: fits), bytes.count > 12 else {
            return nil
        }
        let header = bytes.withUnsafeBytes { bytes in
            (0..<3).map { Int(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        }
        let (width, height, channels) = (header[0], header[1], header[2])
        guard (1...side).contains(width), (1...side).contains(height), (3...4).contains(channels),
            bytes.count == 12 + width * height * channels
        else { return nil }
        let data = bytes.withUnsafeBytes {
            g_bytes_new($0.baseAddress?.advanced(by: 12), gsize($0.count - 12))
        }
        defer { g_bytes_unref(data) }
        return gdk_pixbuf_new_from_bytes(
            data, GDK_COLORSPACE_RGB, channels == 4 ? 1 : 0, 8, gint(width), gint(height),
            gint(width * channels))
    }

    private static func maximumOutput(_ result: Result, _ still: StillPicture, _ side: Int) -> Int {
        if result == .codes { return 1 << 14 }
        let pixels = side.multipliedReportingOverflow(by: side)
        let greatest = 1 << 28
        return (pixels.overflow ? greatest : min(greatest, pixels.partialValue * 4)) + (1 << 16)
    }
}

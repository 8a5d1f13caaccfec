// SPDX-License-Identifier: GPL-3.0-or-later

/// A square picture beside a notification, from an untrusted file.
public struct NotePicture: Hashable, Sendable {
    /// The length of a side, in pixels.
    let side: Int
    /// The number of bytes of a pixel: three, or four with an alpha channel.
    let channels: Int
    let pixels: [UInt8]

    /// The greatest side, in pixels; servers show such pictures smaller.
    private static let side = 96

    /// Decodes a file on a background thread, after earlier pictures; nil if it is no picture, or too large.
    public static func read(_ file: [UInt8]) async -> NotePicture? {
        await PictureDecoder.thread.run {
            guard file.count <= PictureFile.maximumBytes,
                let bytes = PictureDecoder.decoded(
                    file, as: .square, side: side, fits: { max($0, $1) <= 2048 })
            else { return nil }
            return NotePicture(decoded: bytes)
        }
    }

    /// Reads the answer of the process, which a picture may have broken: width, height and channels, then the pixels.
    init?(decoded bytes: [UInt8]) {
        guard bytes.count > 12 else { return nil }
        let header = bytes.withUnsafeBytes { bytes in
            (0..<3).map { Int(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        }
        guard header[0] == header[1], (1...Self.side).contains(header[0]), (3...4).contains(header[2]),
            bytes.count == 12 + header[0] * header[1] * header[2]
        else { return nil }
        (side, channels, pixels) = (header[0], header[2], Array(bytes.dropFirst(12)))
    }

    /// The value of the hint `image-data`.
    var hint: Variant {
        .tuple([
            .int32(Int32(side)), .int32(Int32(side)), .int32(Int32(side * channels)), .bool(channels == 4),
            .int32(8), .int32(Int32(channels)), .bytes(pixels),
        ])
    }
}

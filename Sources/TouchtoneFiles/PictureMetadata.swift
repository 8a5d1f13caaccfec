// SPDX-License-Identifier: GPL-3.0-or-later

/// The removal of metadata, such as the place of a photograph, from pictures.
///
/// A picture is copied without being decoded, and only the parts that its pixels need are kept: an unknown part may tell
/// anything. Exiv2 instead removes the parts that it knows, and leaves the texts in a PNG file and whatever follows the
/// end of a JPEG file, such as a second picture with its own place.
enum PictureMetadata {
    /// The greatest size of a picture, in bytes.
    static let maximumBytes: Int64 = 64 << 20

    private static let jpeg: [UInt8] = [0xff, 0xd8, 0xff]

    /// Returns whether a file is a picture, by its first bytes or its media type; an unknown format may be one.
    static func isPicture(_ start: [UInt8], mediaType: String) -> Bool {
        let brand = start.dropFirst(4).prefix(8)
        // HEIF, AVIF and the like; TIFF and raw files.
        let isHEIF = ["ftyphe", "ftypmi", "ftypms", "ftypav"].contains { brand.starts(with: $0.utf8) }
        let isTIFF = start.starts(with: Array("II*\0".utf8)) || start.starts(with: Array("MM\0*".utf8))
        return mediaType.lowercased().hasPrefix("image/") || isHEIF || isTIFF || start.starts(with: jpeg)
            || start.starts(with: PNGFile.signature) || WebPFile.isWebP(start)
            || start.starts(with: Array("GIF8".utf8))
    }

    /// Returns a copy of a picture without metadata, except for its orientation; nil if its format is unknown or invalid.
    static func removed(from bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: jpeg) { return JPEGFile.clean(bytes) }
        if bytes.starts(with: PNGFile.signature) { return PNGFile.clean(bytes) }
        if WebPFile.isWebP(bytes) { return WebPFile.clean(bytes) }
        if bytes.starts(with: Array("GIF8".utf8)) { return GIFFile.clean(bytes) }
        return nil
    }
}

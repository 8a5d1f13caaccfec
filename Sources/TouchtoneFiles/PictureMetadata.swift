// SPDX-License-Identifier: GPL-3.0-or-later

internal import PictureFormats

/// The removal of metadata, such as the place of a photograph, from pictures.
///
/// A picture is copied without being decoded, and only the parts that its pixels need are kept: an unknown part may tell
/// anything. Exiv2 instead removes the parts that it knows, and leaves the texts in a PNG file and whatever follows the
/// end of a JPEG file, such as a second picture with its own place.
enum PictureMetadata {
    static let maximumBytes: Int64 = 64 << 20

    /// Returns whether a file is a picture, by its first bytes or its media type; an unknown format may be one.
    static func isPicture(_ start: [UInt8], mediaType: String) -> Bool {
        let brand = start.dropFirst(4).prefix(8)
        // HEIF, AVIF and the like; TIFF and raw files.
        let isHEIF = ["ftyphe", "ftypmi", "ftypms", "ftypav"].contains { brand.starts(with: $0.utf8) }
        let isTIFF = start.starts(with: Array("II*\0".utf8)) || start.starts(with: Array("MM\0*".utf8))
        return mediaType.lowercased().hasPrefix("image/") || isHEIF || isTIFF
            || PictureFormat(of: start) != nil
    }

    /// Returns a copy of a picture without metadata, except for its orientation; nil if its format is unknown or invalid.
    static func removed(from bytes: [UInt8]) -> [UInt8]? {
        switch PictureFormat(of: bytes) {
        case .jpeg: JPEGFile.clean(bytes)
        case .png: PNGFile.clean(bytes)
        case .webp: WebPFile.clean(bytes)
        case .gif: GIFFile.clean(bytes)
        case nil: nil
        }
    }
}

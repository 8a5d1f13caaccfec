// SPDX-License-Identifier: GPL-3.0-or-later

/// The formats of pictures that the phone shows.
package enum PictureFormat: String, CaseIterable, Hashable, Sendable {
    case png, jpeg, gif, webp

    /// Finds the format by the first bytes of a file, whatever its name or media type says; nil if it is another one.
    package init?(of bytes: [UInt8]) {
        if bytes.starts(with: PNGFile.signature) {
            self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: Array("GIF8".utf8)) {
            self = .gif
        } else if WebPFile.isWebP(bytes) {
            self = .webp
        } else {
            return nil
        }
    }
}

/// An untrusted picture file, reduced to what the pixels of its first frame need.
///
/// A decoder never sees texts, profiles, thumbnails, later frames and unknown parts, which it would inflate or keep in
/// memory. The size is read here, so that a picture that is too large reaches no decoder.
package struct StillPicture: Hashable, Sendable {
    package let format: PictureFormat
    /// The size that the file states, in pixels, before its orientation is applied.
    package let width, height: Int
    /// The orientation of Exif, from 2 to 8, which `bytes` does not tell; nil for upright.
    package let orientation: UInt8?
    /// A file with only the parts that the pixels need.
    package let bytes: [UInt8]

    struct Parts {
        var width, height: Int
        var orientation: UInt8?
        var bytes: [UInt8]
    }

    /// Reduces a file; nil if it is of no such format, invalid, cut off, empty, or would take too much work.
    package init?(_ file: [UInt8]) {
        guard let format = PictureFormat(of: file) else { return nil }
        let parts =
            switch format {
            case .png: PNGFile.still(file)
            case .jpeg: JPEGFile.still(file)
            case .gif: GIFFile.still(file)
            case .webp: WebPFile.still(file)
            }
        guard let parts, parts.width > 0, parts.height > 0 else { return nil }
        (self.format, width, height) = (format, parts.width, parts.height)
        (orientation, bytes) = (parts.orientation, parts.bytes)
    }
}

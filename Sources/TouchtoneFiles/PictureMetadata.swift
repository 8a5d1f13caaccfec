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

/// The orientation in Exif data (Exif 2.32, and TIFF 6.0 section 2).
enum Orientation {
    /// Returns the orientation from 2 to 8; nil if there is none, or it is upright.
    static func read(_ exif: ArraySlice<UInt8>) -> UInt8? {
        let isLittle = exif.starts(with: Array("II*\0".utf8))
        guard isLittle || exif.starts(with: Array("MM\0*".utf8)) else { return nil }
        func number(at offset: Int, bytes: Int) -> Int? {
            guard offset >= 0, offset <= exif.count - bytes else { return nil }
            let field = exif.dropFirst(offset).prefix(bytes)
            return (isLittle ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else {
            return nil
        }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = number(at: entry, bytes: 2) else { return nil }
            guard tag == 0x112 else { continue }
            guard number(at: entry + 2, bytes: 2) == 3, let value = number(at: entry + 8, bytes: 2),
                (2...8).contains(value)
            else { return nil }
            return UInt8(value)
        }
        return nil
    }

    /// Returns Exif data with nothing but an orientation.
    static func exif(_ orientation: UInt8) -> [UInt8] {
        Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
            + [0, 0, 0, 0]
    }
}

/// A position in untrusted bytes.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    /// Returns the next byte, and moves past it; nil at the end.
    mutating func byte() -> UInt8? { take(1)?.first }

    /// Returns the next bytes, and moves past them; nil if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Returns the next number of the given bytes, and moves past it; nil at the end.
    mutating func number(bytes count: Int, isLittle: Bool = false) -> Int? {
        guard let field = take(count) else { return nil }
        return (isLittle ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the bytes from a position to the current one.
    func since(_ start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

    /// Moves past all bytes up to the next that fulfils a condition.
    mutating func skip(while condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
    }

    /// Moves to the next marker behind the compressed data of a JPEG scan, and returns false if there is none.
    mutating func skipScan() -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            while position + 1 < bytes.count {
                // An escaped byte and the restart markers belong to the data.
                if bytes[position] == 0xff, bytes[position + 1] != 0, bytes[position + 1] != 0xff,
                    !(0xd0...0xd7).contains(bytes[position + 1])
                {
                    return true
                }
                position += 1
            }
            position = bytes.count
            return false
        }
    }
}

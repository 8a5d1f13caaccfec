// SPDX-License-Identifier: GPL-3.0-or-later

/// The chunks of a WebP file (RFC 9649 section 2).
package enum WebPFile {
    private static let frames: Set<String> = ["ALPH", "VP8 ", "VP8L"]
    /// The flags of the extended header that say that there is a profile, transparency or an animation, and Exif data.
    private static let (keptFlags, exifFlag): (UInt8, UInt8) = (0b0011_0010, 0b0000_1000)

    package static func isWebP(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    /// Returns a copy without metadata; nil if the file is invalid.
    package static func clean(_ bytes: [UInt8]) -> [UInt8]? {
        guard let content = content(of: bytes), let chunks = chunks(in: content) else { return nil }
        let orientation = chunks.first { $0.name == "EXIF" }.flatMap { self.orientation(in: $0.data) }
        var kept = Array("WEBP".utf8)
        for (name, data) in chunks {
            switch name {
            case "VP8X":
                guard let flags = data.first else { return nil }
                let exif = orientation == nil ? 0 : exifFlag
                kept += chunk(name, [flags & keptFlags | exif] + data.dropFirst())
            // A frame of an animation has chunks of its own, after 16 bytes.
            case "ANMF":
                guard let parts = self.chunks(in: data.dropFirst(16)) else { return nil }
                let pixels = parts.filter { frames.contains($0.name) }.flatMap {
                    chunk($0.name, Array($0.data))
                }
                kept += chunk(name, data.prefix(16) + pixels)
            case "ICCP", "ANIM",
                _ where frames.contains(name):
                kept += chunk(name, Array(data))
            default: continue
            }
        }
        if let orientation, chunks.first?.name == "VP8X" {
            kept += chunk("EXIF", Orientation.exif(orientation))
        }
        return Array("RIFF".utf8) + little(kept.count) + kept
    }

    private static func chunks(in bytes: ArraySlice<UInt8>) -> [ByteReader.WebPChunk]? {
        var (reader, chunks) = (ByteReader(Array(bytes)), [ByteReader.WebPChunk]())
        while !reader.isAtEnd {
            guard let chunk = reader.webPChunk() else { return nil }
            chunks.append(chunk)
        }
        return chunks
    }

    /// Returns the chunks of a file as bytes; nil if it is cut off.
    static func content(of file: [UInt8]) -> ArraySlice<UInt8>? {
        var reader = ByteReader(file)
        guard reader.take(4) != nil, let size = reader.number(bytes: 4, isLittle: true), size >= 4 else {
            return nil
        }
        return reader.take(size)?.dropFirst(4)
    }

    /// Returns the orientation in a chunk of Exif data, which some programs begin as in JPEG files.
    static func orientation(in data: ArraySlice<UInt8>) -> UInt8? {
        let isPrefixed = data.starts(with: JPEGFile.exif)
        return Orientation.read(isPrefixed ? data.dropFirst(JPEGFile.exif.count) : data)
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        name.utf8 + little(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    static func little(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { Array($0) }
    }
}

extension ByteReader {
    typealias WebPChunk = (name: String, data: ArraySlice<UInt8>)

    /// Returns the next chunk of a WebP file, and moves past it; nil at the end.
    mutating func webPChunk() -> WebPChunk? {
        guard let name = take(4), let size = number(bytes: 4, isLittle: true), let data = take(size) else {
            return nil
        }
        if size % 2 == 1 { _ = byte() }
        return (String(decoding: name, as: UTF8.self), data)
    }
}

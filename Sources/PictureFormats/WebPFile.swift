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
        var reader = ByteReader(bytes)
        guard reader.take(4) != nil, let size = reader.number(bytes: 4, isLittle: true), size >= 4,
            let content = reader.take(size), let chunks = chunks(in: content.dropFirst(4))
        else { return nil }
        let orientation = chunks.first { $0.name == "EXIF" }.flatMap {
            let prefix = Array("Exif\0\0".utf8)
            return Orientation.read($0.data.starts(with: prefix) ? $0.data.dropFirst(prefix.count) : $0.data)
        }
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

    private static func chunks(in bytes: ArraySlice<UInt8>) -> [(name: String, data: ArraySlice<UInt8>)]? {
        var (reader, chunks) = (ByteReader(Array(bytes)), [(name: String, data: ArraySlice<UInt8>)]())
        while !reader.isAtEnd {
            guard let name = reader.take(4), let size = reader.number(bytes: 4, isLittle: true),
                let data = reader.take(size)
            else { return nil }
            if size % 2 == 1 { _ = reader.byte() }
            chunks.append((String(decoding: name, as: UTF8.self), data))
        }
        return chunks
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        name.utf8 + little(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    static func little(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { Array($0) }
    }
}

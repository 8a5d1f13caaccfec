// SPDX-License-Identifier: GPL-3.0-or-later

/// The segments of a JPEG file (ITU-T T.81 annex B).
package enum JPEGFile {
    static let exif = Array("Exif\0\0".utf8)

    /// Returns a copy without metadata; nil if the file is invalid.
    package static func clean(_ bytes: [UInt8]) -> [UInt8]? {
        var (reader, kept, orientation) = (ByteReader(bytes), [UInt8](), UInt8?.none)
        guard reader.take(2) != nil else { return nil }
        var (head, hasScan) = ([UInt8](), false)
        while let (marker, payload, segment) = reader.jpegSegment() {
            switch marker {
            // The end. Whatever follows is no part of the picture.
            case 0xd9:
                guard hasScan else { return nil }
                return whole(head, orientation, kept)
            case 0xd8: return nil
            // JFIF without its thumbnail.
            case 0xe0 where payload.count >= 14 && payload.starts(with: Array("JFIF\0".utf8)):
                head = [0xff, 0xe0, 0, 16] + payload.prefix(12) + [0, 0]
            case 0xe1 where orientation == nil && payload.starts(with: exif):
                orientation = Orientation.read(payload.dropFirst(exif.count))
            // The meaning of the colours: a profile, and Adobe's transformation.
            case 0xe2 where payload.starts(with: Array("ICC_PROFILE\0".utf8)),
                0xee where payload.starts(with: Array("Adobe".utf8)):
                kept += segment
            // Frames, tables and restart intervals.
            case 0xc0...0xcf, 0xdb...0xdf: kept += segment
            case 0xda:
                kept += segment
                let start = reader.position
                let isFollowed = reader.skipScan()
                kept += reader.since(start)
                hasScan = true
                // Some cameras leave the end out.
                if !isFollowed { return whole(head, orientation, kept) }
            default: continue
            }
        }
        return nil
    }

    private static func whole(_ head: [UInt8], _ orientation: UInt8?, _ kept: [UInt8]) -> [UInt8] {
        [0xff, 0xd8] + head + segment(orientation) + kept + [0xff, 0xd9]
    }

    private static func segment(_ orientation: UInt8?) -> [UInt8] {
        guard let orientation else { return [] }
        let payload = exif + Orientation.exif(orientation)
        return [0xff, 0xe1, 0, UInt8(payload.count + 2)] + payload
    }
}

extension ByteReader {
    /// Returns the next segment of a JPEG file, and moves past it; nil if none is whole.
    ///
    /// A start (0xd8) and an end (0xd9) have no payload.
    mutating func jpegSegment() -> (marker: UInt8, payload: ArraySlice<UInt8>, bytes: [UInt8])? {
        while true {
            // Decoders skip data between two segments.
            skip { $0 != 0xff }
            skip { $0 == 0xff }
            guard let marker = byte() else { return nil }
            switch marker {
            // Markers without a segment.
            case 0x01, 0xd0...0xd7: continue
            case 0xd8, 0xd9: return (marker, [], [])
            default:
                guard let length = number(bytes: 2), let payload = take(length - 2) else { return nil }
                return (marker, payload, [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + payload)
            }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

extension JPEGFile {
    /// The maximum number of scans, about ten in usual pictures: each is decoded for the whole picture, and a
    /// progressive picture of 10 KB can have a thousand.
    package static let maximumScans = 32
    /// The maximum number of tables; a scan has up to eight.
    private static let maximumTables = 8 * maximumScans

    /// Returns the size and the parts of the picture, with an end, because decoders then fill the rest
    /// instead of leaving it undefined; nil if the file is invalid or would take too much work.
    static func still(_ file: [UInt8]) -> StillPicture.Parts? {
        var (reader, kept) = (ByteReader(file), [UInt8]())
        var (size, orientation): ((width: Int, height: Int)?, UInt8?)
        var (scans, tables) = (0, 0)
        guard reader.take(2) != nil else { return nil }
        while let (marker, payload, segment) = reader.jpegSegment() {
            switch marker {
            case 0xd9: return whole(size, orientation, kept, scans)
            case 0xd8: return nil
            // The density, without a thumbnail, says that the colours are YCbCr.
            case 0xe0 where payload.count >= 14 && payload.starts(with: Array("JFIF\0".utf8)):
                if kept.isEmpty { kept += [0xff, 0xe0, 0, 16] + payload.prefix(12) + [0, 0] }
            case 0xe1 where payload.starts(with: exif):
                orientation = orientation ?? Orientation.read(payload.dropFirst(exif.count))
            // Adobe's segment says how the colours are coded.
            case 0xee where payload.starts(with: Array("Adobe".utf8)) && payload.count >= 12:
                tables += 1
                if tables <= maximumTables { kept += [0xff, 0xee, 0, 14] + payload.prefix(12) }
            case 0xc4, 0xcc, 0xdb, 0xdd:
                tables += 1
                guard tables <= maximumTables else { return nil }
                kept += segment
            // The frame, of which there is one.
            case 0xc0...0xcf where marker != 0xc8:
                var header = ByteReader(Array(payload.dropFirst()))
                guard size == nil, let height = header.number(bytes: 2), let width = header.number(bytes: 2)
                else { return nil }
                size = (width, height)
                kept += segment
            case 0xda:
                scans += 1
                guard size != nil, scans <= maximumScans else { return nil }
                kept += segment
                let start = reader.position
                let isFollowed = reader.skipScan()
                kept += reader.since(start)
                // Some cameras leave the end out.
                if !isFollowed { return whole(size, orientation, kept, scans) }
            default: continue
            }
        }
        return nil
    }

    private static func whole(
        _ size: (width: Int, height: Int)?, _ orientation: UInt8?, _ kept: [UInt8], _ scans: Int
    ) -> StillPicture.Parts? {
        guard let size, scans > 0 else { return nil }
        return .init(
            width: size.width, height: size.height, orientation: orientation,
            bytes: [0xff, 0xd8] + kept + [0xff, 0xd9])
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The blocks of a GIF file (GIF89a).
package enum GIFFile {
    /// Returns a copy without metadata; nil if the file is invalid.
    package static func clean(_ bytes: [UInt8]) -> [UInt8]? {
        var (reader, kept) = (ByteReader(bytes), [UInt8]())
        guard let header = reader.take(13), let flags = header.dropFirst(10).first,
            let colors = reader.take(tableSize(flags))
        else { return nil }
        kept += header + colors
        while let kind = reader.byte() {
            let start = reader.position
            switch kind {
            case 0x21:
                guard let label = reader.byte(), let first = reader.byte(),
                    let name = reader.take(Int(first)),
                    first == 0 || skipBlocks(&reader)
                else { return nil }
                // The time of a frame, and the repetitions of an animation. Comments and XMP are left out.
                let isKept =
                    label == 0xf9
                    || label == 0xff
                        && ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(String(decoding: name, as: UTF8.self))
                if isKept { kept += [kind] + reader.since(start) }
            case 0x2c:
                guard let frame = reader.take(9), let flags = frame.last,
                    reader.take(tableSize(flags) + 1) != nil,
                    skipBlocks(&reader)
                else { return nil }
                kept += [kind] + reader.since(start)
            // The end. Whatever follows is no part of the picture.
            case 0x3b: return kept + [kind]
            default: return nil
            }
        }
        return nil
    }

    /// Returns the size of the colour table that flags describe, in bytes.
    static func tableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// Moves past a sequence of blocks, up to and including the empty one; false if the end is missing.
    static func skipBlocks(_ reader: inout ByteReader) -> Bool {
        while let size = reader.byte() {
            if size == 0 { return true }
            guard reader.take(Int(size)) != nil else { return false }
        }
        return false
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The orientation in Exif data (Exif 2.32, and TIFF 6.0 section 2).
package enum Orientation {
    /// Returns the orientation from 2 to 8; nil if there is none, or it is upright.
    package static func read(_ exif: ArraySlice<UInt8>) -> UInt8? {
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
    package static func exif(_ orientation: UInt8) -> [UInt8] {
        Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
            + [0, 0, 0, 0]
    }
}

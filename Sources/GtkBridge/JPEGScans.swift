// SPDX-License-Identifier: GPL-3.0-or-later

/// The scans of a JPEG (ITU-T T.81 section B.1): each is worked through for the whole picture, whatever its size in bytes.
///
/// A progressive picture of 10 KB can have a thousand of them.
enum JPEGScans {
    /// The greatest number of scans of a picture that is read; those of cameras and programs have about ten.
    static let maximum = 32

    /// Whether a file has no more scans than are read.
    ///
    /// It is read as a decoder does, so that what looks like a scan inside another segment is none.
    static func areFew(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var (index, count) = (2, 0)
            while let marker = nextMarker(in: bytes, &index) {
                switch marker {
                // The end of the picture.
                case 0xd9: return true
                // A restart in a scan, a beginning, and the one without a use: they have no length.
                case 0xd0...0xd8, 0x01: continue
                default: break
                }
                if marker == 0xda {
                    count += 1
                    guard count <= maximum else { return false }
                }
                guard index + 1 < bytes.count else { return true }
                let length = Int(bytes[index]) << 8 | Int(bytes[index + 1])
                // A decoder gives up here.
                guard length >= 2 else { return true }
                index += length
            }
            return true
        }
    }

    /// The next marker at or after an index, which is moved behind it; nil at the end.
    private static func nextMarker(in bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt8? {
        while index + 1 < bytes.count {
            defer { index += 1 }
            // 0xFF before 0 is a byte of a scan's data, and before another it only fills up.
            guard bytes[index] == 0xff, bytes[index + 1] != 0, bytes[index + 1] != 0xff else { continue }
            index += 1
            return bytes[index]
        }
        return nil
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The scans of a JPEG file (ITU-T T.81 section B.1).
///
/// Each scan is decoded for the whole picture, whatever its size in bytes.
///
/// A progressive picture of 10 KB can have a thousand of them.
enum JPEGScans {
    /// The maximum number of scans that is accepted; pictures from cameras and programs have about ten.
    static let maximum = 32

    /// Returns whether a file has an acceptable number of scans.
    ///
    /// The segments are skipped as in a decoder, so that bytes inside a segment are not mistaken for a scan.
    static func areFew(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var (index, count) = (2, 0)
            while let marker = nextMarker(in: bytes, &index) {
                switch marker {
                // End of image.
                case 0xd9: return true
                // RSTn, SOI and TEM have no length.
                case 0xd0...0xd8, 0x01: continue
                default: break
                }
                if marker == 0xda {
                    count += 1
                    guard count <= maximum else { return false }
                }
                guard index + 1 < bytes.count else { return true }
                let length = Int(bytes[index]) << 8 | Int(bytes[index + 1])
                // A decoder stops here.
                guard length >= 2 else { return true }
                index += length
            }
            return true
        }
    }

    /// Returns the next marker at or after an index, and moves the index behind it; returns nil at the end.
    private static func nextMarker(in bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt8? {
        while index + 1 < bytes.count {
            defer { index += 1 }
            // 0xFF before 0 is a byte of a scan's data, and 0xFF before 0xFF is padding.
            guard bytes[index] == 0xff, bytes[index + 1] != 0, bytes[index + 1] != 0xff else { continue }
            index += 1
            return bytes[index]
        }
        return nil
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The chunks of a PNG file (RFC 2083, and the third edition of the W3C).
package enum PNGFile {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// The chunks that the pixels need, including those of animations.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI",
        "sBIT",
        "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
    ]

    /// Returns a copy without metadata; nil if the file is invalid.
    package static func clean(_ bytes: [UInt8]) -> [UInt8]? {
        var (reader, header, rest) = (ByteReader(bytes), [UInt8](), [UInt8]())
        var orientation: UInt8?
        guard reader.take(signature.count) != nil else { return nil }
        while true {
            let start = reader.position
            guard let length = reader.number(bytes: 4), let type = reader.take(4),
                let data = reader.take(length),
                reader.take(4) != nil
            else { return nil }
            let name = String(decoding: type, as: UTF8.self)
            guard header.isEmpty == (name == "IHDR") else { return nil }
            switch name {
            case "IHDR": header = Array(reader.since(start))
            case "eXIf": orientation = Orientation.read(data)
            case _ where kept.contains(name): rest += reader.since(start)
            // Without an unknown chunk in capitals, the picture would differ.
            default: if type.first.map({ $0 & 0x20 == 0 }) != false { return nil }
            }
            // Whatever follows the end is no part of the picture.
            if name == "IEND" { return signature + header + chunk(orientation) + rest }
        }
    }

    private static func chunk(_ orientation: UInt8?) -> [UInt8] {
        guard let orientation else { return [] }
        let data = Orientation.exif(orientation)
        let typed = Array("eXIf".utf8) + data
        return [0, 0, 0, UInt8(data.count)] + typed
            + withUnsafeBytes(of: checksum(typed).bigEndian) { Array($0) }
    }

    /// Returns the CRC of a chunk's type and data (RFC 2083 section 15).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xedb8_8320 ^ sum >> 1 : sum >> 1 }
        }
    }
}

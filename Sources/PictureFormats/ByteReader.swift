// SPDX-License-Identifier: GPL-3.0-or-later

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

    func since(_ start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

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

// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The length of a file of Ogg Opus (RFC 7845), as far as it was written: the position of its last whole page.
///
/// libsndfile would read it too, but refuses some files that end in the middle, as after a crash.
enum OpusLength {
    /// More than the longest page (RFC 3533), in which there is the beginning of a last one.
    private static let tailSize = 2 * 65_307
    private static let rate: Int64 = 48_000

    static func read(from descriptor: Int32) -> Duration? {
        let size = Int64(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else { return nil }
        let tail = bytes(of: descriptor, from: max(0, size - Int64(tailSize)), count: tailSize)
        return length(head: bytes(of: descriptor, from: 0, count: 64), tail: tail)
    }

    /// Returns the length of a file by its first and its last bytes.
    static func length(head: [UInt8], tail: [UInt8]) -> Duration? {
        // The first page has one packet, “OpusHead”, after a header of 27 bytes and one segment.
        guard head.starts(with: Array("OggS".utf8)), head.count >= 47,
            head[28...].starts(with: Array("OpusHead".utf8))
        else { return nil }
        let skipped = Int64(head[38]) | Int64(head[39]) << 8
        guard let last = lastPosition(in: tail) else { return nil }
        let samples = max(0, last - skipped)
        // A damaged position must not become a length of years.
        guard samples < rate * 86_400 else { return nil }
        return .milliseconds(samples * 1000 / rate)
    }

    /// Returns the position of the last page of which all was written.
    private static func lastPosition(in tail: [UInt8]) -> Int64? {
        var place = tail.count - 27
        while place >= 0 {
            defer { place -= 1 }
            guard tail[place] == UInt8(ascii: "O"), tail[place...].starts(with: Array("OggS".utf8)) else {
                continue
            }
            let segments = Int(tail[place + 26])
            guard place + 27 + segments <= tail.count else { continue }
            let content = tail[(place + 27)..<(place + 27 + segments)].reduce(0) { $0 + Int($1) }
            guard place + 27 + segments + content <= tail.count else { continue }
            var position: UInt64 = 0
            for index in (0..<8).reversed() { position = position << 8 | UInt64(tail[place + 6 + index]) }
            // No packet ends on a page with the position −1.
            guard position != .max, position < UInt64(Int64.max) else { continue }
            return Int64(position)
        }
        return nil
    }

    private static func bytes(of descriptor: Int32, from offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        return Array(bytes.prefix(max(0, read)))
    }
}

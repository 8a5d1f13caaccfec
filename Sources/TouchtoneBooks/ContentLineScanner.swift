// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import TouchtoneCore

/// A scanner that unfolds the lines of a vCard file, as bytes: some programs fold within characters.
struct ContentLineScanner {
    struct Line: Hashable {
        /// The bytes, possibly not all of them.
        var bytes: [UInt8]
        var isWhole = true
    }

    /// The maximum number of bytes read from a line: the largest picture in base64, and room for what is before it.
    static let maximumLineLength = ContactCard.maximumPhotoSize / 3 * 4 + 4096

    private let file: UnsafeBufferPointer<UInt8>
    private let bound: Int
    private var place = 0
    // The position of the next line feed, so that it is searched for only once, however many carriage returns come
    // first.
    private var lineFeed = -1

    /// Creates a scanner at the start of a file, which must outlive it.
    init(_ file: UnsafeBufferPointer<UInt8>, maximumLineLength: Int = ContentLineScanner.maximumLineLength) {
        (self.file, bound) = (file, maximumLineLength)
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Returns the next line that is not empty, or nil at the end of the file.
    mutating func next() -> Line? {
        while place < file.count {
            var line = Line(bytes: [])
            append(physicalLine(), to: &line)
            let isQuoted = Self.isQuotedPrintable(line.bytes)
            while place < file.count {
                let isFolded = file[place] == 0x20 || file[place] == 0x09
                // In version 2.1, quoted-printable text is folded with an equals sign at the end of the line.
                let isSoft = isQuoted && line.bytes.last == UInt8(ascii: "=")
                guard isFolded || isSoft else { break }
                if isSoft { line.bytes.removeLast() }
                if isFolded { place += 1 }
                append(physicalLine(), to: &line)
            }
            if !line.bytes.isEmpty {
                appendUnfolded(to: &line)
                return line
            }
        }
        return nil
    }

    /// Appends the lines of base64 that some programs do not indent; a property always has a colon, and base64 has none.
    private mutating func appendUnfolded(to line: inout Line) {
        var isPicture: Bool?
        while place < file.count {
            let start = place
            let range = physicalLine()
            let isMore =
                !range.isEmpty && range.allSatisfy { Self.isBase64(file[$0]) }
                && isPicture ?? (ContentLineHeader(line.bytes)?.isBase64 == true)
            guard isMore else { return place = start }
            isPicture = true
            append(range, to: &line)
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private func append(_ range: Range<Int>, to line: inout Line) {
        let room = bound - line.bytes.count
        if range.count > room { line.isWhole = false }
        line.bytes += file[range.prefix(room)]
    }

    /// Returns the bytes before the next line end: LF, CR LF or, in very old files, CR.
    private mutating func physicalLine() -> Range<Int> {
        guard place < file.count else { return place..<place }
        if lineFeed < place { lineFeed = index(of: 0x0A, in: place..<file.count) ?? file.count }
        let start = place
        guard let end = index(of: 0x0D, in: start..<lineFeed) else {
            place = min(lineFeed + 1, file.count)
            return start..<lineFeed
        }
        place = end + 1 == lineFeed ? min(lineFeed + 1, file.count) : end + 1
        return start..<end
    }

    private func index(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let base = file.baseAddress, !range.isEmpty,
            let found = memchr(base + range.lowerBound, Int32(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    }

    private static func isQuotedPrintable(_ line: [UInt8]) -> Bool {
        guard let equals = line.last, equals == UInt8(ascii: "=") else { return false }
        return ContentLineHeader(line)?.isQuotedPrintable == true
    }
}

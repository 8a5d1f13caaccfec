// SPDX-License-Identifier: GPL-3.0-or-later

extension WebPFile {
    /// Returns the size and the parts of the first frame; nil if it is invalid or cut off.
    static func still(_ file: [UInt8]) -> StillPicture.Parts? {
        guard let content = content(of: file) else { return nil }
        var chunks = ByteReader(Array(content))
        var (alpha, orientation): (ArraySlice<UInt8>?, UInt8?)
        var still: StillPicture.Parts?
        while !chunks.isAtEnd, let chunk = chunks.webPChunk() {
            switch chunk.name {
            // The first frame of an animation, whose parts follow 16 bytes.
            case "ANMF" where still == nil:
                var parts = ByteReader(Array(chunk.data.dropFirst(16)))
                while still == nil, !parts.isAtEnd, let part = parts.webPChunk() {
                    if part.name == "ALPH" { alpha = alpha ?? part.data }
                    still = picture(part, alpha)
                }
                if still == nil { return nil }
            case "ALPH" where still == nil: alpha = alpha ?? chunk.data
            case "EXIF" where orientation == nil: orientation = self.orientation(in: chunk.data)
            default: if still == nil { still = picture(chunk, alpha) }
            }
        }
        still?.orientation = orientation
        return still
    }

    /// Returns a file with the picture in a chunk; nil if the chunk has none.
    private static func picture(
        _ part: ByteReader.WebPChunk, _ alpha: ArraySlice<UInt8>?
    ) -> StillPicture.Parts? {
        let data = Array(part.data)
        let (width, height): (Int, Int)
        switch part.name {
        // RFC 6386 section 9.1.
        case "VP8 " where data.count >= 10 && data[3...5].elementsEqual([0x9d, 0x01, 0x2a]):
            width = (Int(data[6]) | Int(data[7]) << 8) & 0x3fff
            height = (Int(data[8]) | Int(data[9]) << 8) & 0x3fff
        // RFC 9649 section 3.4.
        case "VP8L" where data.count >= 5 && data[0] == 0x2f:
            let bits = (1...4).reduce(0) { $0 | Int(data[$1]) << (8 * ($1 - 1)) }
            (width, height) = (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
        default: return nil
        }
        guard width > 0, height > 0 else { return nil }
        var body = Array("WEBP".utf8)
        if let alpha, part.name == "VP8 " {
            let sides = [width - 1, height - 1].flatMap { side in
                (0..<3).map { UInt8(side >> (8 * $0) & 0xff) }
            }
            body += chunk("VP8X", [0x10, 0, 0, 0] + sides) + chunk("ALPH", Array(alpha))
        }
        body += chunk(part.name, data)
        return .init(
            width: width, height: height, orientation: nil,
            bytes: Array("RIFF".utf8) + little(body.count) + body)
    }
}

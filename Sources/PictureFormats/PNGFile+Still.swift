// SPDX-License-Identifier: GPL-3.0-or-later

extension PNGFile {
    /// Returns the size and the parts of the first picture; nil if the file is invalid or cut off.
    ///
    /// Texts and profiles are compressed, so that a small file can hold gigabytes of them, and frames of an animation
    /// (APNG) follow the first picture.
    static func still(_ file: [UInt8]) -> StillPicture.Parts? {
        var (reader, kept) = (ByteReader(file), signature)
        var (size, orientation): ((width: Int, height: Int)?, UInt8?)
        var seen: Set<String> = []
        guard reader.take(signature.count) != nil else { return nil }
        while true {
            let start = reader.position
            guard let length = reader.number(bytes: 4), let type = reader.take(4),
                let data = reader.take(length), reader.take(4) != nil
            else { return nil }
            let name = String(decoding: type, as: UTF8.self)
            guard (size == nil) == (name == "IHDR") else { return nil }
            switch name {
            case "IHDR":
                var header = ByteReader(Array(data))
                guard length == 13, let width = header.number(bytes: 4), let height = header.number(bytes: 4)
                else { return nil }
                size = (width, height)
            case "eXIf": orientation = orientation ?? Orientation.read(data)
            case "PLTE", "tRNS": guard seen.insert(name).inserted else { return nil }
            case "IDAT", "IEND": break
            // Without an unknown chunk in capitals, the picture would differ.
            default:
                guard type.first.map({ $0 & 0x20 != 0 }) == true else { return nil }
                continue
            }
            if name != "eXIf" { kept += reader.since(start) }
            if name == "IEND", let size {
                return .init(width: size.width, height: size.height, orientation: orientation, bytes: kept)
            }
        }
    }
}

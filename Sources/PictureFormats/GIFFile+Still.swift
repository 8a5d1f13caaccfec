// SPDX-License-Identifier: GPL-3.0-or-later

extension GIFFile {
    /// Returns the size and the parts of the first frame; nil if it is invalid or cut off.
    static func still(_ file: [UInt8]) -> StillPicture.Parts? {
        var reader = ByteReader(file)
        guard let header = reader.take(13), let flags = header.dropFirst(10).first,
            let colours = reader.take(tableSize(flags))
        else { return nil }
        var control: [UInt8] = []
        while let kind = reader.byte() {
            let start = reader.position
            switch kind {
            case 0x21:
                guard let label = reader.byte(), skipBlocks(&reader) else { return nil }
                // The transparency of the next frame.
                if label == 0xf9, reader.position - start == 7 { control = [kind] + reader.since(start) }
            case 0x2c:
                guard let frame = reader.take(9), let flags = frame.last,
                    reader.take(tableSize(flags) + 1) != nil, skipBlocks(&reader)
                else { return nil }
                guard let size = size(screen: header, frame: frame) else { return nil }
                let bytes = header + colours + control + [kind] + reader.since(start)
                return .init(width: size.width, height: size.height, orientation: nil, bytes: bytes + [0x3b])
            default: return nil
            }
        }
        return nil
    }

    /// Returns the size of the screen with the frame in it; nil if the frame is empty.
    private static func size(
        screen: ArraySlice<UInt8>, frame: ArraySlice<UInt8>
    ) -> (width: Int, height: Int)? {
        let width = word(frame, at: 4)
        let height = word(frame, at: 6)
        guard width > 0, height > 0 else { return nil }
        let right = word(frame, at: 0) + width
        let bottom = word(frame, at: 2) + height
        return (width: max(word(screen, at: 6), right), height: max(word(screen, at: 8), bottom))
    }

    private static func word(_ bytes: ArraySlice<UInt8>, at index: Int) -> Int {
        Int(bytes[bytes.startIndex + index]) | Int(bytes[bytes.startIndex + index + 1]) << 8
    }
}

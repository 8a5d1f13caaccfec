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
                let screen: [Int] = [6, 8].map { word(header, at: $0) }
                let numbers: [Int] = screen + [0, 2, 4, 6].map { word(frame, at: $0) }
                guard numbers[4] > 0, numbers[5] > 0 else { return nil }
                return .init(
                    width: max(numbers[0], numbers[2] + numbers[4]),
                    height: max(numbers[1], numbers[3] + numbers[5]), orientation: nil,
                    bytes: header + colours + control + [kind] + reader.since(start) + [0x3b])
            default: return nil
            }
        }
        return nil
    }

    private static func word(_ bytes: ArraySlice<UInt8>, at index: Int) -> Int {
        Int(bytes[bytes.startIndex + index]) | Int(bytes[bytes.startIndex + index + 1]) << 8
    }
}

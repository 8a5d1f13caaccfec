// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture of the user's to publish (XEP-0084): a PNG file, with what its header says.
struct OwnPicture {
    let bytes: [UInt8]
    /// The SHA-1 in lower-case hex, which is the id of the published item.
    let hash: String
    let width, height: Int

    /// Creates a picture; returns nil if it is not a PNG file, or too large to be shown by others.
    init?(_ bytes: [UInt8]) {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.count > 24, bytes.starts(with: header), bytes.count <= AvatarFetcher.maximumBytes,
            let hash = AvatarFetcher.hash(bytes)
        else { return nil }
        (self.bytes, self.hash) = (bytes, hash)
        (width, height) = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    var metadata: XMLElement {
        let info = XMLElement(
            "info", PubSub.avatarMetadata,
            [
                "id": hash, "type": "image/png", "bytes": "\(bytes.count)", "width": "\(width)",
                "height": "\(height)",
            ])
        return XMLElement("metadata", PubSub.avatarMetadata, [:], [info])
    }

    var data: XMLElement { XMLElement("data", PubSub.avatarData, text: Base64.encode(bytes)) }
}

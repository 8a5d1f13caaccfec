// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// The pictures in vCards, recognized by their first bytes, whatever the card says, and not decoded here.
enum VCardPhoto {
    enum Reading: Hashable {
        case photo([UInt8])
        case link(String)
        /// A picture of an unknown format, or one that is too large.
        case unknown
    }

    static func reading(_ line: ContentLine) -> Reading {
        if let bytes = line.bytes { return checked(bytes) }
        let text = line.text
        let scheme = text.utf8.prefix(5)
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "data:" else {
            return isLink(text) ? .link(text) : .unknown
        }
        // A data link (RFC 2397).
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")),
            String(decoding: text.utf8[..<comma], as: UTF8.self).lowercased().hasSuffix(";base64"),
            let bytes = Base64.decoded(text.utf8[text.utf8.index(after: comma)...])
        else { return .unknown }
        return checked(bytes)
    }

    /// Returns a picture as a line of the given version, without folds, or nil if the format is unknown.
    static func line(_ photo: [UInt8], version: VCardVersion) -> String? {
        guard let type = type(of: photo) else { return nil }
        switch version {
        case .three: return "PHOTO;ENCODING=b;TYPE=\(type):" + Base64.encoded(photo)
        case .four: return "PHOTO:data:image/\(type.lowercased());base64," + Base64.encoded(photo)
        }
    }

    static func isPhoto(_ bytes: [UInt8]) -> Bool {
        bytes.count <= ContactCard.maximumPhotoSize && type(of: bytes) != nil
    }

    private static func isLink(_ text: String) -> Bool {
        guard text.utf8.count <= 4096, let colon = text.firstIndex(of: ":") else { return false }
        return colon > text.startIndex
            && text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || "+-.".contains($0)) }
    }

    private static func checked(_ bytes: [UInt8]) -> Reading { isPhoto(bytes) ? .photo(bytes) : .unknown }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "JPEG" }
        if ["GIF87a", "GIF89a"].contains(where: { bytes.starts(with: $0.utf8) }) { return "GIF" }
        return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? "PNG" : nil
    }
}

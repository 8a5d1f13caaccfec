// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The description of a file by its sender (XEP-0446, and in the same elements XEP-0234), with its hash (XEP-0300) and
/// thumbnail (XEP-0264).
struct FileMetadata {
    static let namespace = "urn:xmpp:file:metadata:0"
    private static let thumbnails = "urn:xmpp:thumbs:1"

    private let element: XMLElement

    /// - Parameter element: The `file` of either namespace.
    init(_ element: XMLElement) { self.element = element }

    /// Returns the file at an address; nil if that cannot be used.
    ///
    /// - Parameter message: The message, which may contain the thumbnail (XEP-0231).
    func file(at url: String, in message: Message) -> SharedFile? {
        SharedFile(
            received: url, name: element.child("name")?.text,
            size: (element.child("size")?.text).flatMap { Int64($0) },
            mediaType: element.child("media-type")?.text, hash: hash, thumbnail: thumbnail(in: message))
    }

    /// Creates the element of a file of mine.
    static func element(of file: SharedFile) -> XMLElement {
        var parts = [XMLElement("name", namespace, text: file.name)]
        if !file.mediaType.isEmpty {
            parts.append(XMLElement("media-type", namespace, text: file.mediaType))
        }
        if let size = file.size { parts.append(XMLElement("size", namespace, text: "\(size)")) }
        if let hash = file.hash {
            parts.append(
                XMLElement(
                    "hash", FileDescription.hashes, ["algo": hash.function.rawValue],
                    text: Base64.encode(hash.bytes)))
        }
        if let thumbnail = file.thumbnail { parts.append(element(ofThumbnail: thumbnail)) }
        return XMLElement("file", namespace, [:], parts)
    }

    /// Creates the element of a PNG in Base64, with its size.
    private static func element(ofThumbnail text: String) -> XMLElement {
        let type = "image/png"
        // The first chunk begins with both sides.
        let header = Base64.decode(text)?.dropFirst(16).prefix(8) ?? []
        let sides = [header.prefix(4), header.dropFirst(4)].map { bytes in
            bytes.isEmpty ? nil : "\(bytes.reduce(0) { $0 << 8 | Int($1) })"
        }
        return XMLElement(
            "thumbnail", thumbnails,
            [
                "uri": "data:\(type);base64,\(text)", "media-type": type, "width": sides[0],
                "height": sides[1],
            ])
    }

    private var hash: FileHash? {
        let hashes = element.children("hash", FileDescription.hashes)
        for function in FileHash.Function.allCases {
            guard let stated = hashes.first(where: { $0["algo"] == function.rawValue }) else { continue }
            // A line may be broken within the text.
            let text = stated.text.filter { !$0.isWhitespace }
            if let bytes = Base64.decode(text), let hash = FileHash(function, bytes: bytes) { return hash }
        }
        return nil
    }

    /// Returns what to ask the sender for, because the message has the thumbnail only by its hash; nil for nothing.
    func missingThumbnail(in message: Message) -> BitsOfBinary? {
        guard thumbnail(in: message) == nil else { return nil }
        return addresses.lazy.compactMap { BitsOfBinary(address: $0) }.first
    }

    /// The addresses of the thumbnails.
    private var addresses: [String] {
        element.children("thumbnail", Self.thumbnails).prefix(4).compactMap { $0["uri"] }
    }

    /// Returns the thumbnail, if the message has it all.
    private func thumbnail(in message: Message) -> String? {
        for uri in addresses {
            if let text = Self.content(of: uri) { return text }
            guard uri.hasPrefix("cid:") else { continue }
            let id = uri.dropFirst(4)
            let data = message.extensions.lazy.filter { $0.isNamed("data", BitsOfBinary.namespace) }
            let text = data.first { $0["cid"].map { $0 == id } ?? false }?.text
            if let text = text.flatMap(Self.bounded) { return text }
        }
        return nil
    }

    /// Returns the Base64 of a `data:` address (RFC 2397); nil for any other, and if it is too long.
    private static func content(of uri: String) -> String? {
        guard uri.hasPrefix("data:image/"), let comma = uri.firstIndex(of: ","),
            uri[..<comma].hasSuffix(";base64")
        else { return nil }
        return bounded(String(uri[uri.index(after: comma)...]))
    }

    private static func bounded(_ text: String) -> String? {
        guard text.utf8.count <= 2 * SharedFile.maximumThumbnail else { return nil }
        let text = text.filter { !$0.isWhitespace }
        guard !text.isEmpty, text.utf8.count <= SharedFile.maximumThumbnail, Base64.decode(text) != nil else {
            return nil
        }
        return text
    }
}

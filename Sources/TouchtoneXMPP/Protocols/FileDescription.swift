// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// The description of a file that a device offers (XEP-0234), with its hash (XEP-0300).
struct FileDescription: Hashable, Sendable {
    static let namespace = "urn:xmpp:jingle:apps:file-transfer:5"
    static let hashes = "urn:xmpp:hashes:2"
    /// The feature of the only hash function that is supported.
    static let hashFeature = "urn:xmpp:hash-function-text-names:" + hashName
    private static let hashName = "sha-256"

    enum Hash: Hashable, Sendable {
        /// The sender computes none.
        case none
        /// The sender will state it at the end.
        case promised
        case known([UInt8])
    }

    /// The name that the sender states, of any content; may be empty.
    let name: String
    /// The size in bytes, not negative.
    let size: Int64
    let mediaType: String
    let hash: Hash

    /// Creates the description of a file whose hash follows.
    init(name: String, size: Int64, mediaType: String) {
        (self.name, self.size, self.mediaType, hash) = (name, size, mediaType, .promised)
    }

    /// Reads a description; returns nil if it is invalid, or has no size.
    init?(_ description: XMLElement) {
        guard description.isNamed("description", Self.namespace), let file = description.child("file"),
            let size = (file.child("size")?.text).flatMap({ Int64($0) }), size >= 0,
            let hash = Self.hash(in: file)
        else { return nil }
        name = file.child("name")?.text ?? ""
        (self.size, self.hash) = (size, hash)
        mediaType = file.child("media-type")?.text ?? ""
    }

    var element: XMLElement {
        var parts = [
            XMLElement("name", Self.namespace, text: name),
            XMLElement("size", Self.namespace, text: "\(size)"),
        ]
        if !mediaType.isEmpty { parts.append(XMLElement("media-type", Self.namespace, text: mediaType)) }
        if case .promised = hash {
            parts.append(XMLElement("hash-used", Self.hashes, ["algo": Self.hashName]))
        }
        return XMLElement(
            "description", Self.namespace, [:], [XMLElement("file", Self.namespace, [:], parts)])
    }

    /// Creates the message with the hash of a file (XEP-0234 section 6.2).
    static func checksum(_ bytes: [UInt8], of content: String) -> XMLElement {
        let hash = XMLElement("hash", hashes, ["algo": hashName], text: Base64.encode(bytes))
        return XMLElement(
            "checksum", namespace, ["creator": "initiator", "name": content],
            [XMLElement("file", namespace, [:], [hash])])
    }

    static func hash(inChecksum checksum: XMLElement) -> Hash? {
        checksum.child("file").flatMap { hash(in: $0) }
    }

    /// Reads the SHA-256 of a file; other functions are ignored.
    private static func hash(in file: XMLElement) -> Hash? {
        if let hash = file.children("hash", hashes).first(where: { $0["algo"] == hashName }) {
            guard let bytes = Base64.decode(hash.text), bytes.count == SCRAMHash.sha256.length else {
                return nil
            }
            return .known(bytes)
        }
        let isPromised = file.children("hash-used", hashes).contains { $0["algo"] == hashName }
        return isPromised ? .promised : Hash.none
    }
}

/// The SHA-256 of bytes that arrive in blocks.
final class RunningHash {
    private let checksum = g_checksum_new(G_CHECKSUM_SHA256)

    deinit { g_checksum_free(checksum) }

    func add(_ bytes: [UInt8]) { g_checksum_update(checksum, bytes, gssize(bytes.count)) }

    /// Returns the hash of all blocks; nothing may be added afterwards.
    func finish() -> [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: 32), gsize(32))
        g_checksum_get_digest(checksum, &bytes, &count)
        return bytes
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A stream of bytes in requests (XEP-0047), as the transport of a session (XEP-0261).
struct InBandBytestream: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/ibb"
    static let transport = "urn:xmpp:jingle:transports:ibb:1"
    /// The greatest number of bytes in a block: in Base64, it is less than the stanzas that servers allow.
    static let maximumBlockSize = 16_384

    let sid: String
    let blockSize: Int

    init(sid: String) { (self.sid, blockSize) = (sid, Self.maximumBlockSize) }

    /// Reads the transport of a content; greater blocks than `maximumBlockSize` are reduced to that.
    init?(in content: XMLElement) {
        guard let transport = content.child("transport", Self.transport),
            let sid = transport["sid"].flatMap(Jingle.bounded),
            let size = transport["block-size"].flatMap({ UInt16($0) }), size > 0
        else { return nil }
        (self.sid, blockSize) = (sid, min(Int(size), Self.maximumBlockSize))
    }

    var element: XMLElement {
        XMLElement("transport", Self.transport, ["block-size": "\(blockSize)", "sid": sid])
    }

    var open: XMLElement {
        XMLElement(
            "open", Self.namespace, ["block-size": "\(blockSize)", "sid": sid, "stanza": "iq"])
    }

    var close: XMLElement { XMLElement("close", Self.namespace, ["sid": sid]) }

    func data(_ bytes: [UInt8], sequence: UInt16) -> XMLElement {
        XMLElement(
            "data", Self.namespace, ["seq": "\(sequence)", "sid": sid], text: Base64.encode(bytes))
    }

    /// Returns whether a request opens the stream in requests, with blocks that are small enough.
    func isOpened(by request: XMLElement) -> Bool {
        guard let size = request["block-size"].flatMap({ UInt16($0) }), size > 0 else { return false }
        return size <= blockSize && (request["stanza"] ?? "iq") == "iq"
    }

    /// Reads a block; returns nil if it is invalid, empty or too large.
    func bytes(in data: XMLElement) -> [UInt8]? {
        guard let bytes = Base64.decode(data.text), (1...blockSize).contains(bytes.count) else { return nil }
        return bytes
    }
}

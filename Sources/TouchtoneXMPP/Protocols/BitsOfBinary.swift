// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Small data that is known by its hash, in a stanza or on request (XEP-0231).
struct BitsOfBinary: Hashable, Sendable {
    static let namespace = "urn:xmpp:bob"

    private static let (scheme, host) = ("cid:", "@bob.xmpp.org")
    private static let functions: [(name: String, hash: SCRAMHash)] = [
        ("sha1", .sha1), ("sha-1", .sha1), ("sha-256", .sha256),
    ]

    /// The id, such as `sha1+8f35fef110ffc5df08d579a50083ff9308fb6242@bob.xmpp.org`.
    let id: String
    private let function: SCRAMHash
    /// The hash, in hex.
    private let digest: String

    /// Reads the address of data; nil if it states no hash by which they can be checked.
    init?(address: String) {
        guard address.utf8.count <= 200, address.hasPrefix(Self.scheme), address.hasSuffix(Self.host) else {
            return nil
        }
        id = String(address.dropFirst(Self.scheme.count))
        let parts = id.dropLast(Self.host.count).split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, let function = Self.functions.first(where: { $0.name == parts[0] })?.hash,
            parts[1].utf8.count == 2 * function.length
        else { return nil }
        (self.function, digest) = (function, parts[1].lowercased())
    }

    /// The request for the data.
    var request: XMLElement { XMLElement("data", Self.namespace, ["cid": id]) }

    /// Returns the data in Base64, without blanks; nil unless the element has these and no others.
    ///
    /// - Parameter maximum: The greatest length of the Base64, in bytes.
    func content(of element: XMLElement, maximum: Int) -> String? {
        guard element.isNamed("data", Self.namespace), element.text.utf8.count <= 2 * maximum else {
            return nil
        }
        let text = element.text.filter { !$0.isWhitespace }
        guard !text.isEmpty, text.utf8.count <= maximum, let bytes = Base64.decode(text),
            function.hex(of: bytes) == digest
        else { return nil }
        return text
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// An entity's capabilities, as a hash in its presence (XEP-0115).
struct Capabilities: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/caps"

    /// The URI of the client software.
    let node: String
    /// The hash of the identities and features, in Base64.
    let version: String
    /// The name of the hash function; only `sha-1` is supported.
    let hash: String

    init?(in presence: Presence) {
        guard let element = presence.extensions.first(where: { $0.isNamed("c", Self.namespace) }),
            let node = element["node"], let version = element["ver"], let hash = element["hash"],
            // A query repeats both.
            node.utf8.count + version.utf8.count <= MessageReader.maximumIDLength
        else { return nil }
        (self.node, self.version, self.hash) = (node, version, hash)
    }

    init(node: String, of info: DiscoInfo) {
        self.node = node
        version = Self.hash(of: info)
        hash = "sha-1"
    }

    var element: XMLElement {
        XMLElement("c", Self.namespace, ["hash": hash, "node": node, "ver": version])
    }

    /// Computes the hash of a response (XEP-0115 section 5.1).
    static func hash(of info: DiscoInfo) -> String {
        var text = info.identities.map { "\($0.category)/\($0.type)/\($0.language)/\($0.name)<" }
            .sorted(by: isBefore).joined()
        text += info.features.sorted(by: isBefore).map { "\($0)<" }.joined()
        for (type, fields) in info.forms.sorted(by: { isBefore($0.key, $1.key) }) {
            text += "\(type)<"
            for (name, values) in fields.sorted(by: { isBefore($0.key, $1.key) }) where name != "FORM_TYPE" {
                text += "\(name)<" + values.sorted(by: isBefore).map { "\($0)<" }.joined()
            }
        }
        return (try? SCRAMHash.sha1.hash(Array(text.utf8))).map { Base64.encode($0) } ?? ""
    }

    /// Compares by bytes (RFC 4790, i;octet), not by the rules of a language.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

enum OwnCapabilities {
    static let node = "io.github.touchtone.Touchtone"

    /// The response to a service discovery query of a device that can do everything.
    static let info = info(with: XMPPAccountSession.moduleList.flatMap(\.features))

    static var element: XMLElement { element(of: info) }

    /// Returns the response to a service discovery query.
    ///
    /// Other clients rely on the features, and send invitations, for example, that a person should see.
    static func info(with features: [String]) -> DiscoInfo {
        DiscoInfo(
            identities: [DiscoInfo.Identity(category: "client", type: "phone", name: "Touchtone")],
            features: Set(features).union([DiscoInfo.namespace, Capabilities.namespace, Ping.namespace]))
    }

    static func element(of info: DiscoInfo) -> XMLElement { Capabilities(node: node, of: info).element }
}

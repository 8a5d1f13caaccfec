// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// What an entity can do, told with its presence by a hash (XEP-0115).
public struct Capabilities: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/caps"

    /// The program.
    public let node: String
    /// The hash of what it can do, in Base64.
    public let version: String
    /// The hash's name; only `sha-1` is used.
    public let hash: String

    /// Reads them from a presence; nil where there are none.
    public init?(in presence: Presence) {
        guard let element = presence.extensions.first(where: { $0.isNamed("c", Self.namespace) }),
            let node = element["node"], let version = element["ver"], let hash = element["hash"]
        else { return nil }
        (self.node, self.version, self.hash) = (node, version, hash)
    }

    /// Those of an answer.
    public init(node: String, of info: DiscoInfo) {
        self.node = node
        version = Self.hash(of: info)
        hash = "sha-1"
    }

    /// Whether an answer is what the hash stands for.
    ///
    /// One that is not must not be kept for others with that hash: it would be put into their mouths (section 5.4).
    public func isOf(_ info: DiscoInfo) -> Bool { hash == "sha-1" && version == Self.hash(of: info) }

    /// What a presence carries.
    public var element: XMLElement {
        XMLElement("c", Self.namespace, ["hash": hash, "node": node, "ver": version])
    }

    /// The hash of an answer (section 5.1).
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

    /// By bytes (RFC 4790, i;octet), not by the language's rules.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// What this program is and can do.
public enum OwnCapabilities {
    /// The program, by its name on the desktop.
    public static let node = "io.github.touchtone.Touchtone"

    /// The answer to a query: only the features that the program implements.
    ///
    /// Others send what is promised here, such as invitations, and believe that a person sees it.
    public static let info = DiscoInfo(
        identities: [DiscoInfo.Identity(category: "client", type: "phone", name: "Touchtone")],
        features: [
            DiscoInfo.namespace, Capabilities.namespace, Ping.namespace, Receipts.namespace,
            ChatState.namespace, Correction.namespace, ChatMarkers.namespace,
            PubSub.avatarMetadata + "+notify",
        ])

    /// What presence tells of it.
    public static var element: XMLElement { Capabilities(node: node, of: info).element }
}

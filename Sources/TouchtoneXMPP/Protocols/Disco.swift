// SPDX-License-Identifier: GPL-3.0-or-later

/// What an entity is and can do (XEP-0030).
public struct DiscoInfo: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/disco#info"

    /// What an entity is.
    public struct Identity: Hashable, Sendable {
        /// Such as `client`, `server`, `gateway`, `conference`.
        public let category: String
        /// Such as `phone`, `im`, `sms`, `text`.
        public let type: String
        /// For people; may be empty.
        public let name: String
        /// The language of the name; may be empty.
        public let language: String

        /// Creates one.
        public init(category: String, type: String, name: String = "", language: String = "") {
            self.category = category
            self.type = type
            self.name = name
            self.language = language
        }
    }

    /// What it is.
    public let identities: [Identity]
    /// The protocols that it has.
    public let features: Set<String>
    /// More about it, each field with its values, by the form's type (XEP-0128).
    public let forms: [String: [String: [String]]]

    /// Creates an answer.
    public init(identities: [Identity], features: Set<String>) {
        self.identities = identities
        self.features = features
        forms = [:]
    }

    /// Reads an answer; nil for what is none.
    public init?(_ query: XMLElement) {
        guard query.isNamed("query", Self.namespace) else { return nil }
        identities = query.children("identity").map { identity in
            let language = identity.attributes.first {
                $0.name == "lang" && $0.namespace == XMLElement.xmlNamespace
            }
            return Identity(
                category: identity["category"] ?? "", type: identity["type"] ?? "",
                name: identity["name"] ?? "",
                language: language?.value ?? "")
        }
        features = Set(query.children("feature").compactMap { $0["var"] })
        forms = DataForm.results(in: query)
    }

    /// The answer as it is sent.
    func element(node: String?) -> XMLElement {
        XMLElement(
            "query", Self.namespace, ["node": node],
            identities.map { identity in
                XMLElement(
                    "identity", Self.namespace,
                    ["category": identity.category, "type": identity.type, "name": identity.name])
            } + features.sorted().map { XMLElement("feature", Self.namespace, ["var": $0]) })
    }
}

/// What belongs to an entity (XEP-0030 section 4).
public struct DiscoItem: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/disco#items"

    /// Its address.
    public let jid: JID
    /// Its node; nil is none.
    public let node: String?
    /// For people; may be empty.
    public let name: String
}

/// The results in forms (XEP-0004).
enum DataForm {
    static let namespace = "jabber:x:data"

    /// The fields of each form that says its type.
    static func results(in element: XMLElement) -> [String: [String: [String]]] {
        var forms: [String: [String: [String]]] = [:]
        for form in element.children("x", namespace) where form["type"] == "result" {
            var fields: [String: [String]] = [:]
            for field in form.children("field") {
                guard let name = field["var"] else { continue }
                fields[name] = field.children("value").map(\.text)
            }
            if let type = fields["FORM_TYPE"]?.first { forms[type] = fields }
        }
        return forms
    }

    /// A form that is filled in.
    static func submission(_ type: String, _ fields: [(String, String?)]) -> XMLElement {
        let all = [("FORM_TYPE", type as String?)] + fields
        return XMLElement(
            "x", namespace, ["type": "submit"],
            all.compactMap { name, value in
                value.map { value in
                    XMLElement(
                        "field", namespace, ["var": name, "type": name == "FORM_TYPE" ? "hidden" : nil],
                        [XMLElement("value", namespace, text: value)])
                }
            })
    }
}

extension XMPPClient {
    /// Asks what an entity is and can do.
    public func info(of jid: JID?, node: String? = nil) async throws(RequestError) -> DiscoInfo {
        let answer = try await request(
            .get, to: jid, XMLElement("query", DiscoInfo.namespace, ["node": node]))
        guard let info = answer.flatMap({ DiscoInfo($0) }) else { throw .implausible }
        return info
    }

    /// Asks what belongs to an entity.
    public func items(of jid: JID, node: String? = nil) async throws(RequestError) -> [DiscoItem] {
        let answer = try await request(
            .get, to: jid, XMLElement("query", DiscoItem.namespace, ["node": node]))
        guard let answer, answer.isNamed("query", DiscoItem.namespace) else { throw .implausible }
        return answer.children("item").compactMap { item in
            item["jid"].flatMap { JID($0) }.map {
                DiscoItem(jid: $0, node: item["node"], name: item["name"] ?? "")
            }
        }
    }
}

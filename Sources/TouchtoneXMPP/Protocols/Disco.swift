// SPDX-License-Identifier: GPL-3.0-or-later

/// An entity's identities and features (XEP-0030).
struct DiscoInfo: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/disco#info"

    struct Identity: Hashable, Sendable {
        /// The category, such as `client`, `server`, `gateway` or `conference`.
        let category: String
        /// The type, such as `phone`, `im`, `sms` or `text`.
        let type: String
        /// The name to show; may be empty.
        var name = ""
        /// The language tag of the name; may be empty.
        var language = ""
    }

    let identities: [Identity]
    let features: Set<String>
    /// The extended information, as the values of each field by the form's type (XEP-0128).
    let forms: [String: [String: [String]]]

    init(identities: [Identity], features: Set<String>) {
        self.identities = identities
        self.features = features
        forms = [:]
    }

    init?(_ query: XMLElement) {
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

/// An item of an entity (XEP-0030 section 4).
struct DiscoItem: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/disco#items"

    let jid: JID
    let node: String?
    /// The name to show; may be empty.
    let name: String

    static let maximumPerPage = 200

    static func items(in query: XMLElement) -> [DiscoItem] {
        query.children("item").compactMap { item in
            item["jid"].flatMap { JID($0) }.map {
                DiscoItem(jid: $0, node: item["node"], name: item["name"] ?? "")
            }
        }
    }
}

/// Data forms (XEP-0004).
enum DataForm {
    static let namespace = "jabber:x:data"

    /// Returns the fields of each result form that has a type.
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
    /// - Parameters:
    ///   - jid: The entity; nil for the server of the user's account.
    ///   - node: The node of the entity; nil for the entity itself.
    ///   - limit: The timeout for the response; nil for the usual one.
    ///   - noted: A closure that gets the response before the stanzas behind it are read; the caller goes on after those that
    ///     came in the same segment.
    func info(
        of jid: JID?, node: String? = nil, limit: Duration? = nil,
        noted: @escaping @MainActor (DiscoInfo) -> Void = { _ in }
    ) async throws(RequestError) -> DiscoInfo {
        let query = XMLElement("query", DiscoInfo.namespace, ["node": node])
        let result = await withCheckedContinuation { continuation in
            ask(.get, to: jid, query, limit: limit) { answer in
                let result = answer.flatMap { element -> Result<DiscoInfo, RequestError> in
                    element.flatMap { DiscoInfo($0) }.map { .success($0) } ?? .failure(.implausible)
                }
                if case .success(let info) = result { noted(info) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    func items(of jid: JID) async throws(RequestError) -> [DiscoItem] {
        DiscoItem.items(in: try await items(of: jid, page: []))
    }

    /// Requests the items of an entity in pages (XEP-0059); one without pages sends all of them at once.
    func items(of jid: JID, atMost maximum: Int) async throws(RequestError) -> [DiscoItem] {
        var (items, last): ([DiscoItem], String?) = ([], nil)
        while items.count < maximum {
            let page = ResultSet.request(.after(last), maximum: min(DiscoItem.maximumPerPage, maximum))
            let answer = try await self.items(of: jid, page: [page])
            let more = DiscoItem.items(in: answer)
            items += more
            guard !more.isEmpty, let next = ResultSet(in: answer).last, next != last else { break }
            last = next
        }
        return Array(items.prefix(maximum))
    }

    private func items(of jid: JID, page: [XMLElement]) async throws(RequestError) -> XMLElement {
        let answer = try await request(
            .get, to: jid, XMLElement("query", DiscoItem.namespace, [:], page))
        guard let answer, answer.isNamed("query", DiscoItem.namespace) else { throw .implausible }
        return answer
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A page of a long result (XEP-0059).
struct ResultSet: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/rsm"

    enum Start: Hashable, Sendable {
        /// Directly after the item with that id; nil for the first page.
        case after(String?)
        /// Directly before the item with that id; nil for the last page.
        case before(String?)
    }

    let first: String?
    let last: String?
    /// The number of items in the whole result; nil if it is unknown.
    let count: Int?

    init() { (first, last, count) = (nil, nil, nil) }

    init(in element: XMLElement) {
        let set = element.child("set", Self.namespace)
        // An id goes back to the server with the next request.
        first = (set?.child("first")?.text).flatMap(MessageReader.bounded)
        last = (set?.child("last")?.text).flatMap(MessageReader.bounded)
        count = (set?.child("count")?.text).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    static func request(_ start: Start, maximum: Int) -> XMLElement {
        var parts = [XMLElement("max", namespace, text: "\(maximum)")]
        switch start {
        case .after(let name): if let name { parts.append(XMLElement("after", namespace, text: name)) }
        case .before(let name): parts.append(XMLElement("before", namespace, text: name))
        }
        return XMLElement("set", namespace, [:], parts)
    }
}

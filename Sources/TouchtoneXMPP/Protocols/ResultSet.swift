// SPDX-License-Identifier: GPL-3.0-or-later

/// A page of a long list (XEP-0059).
public struct ResultSet: Hashable, Sendable {
    static let namespace = "http://jabber.org/protocol/rsm"

    /// Where a page begins.
    public enum Start: Hashable, Sendable {
        /// With the first, or right after that one.
        case after(String?)
        /// So that it ends right before that one, or with the last.
        case before(String?)
    }

    /// The name of the first of the page; nil if it is empty.
    public let first: String?
    /// The name of the last of the page; nil if it is empty.
    public let last: String?
    /// How many the list has; nil if nobody says.
    public let count: Int?

    /// Reads what is said of a page.
    init(in element: XMLElement) {
        let set = element.child("set", Self.namespace)
        first = set?.child("first")?.text
        last = set?.child("last")?.text
        count = (set?.child("count")?.text).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// What asks for a page.
    static func request(_ start: Start, maximum: Int) -> XMLElement {
        var parts = [XMLElement("max", namespace, text: "\(maximum)")]
        switch start {
        case .after(let name): if let name { parts.append(XMLElement("after", namespace, text: name)) }
        case .before(let name): parts.append(XMLElement("before", namespace, text: name))
        }
        return XMLElement("set", namespace, [:], parts)
    }
}

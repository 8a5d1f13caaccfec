// SPDX-License-Identifier: GPL-3.0-or-later

/// What somebody says of themselves (XEP-0054).
public struct VCardTemp: Hashable, Sendable {
    static let namespace = "vcard-temp"
    static let update = "vcard-temp:x:update"

    /// The whole name; may be empty.
    public let name: String
    /// What friends say; may be empty.
    public let nickname: String
    /// Telephone numbers.
    public let numbers: [String]
    /// The picture, as its sender says what it is; nil is none.
    public let photo: Photo?

    /// A picture.
    public struct Photo: Hashable, Sendable {
        /// Such as `image/png`; may be empty, and need not be true.
        public let type: String
        /// The picture's bytes.
        public let bytes: [UInt8]
    }

    /// Reads a card; nil for what is none.
    init?(_ card: XMLElement) {
        guard card.isNamed("vCard", Self.namespace) else { return nil }
        name = card.child("FN")?.text ?? ""
        nickname = card.child("NICKNAME")?.text ?? ""
        numbers = card.children("TEL").compactMap { $0.child("NUMBER")?.text }.filter { !$0.isEmpty }
        let photo = card.child("PHOTO")
        // Base64 in lines, as mail has it.
        let text = String((photo?.child("BINVAL")?.text ?? "").filter { !$0.isWhitespace })
        let bytes = Base64.decode(text) ?? []
        self.photo = bytes.isEmpty ? nil : Photo(type: photo?.child("TYPE")?.text ?? "", bytes: bytes)
    }

    /// The SHA-1 in hex of somebody's picture, told with presence (XEP-0153): nil is not told, empty is none.
    public static func photoHash(in presence: Presence) -> String? {
        presence.extensions.first { $0.isNamed("x", update) }?.child("photo")?.text
    }
}

extension XMPPClient {
    /// What somebody says of themselves; nil is our own.
    public func card(of jid: JID? = nil) async throws(RequestError) -> VCardTemp {
        let answer = try await request(.get, to: jid?.bare, XMLElement("vCard", VCardTemp.namespace))
        guard let card = answer.flatMap({ VCardTemp($0) }) else { throw .implausible }
        return card
    }

    /// Something that this program or another keeps with the account (XEP-0049): the element of that name.
    public func kept(_ name: String, _ namespace: String) async throws(RequestError) -> XMLElement? {
        let query = XMLElement("query", "jabber:iq:private", [:], [XMLElement(name, namespace)])
        return try await request(.get, query)?.child(name, namespace)
    }

    /// Keeps an element with the account, in place of the one of that name.
    public func keep(_ element: XMLElement) async throws(RequestError) {
        _ = try await request(.set, XMLElement("query", "jabber:iq:private", [:], [element]))
    }
}

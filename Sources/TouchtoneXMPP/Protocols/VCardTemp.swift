// SPDX-License-Identifier: GPL-3.0-or-later

/// The vCard that an account publishes (XEP-0054).
public struct VCardTemp: Hashable, Sendable {
    static let namespace = "vcard-temp"
    static let update = "vcard-temp:x:update"

    /// The full name; may be empty.
    public let name: String
    /// The nickname; may be empty.
    public let nickname: String
    /// The telephone numbers.
    public let numbers: [String]
    /// The picture; nil for none.
    public let photo: Photo?

    /// A picture.
    public struct Photo: Hashable, Sendable {
        /// The media type according to the sender, such as `image/png`; may be empty or wrong.
        public let type: String
        /// The bytes of the picture.
        public let bytes: [UInt8]
    }

    /// Reads a vCard; returns nil if it is invalid.
    init?(_ card: XMLElement) {
        guard card.isNamed("vCard", Self.namespace) else { return nil }
        name = card.child("FN")?.text ?? ""
        nickname = card.child("NICKNAME")?.text ?? ""
        numbers = card.children("TEL").compactMap { $0.child("NUMBER")?.text }.filter { !$0.isEmpty }
        let photo = card.child("PHOTO")
        // The Base64 is broken into lines, as in mail.
        let text = String((photo?.child("BINVAL")?.text ?? "").filter { !$0.isWhitespace })
        let bytes = Base64.decode(text) ?? []
        self.photo = bytes.isEmpty ? nil : Photo(type: photo?.child("TYPE")?.text ?? "", bytes: bytes)
    }

    /// Returns the SHA-1 in hex of the sender's picture (XEP-0153): nil if it is not given, empty if there is no
    /// picture.
    public static func photoHash(in presence: Presence) -> String? {
        presence.extensions.first { $0.isNamed("x", update) }?.child("photo")?.text
    }
}

extension XMPPClient {
    /// Requests a vCard; nil requests that of the user's account.
    public func card(of jid: JID? = nil) async throws(RequestError) -> VCardTemp {
        let answer = try await request(.get, to: jid?.bare, XMLElement("vCard", VCardTemp.namespace))
        guard let card = answer.flatMap({ VCardTemp($0) }) else { throw .implausible }
        return card
    }

    /// Requests the element of that name in the account's private storage (XEP-0049); returns nil if there is none.
    public func kept(_ name: String, _ namespace: String) async throws(RequestError) -> XMLElement? {
        let query = XMLElement("query", "jabber:iq:private", [:], [XMLElement(name, namespace)])
        return try await request(.get, query)?.child(name, namespace)
    }

    /// Stores an element in the account's private storage, and replaces the one of that name.
    public func keep(_ element: XMLElement) async throws(RequestError) {
        _ = try await request(.set, XMLElement("query", "jabber:iq:private", [:], [element]))
    }
}

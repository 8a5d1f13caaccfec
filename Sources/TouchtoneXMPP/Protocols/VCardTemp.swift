// SPDX-License-Identifier: GPL-3.0-or-later

/// The vCard that an account publishes (XEP-0054).
public struct VCardTemp: Hashable, Sendable {
    static let namespace = "vcard-temp"
    static let update = "vcard-temp:x:update"
    /// The feature of an account whose server converts between published pictures and vCards (XEP-0398).
    static let conversion = "urn:xmpp:pep-vcard-conversion:0"

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

    /// Creates the element for presence with the SHA-1 in hex of the user's picture; empty for none.
    static func photoUpdate(_ hash: String) -> XMLElement {
        XMLElement("x", update, [:], [XMLElement("photo", update, text: hash)])
    }

    /// Returns a vCard in which the picture, a PNG file, is replaced; nil removes it.
    ///
    /// Everything else is kept, because other programs may have written it.
    static func setting(_ photo: [UInt8]?, in card: XMLElement?) -> XMLElement {
        var card = card ?? XMLElement("vCard", namespace)
        card.nodes.removeAll { node in
            if case .element(let part) = node { part.isNamed("PHOTO", namespace) } else { false }
        }
        if let photo {
            card.append(
                XMLElement(
                    "PHOTO", namespace, [:],
                    [
                        XMLElement("TYPE", namespace, text: "image/png"),
                        XMLElement("BINVAL", namespace, text: Base64.encode(photo)),
                    ]))
        }
        return card
    }
}

extension XMPPClient {
    /// Requests a vCard; nil requests that of the user's account.
    public func card(of jid: JID? = nil) async throws(RequestError) -> VCardTemp {
        let answer = try await request(.get, to: jid?.bare, XMLElement("vCard", VCardTemp.namespace))
        guard let card = answer.flatMap({ VCardTemp($0) }) else { throw .implausible }
        return card
    }

    /// Replaces the picture in the user's vCard, a PNG file; nil removes it.
    func setPhoto(_ photo: [UInt8]?) async throws(RequestError) {
        let known: XMLElement?
        do throws(RequestError) {
            known = try await request(.get, XMLElement("vCard", VCardTemp.namespace))
        } catch .refused(let error) where error.condition == "item-not-found" {
            known = nil
        }
        _ = try await request(.set, VCardTemp.setting(photo, in: known))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The vCard that an account publishes (XEP-0054).
struct VCardTemp: Hashable, Sendable {
    static let namespace = "vcard-temp"
    static let update = "vcard-temp:x:update"
    /// The feature of an account whose server converts between published pictures and vCards (XEP-0398).
    static let conversion = "urn:xmpp:pep-vcard-conversion:0"

    static let maximumTexts = 10

    let profile: Profile
    /// The bytes of the picture.
    let photo: [UInt8]?

    init?(_ card: XMLElement) {
        guard card.isNamed("vCard", Self.namespace) else { return nil }
        let texts = Profile.Field.allCases.map { field in
            (field, Array(card.children.compactMap { field.text(in: $0) }.prefix(Self.maximumTexts)))
        }
        profile = Profile(Dictionary(uniqueKeysWithValues: texts.filter { !$0.1.isEmpty }))
        // The Base64 is broken into lines, as in mail.
        let text = String((card.child("PHOTO")?.child("BINVAL")?.text ?? "").filter { !$0.isWhitespace })
        photo = Base64.decode(text).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a vCard in which the first text of each given field is replaced; an empty one removes it.
    ///
    /// Everything else is kept, because other programs may have written it.
    static func setting(_ changes: [Profile.Field: String], in card: XMLElement?) -> XMLElement {
        var card = card ?? XMLElement("vCard", namespace)
        for field in Profile.Field.allCases {
            guard let text = changes[field] else { continue }
            // Servers and other programs may have stored empty elements, the first of which is filled in.
            let index =
                card.index(where: { field.text(in: $0) != nil }) ?? card.index(where: field.isElement)
            let old = index.map { card.nodes.remove(at: $0) }
            guard !text.isEmpty else { continue }
            var element = XMLElement(field.elements.outer, namespace)
            if case .element(let known) = old { element = known }
            field.set(text, in: &element)
            card.nodes.insert(.element(element), at: index ?? card.nodes.count)
        }
        return card
    }

    /// Returns the SHA-1 in hex of the sender's picture (XEP-0153); empty for none, nil if it is not stated.
    static func photoHash(in presence: Presence) -> String? {
        presence.extensions.first { $0.isNamed("x", update) }?.child("photo")?.text
    }

    /// Creates the element for presence with the SHA-1 in hex of the user's picture: empty for none, nil if it is not
    /// known, or the server adds it.
    static func photoUpdate(_ hash: String?) -> XMLElement {
        XMLElement("x", update, [:], hash.map { [XMLElement("photo", update, text: $0)] } ?? [])
    }

    /// Returns a vCard in which only the picture, a PNG file, is replaced; nil removes it.
    static func setting(_ photo: [UInt8]?, in card: XMLElement?) -> XMLElement {
        var card = card ?? XMLElement("vCard", namespace)
        card.removeChildren { $0.isNamed("PHOTO", namespace) }
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
    func card(of jid: JID? = nil) async throws(RequestError) -> VCardTemp {
        let answer = try await request(.get, to: jid?.bare, XMLElement("vCard", VCardTemp.namespace))
        guard let card = answer.flatMap({ VCardTemp($0) }) else { throw .implausible }
        return card
    }

    /// Replaces the picture in the user's vCard, a PNG file; nil removes it.
    func setPhoto(_ photo: [UInt8]?) async throws(RequestError) {
        try await changeCard { VCardTemp.setting(photo, in: $0) }
    }

    /// Changes the user's vCard, which can only be replaced as a whole; `change` gets nil if there is none.
    func changeCard(_ change: @MainActor (XMLElement?) -> XMLElement) async throws(RequestError) {
        let known: XMLElement?
        do throws(RequestError) {
            known = try await request(.get, XMLElement("vCard", VCardTemp.namespace))
        } catch .refused(let error) where error.condition == "item-not-found" {
            known = nil
        }
        _ = try await request(.set, change(known))
    }
}

extension Profile.Field {
    /// The name of the element and of the child that has the text; nil if the element itself has it.
    fileprivate var elements: (outer: String, inner: String?) {
        switch self {
        case .name: ("FN", nil)
        case .nickname: ("NICKNAME", nil)
        case .company: ("ORG", "ORGNAME")
        case .number: ("TEL", "NUMBER")
        case .email: ("EMAIL", "USERID")
        case .website: ("URL", nil)
        }
    }

    fileprivate func isElement(_ element: XMLElement) -> Bool {
        element.isNamed(elements.outer, VCardTemp.namespace)
    }

    /// Returns the text in an element of a vCard; nil if it is blank, or the element is for a different field.
    fileprivate func text(in element: XMLElement) -> String? {
        guard isElement(element) else { return nil }
        let text = elements.inner.map { element.child($0)?.text ?? "" } ?? element.text
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    fileprivate func set(_ text: String, in element: inout XMLElement) {
        guard let inner = elements.inner else { return element.nodes = [.text(text)] }
        let index = element.index { $0.isNamed(inner, VCardTemp.namespace) }
        if let index { element.nodes.remove(at: index) }
        let child = XMLElement(inner, VCardTemp.namespace, text: text)
        element.nodes.insert(.element(child), at: index ?? element.nodes.count)
    }
}

extension XMLElement {
    fileprivate func index(where condition: (XMLElement) -> Bool) -> Int? {
        nodes.firstIndex { if case .element(let element) = $0 { condition(element) } else { false } }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// A message (RFC 6121 section 5).
struct Message: Hashable, Sendable {
    enum Kind: String, Sendable {
        case chat
        case normal
        case groupchat
        /// News that expects no reply.
        case headline
        /// An error for a message of ours.
        case error
    }

    var kind: Kind
    /// The sender; nil for the user's account.
    let from: JID?
    /// The recipient; nil for the user's account.
    var to: JID?
    /// The id that the sender assigned.
    var id: String?
    /// The text; nil for none, which differs from an empty text.
    var body: String?
    /// The subject; in a room, a change of its subject.
    var subject: String?
    var thread: String?
    /// The elements of other protocols.
    var extensions: [XMLElement] = []
    let error: StanzaError?

    init(
        _ kind: Kind = .chat, to: JID?, id: String? = nil, body: String? = nil, extensions: [XMLElement] = []
    ) {
        (self.kind, self.to, from, error) = (kind, to, nil, nil)
        (self.id, self.body, self.extensions) = (id, body, extensions)
    }

    ///
    /// - Parameter languages: The user's languages, the best first, such as `de_CH`.
    init?(_ element: XMLElement, languages: [String] = userLanguages) {
        guard element.isNamed("message", Namespace.client), let addresses = Addresses(of: element) else {
            return nil
        }
        // An unknown type counts as normal (RFC 6121 section 5.2.2).
        kind = element["type"].flatMap { Kind(rawValue: $0) } ?? .normal
        from = addresses.from
        to = addresses.to
        id = element["id"]
        body = Self.text(of: element.children("body"), in: languages)
        subject = Self.text(of: element.children("subject"), in: languages)
        thread = element.child("thread")?.text
        extensions = element.children.filter { $0.namespace != Namespace.client }
        error = kind == .error ? StanzaError(in: element) : nil
    }

    /// The languages of the user's locale.
    static let userLanguages: [String] = {
        guard let names = g_get_language_names() else { return [] }
        var languages: [String] = []
        while let name = names[languages.count] { languages.append(String(cString: name)) }
        return languages
    }()

    /// Returns the text in the user's language, or else the first one (RFC 6121 section 5.2.3).
    static func text(of elements: [XMLElement], in languages: [String] = userLanguages) -> String? {
        guard elements.count > 1 else { return elements.first?.text }
        let tags = elements.map { element in
            element.attributes.first { $0.name == "lang" && $0.namespace == XMLElement.xmlNamespace }?.value
        }
        for language in languages {
            // Only the language counts, not its region.
            let language = language.lowercased().prefix { $0.isLetter }
            let index = tags.firstIndex { $0?.lowercased().prefix { $0.isLetter } == language }
            if let index { return elements[index].text }
        }
        return elements[tags.firstIndex { $0 == nil || $0 == "" } ?? 0].text
    }

    var element: XMLElement {
        let texts = [("subject", subject), ("body", body), ("thread", thread)].compactMap { name, text in
            text.map { XMLElement(name, Namespace.client, text: $0) }
        }
        return XMLElement(
            "message", Namespace.client,
            ["type": kind == .normal ? nil : kind.rawValue, "to": to?.description, "id": id],
            texts + extensions)
    }

    /// Returns the first extension of a namespace, with the name if one is given.
    func `extension`(_ namespace: String, _ name: String? = nil) -> XMLElement? {
        extensions.first { $0.namespace == namespace && (name == nil || $0.name == name) }
    }
}

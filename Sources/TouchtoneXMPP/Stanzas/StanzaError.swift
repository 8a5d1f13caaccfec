// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A stanza error from the recipient or a server on the way (RFC 6120 section 8.3).
struct StanzaError: Error, Hashable, Sendable {
    /// The suggested reaction to an error.
    enum Kind: String, Sendable {
        /// Authenticate, then try again.
        case auth
        /// Do not try again.
        case cancel
        /// Proceed: the error was a warning.
        case `continue`
        /// Change the stanza, then try again.
        case modify
        /// Wait, then try again.
        case wait
    }

    let kind: Kind
    /// The condition, such as `item-not-found`.
    let condition: String
    /// The sender's text, on one line; empty if there is none.
    let text: String
    /// The condition of another protocol, to send; nil for none.
    let detail: XMLElement?

    init(_ kind: Kind, _ condition: String, text: String = "", detail: XMLElement? = nil) {
        (self.kind, self.condition, self.text, self.detail) = (kind, condition, text, detail)
    }

    /// Reads the error in a stanza of the type `error`; a missing condition becomes `undefined-condition`.
    init(in stanza: XMLElement) {
        let error = stanza.child("error")
        detail = nil
        let parts = error?.children.filter { $0.namespace == Namespace.stanzaErrors } ?? []
        kind = error?["type"].flatMap { Kind(rawValue: $0) } ?? .cancel
        condition = parts.first { $0.name != "text" }?.name ?? "undefined-condition"
        text = (parts.first { $0.name == "text" }?.text).map { PlainText.line($0) } ?? ""
    }

    /// Whether the answer may be another one later.
    var isOfDelay: Bool {
        kind == .wait
            || ["remote-server-not-found", "remote-server-timeout", "internal-server-error"].contains(
                condition)
    }

    var element: XMLElement {
        var parts = [XMLElement(condition, Namespace.stanzaErrors)]
        if !text.isEmpty { parts.append(XMLElement("text", Namespace.stanzaErrors, text: text)) }
        if let detail { parts.append(detail) }
        return XMLElement("error", Namespace.client, ["type": kind.rawValue], parts)
    }
}

enum ServerText {
    /// Returns a sentence, with the server's own text after it unless that is empty.
    static func quoted(_ text: String, after sentence: String) -> String {
        guard !text.isEmpty else { return sentence }
        return localized("{sentence} The server says: “{text}”", ["sentence": sentence, "text": text])
    }
}

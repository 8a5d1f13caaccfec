// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Why a stanza came to nothing, as its receiver or a server on the way says (RFC 6120 section 8.3).
public struct StanzaError: Error, Hashable, Sendable {
    /// What to do about it.
    public enum Kind: String, Sendable {
        /// Sign in first.
        case auth
        /// Give up.
        case cancel
        /// Go on: it was a warning.
        case `continue`
        /// Change what was sent.
        case modify
        /// Try later.
        case wait
    }

    /// What to do about it.
    public let kind: Kind
    /// The condition, such as `item-not-found`.
    public let condition: String
    /// The receiver's own words, on one line; empty if it gave none.
    public let text: String

    /// Creates an error.
    public init(_ kind: Kind, _ condition: String, text: String = "") {
        self.kind = kind
        self.condition = condition
        self.text = text
    }

    /// Reads the error of a stanza of the type `error`; one that says nothing is `undefined-condition`.
    init(in stanza: XMLElement) {
        let error = stanza.child("error")
        let parts = error?.children.filter { $0.namespace == Namespace.stanzaErrors } ?? []
        kind = error?["type"].flatMap { Kind(rawValue: $0) } ?? .cancel
        condition = parts.first { $0.name != "text" }?.name ?? "undefined-condition"
        text = (parts.first { $0.name == "text" }?.text).map { ServerText.shortened($0) } ?? ""
    }

    /// The error as it is sent.
    var element: XMLElement {
        var parts = [XMLElement(condition, Namespace.stanzaErrors)]
        if !text.isEmpty { parts.append(XMLElement("text", Namespace.stanzaErrors, text: text)) }
        return XMLElement("error", Namespace.client, ["type": kind.rawValue], parts)
    }
}

/// Words of others that are shown beside our own.
enum ServerText {
    /// The text on one line, without what could change how the line around it looks, and not too long.
    static func shortened(_ text: String) -> String {
        let plain = text.unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar == "\n" || scalar == "\t"
            default: true
            }
        }
        let line = plain.prefix(1000).split { $0 == "\n" || $0 == "\t" || $0 == " " }
            .map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }

    /// Returns a sentence, with the server's own text after it unless that is empty.
    static func quoted(_ text: String, after sentence: String) -> String {
        guard !text.isEmpty else { return sentence }
        return localized("{sentence} The server says: “{text}”", ["sentence": sentence, "text": text])
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A message of the user’s on its way to the stream: its text is in no stanza until it is decided whether it is encrypted.
struct OutgoingMessage: Sendable {
    enum Form: Sendable {
        /// Not decided yet.
        case open
        case clear
        case encrypted([XMLElement])
        /// It must wait, because it cannot be encrypted, and so must those after it.
        case held
        /// It is sent again later, like a new message, once its file is uploaded again.
        case renewed
    }

    let buddy: ChatAddress
    /// The message without its text, and without what tells of the text.
    var base: Message
    /// The text; nil if the message has none.
    let text: String?
    /// The elements that are sent only with a text in the clear.
    var described: [XMLElement] = []
    /// The hint before a hidden text; nil if the text is not hidden.
    var spoiler: String?
    /// Whether the message must not be sent in the clear, whatever else is known.
    var mustBeEncrypted = false
    /// Whether the message is about a file of the user’s that lies in the clear on the server.
    var isExposed = false
    var form = Form.open
    /// Whether it must not overtake others of its conversation; what only says something of another message may.
    var keepsOrder = true

    /// A text for clients that cannot decrypt the message, which is the same in all languages.
    private static let fallback =
        "This message is encrypted with OMEMO, and your app does not support that."

    /// Whether it is not decided yet whether the message is encrypted.
    var isOpen: Bool { if case .open = form { text != nil } else { false } }

    /// The message in the clear.
    var clear: Message {
        var message = base
        message.body = text
        message.extensions += described + (spoiler.map { [Spoiler.element($0)] } ?? [])
        return message
    }

    /// The text to encrypt, which begins with the hint of a hidden one.
    var secret: String? {
        text.map { text in spoiler.map { $0.isEmpty ? text : "\($0)\n\(text)" } ?? text }
    }

    /// The stanza to send; nil if the message must wait.
    var stanza: XMLElement? {
        switch form {
        case .open, .clear: return mustBeEncrypted ? nil : clear.element
        case .encrypted(let elements):
            var message = base
            message.body = Self.fallback
            message.extensions += elements + (spoiler == nil ? [] : [Spoiler.element("")])
            return message.element
        case .held, .renewed: return nil
        }
    }

    /// The text of an encrypted message.
    var encryptedText: String? { if case .encrypted = form { text } else { nil } }

    /// - Parameters:
    ///   - corrected: The id of the message to replace; nil for none.
    ///   - file: The file whose address is at the end of the text; nil for a text.
    ///   - others: The elements of other protocols, which do not repeat the text.
    ///   - asks: Whether to ask for a receipt and a marker.
    static func own(
        _ text: String, to jid: JID, of buddy: ChatAddress, name: String, corrected: String? = nil,
        file: SharedFile? = nil, others: [XMLElement] = [], way: Message.Destination = .person,
        asks: Bool = true
    ) -> OutgoingMessage {
        let more =
            (asks ? [Receipts.request, ChatMarkers.request] : [])
            + [corrected.map { Correction.element(of: $0) }].compactMap { $0 } + others
        let base = Message.own(
            nil, to: jid, name: name, way, (way == .occupant ? [] : [ChatState.active.element]) + more)
        return OutgoingMessage(
            buddy: buddy, base: base, text: text,
            described: file.map { Message.elements(of: $0, in: text) } ?? [],
            mustBeEncrypted: file?.isEncrypted == true, isExposed: file?.isExposed == true)
    }
}

extension Message {
    fileprivate static func elements(of file: SharedFile, in text: String) -> [XMLElement] {
        guard let url = file.url, let data = OutOfBandData(url: url) else { return [] }
        let (count, length) = (text.unicodeScalars.count, url.unicodeScalars.count + 1)
        // A line with the address follows the words about the file.
        let range = text.hasSuffix("\n" + url) ? count - length..<count : nil
        guard range != nil || text == url else { return [data.element] }
        return [data.element] + FileSharing.elements(of: file, at: url, range: range)
    }

    /// Creates a message that says something of another one; apps that know it do not show its text.
    static func own(_ annotation: MessageAnnotation, to jid: JID, way: Destination) -> Message {
        let (id, hint) = (annotation.reference.id, XMLElement("store", "urn:xmpp:hints"))
        switch annotation.kind {
        case .reaction(let emoji):
            return own(nil, to: jid, name: annotation.name, way, [Reactions.element(of: id, emoji), hint])
        case .retraction, .moderation:
            let mark = XMLElement("fallback", FallbackIndication.namespace, ["for": Retraction.namespace])
            return own(
                localized("I deleted an earlier message, but this app still shows it."), to: jid,
                name: annotation.name, way, [Retraction.element(of: id), mark, hint])
        }
    }

    fileprivate static func own(
        _ text: String?, to jid: JID, name: String, _ way: Destination, _ extensions: [XMLElement]
    ) -> Message {
        let extensions = [StableIDs.origin(name)] + extensions
        guard way != .occupant else {
            let mark = XMLElement("x", MultiUserChat.user)
            return Message(to: jid, id: name, body: text, extensions: [mark] + extensions)
        }
        return Message(
            way == .room ? .groupchat : .chat, to: jid.bare, id: name, body: text, extensions: extensions)
    }

    enum Destination {
        case person
        case room
        case occupant
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The stanzas in flight to the server, and those that wait for a connection.
///
/// `Chat` stores messages and corrections. This type only tracks which of them are in flight, and stores confirmations,
/// which nothing else does.
struct SendWindow {
    /// The limit in bytes: most servers accept 256 KiB, and end the stream over a larger stanza.
    static let maximumStanzaSize = 250_000
    /// The greatest number of bytes in flight, far below the capacity of a connection.
    static let maximumBytes = 2 << 20
    static let maximumConfirmations = 2000

    /// The ids of unacknowledged messages, with the size of each in bytes.
    private var underWay: [String: Int] = [:]
    private var bytes = 0
    private var preparing: Set<String> = []
    /// The messages that may or may not have arrived, by their ids: what is sent again is the same.
    private var returned: [String: XMLElement] = [:]
    /// The ids acknowledged since waiting messages were last requested: the store may not have recorded this yet.
    private var arrived: Set<String> = []
    private var confirmations: [XMLElement] = []
    /// Whether messages were refused because too many bytes are in flight; they are requested again once those have
    /// arrived.
    private(set) var isStuffed = false

    /// Returns whether the message with that id is being encrypted or in flight, or has just arrived.
    func isSent(_ name: String) -> Bool {
        underWay[name] != nil || arrived.contains(name) || preparing.contains(name)
    }

    mutating func prepares(_ name: String) { preparing.insert(name) }

    /// Ends the encryption of a message; returns false if it is no longer wanted.
    mutating func prepared(_ name: String) -> Bool { preparing.remove(name) != nil }

    /// Returns the stanza of a message that may have arrived already; nil if there is none, or the text has changed.
    func returned(_ message: Message) -> XMLElement? {
        guard let stanza = message.id.flatMap({ returned[$0] }), let sent = Message(stanza),
            (sent.body, sent.to, sent.kind) == (message.body, message.to, message.kind)
        else { return nil }
        return stanza
    }

    /// Removes a message that failed, so that it may be sent again.
    mutating func failed(_ name: String) {
        // The server's acknowledgement may arrive after the error.
        remove(name)
        arrived.remove(name)
        returned[name] = nil
    }

    /// Registers a message that is being sent; returns false if too many bytes are in flight.
    mutating func sends(_ name: String, bytes count: Int) -> Bool {
        guard underWay.isEmpty || bytes + count <= Self.maximumBytes else {
            isStuffed = true
            return false
        }
        underWay[name] = count
        bytes += count
        return true
    }

    @discardableResult
    private mutating func remove(_ name: String) -> Bool {
        guard let count = underWay.removeValue(forKey: name) else { return false }
        bytes -= count
        return true
    }

    mutating func keep(_ confirmation: XMLElement) {
        if confirmations.count < Self.maximumConfirmations { confirmations.append(confirmation) }
    }

    /// Handles the acknowledgement of a stanza; returns the update if it is a message.
    mutating func acknowledged(_ stanza: XMLElement) -> MessageUpdate? {
        guard let message = Message(stanza), let name = message.id, remove(name), let to = message.to
        else { return nil }
        arrived.insert(name)
        returned[name] = nil
        // Only the room itself confirms that it has a message, by sending it back.
        guard message.kind != .groupchat else { return nil }
        let isPrivate = message.extension(MultiUserChat.user, "x") != nil
        return .acknowledged(buddy: isPrivate ? ChatAddress(full: to) : ChatAddress(to), name: name)
    }

    /// Returns whether messages were refused and everything in flight has arrived; call it after `acknowledged`.
    mutating func hasRoomAgain() -> Bool {
        guard isStuffed, underWay.isEmpty else { return false }
        isStuffed = false
        return true
    }

    /// Handles a stanza that may not have arrived; one that is refused was never sent.
    mutating func gaveUp(_ stanza: XMLElement, isRefused: Bool) {
        guard let message = Message(stanza) else { return }
        if let name = message.id, remove(name) {
            if isRefused { isStuffed = true } else { returned[name] = stanza }
        } else if Receipts.received(in: message) != nil || ChatMarkers.displayed(in: message) != nil {
            keep(stanza)
        }
    }

    /// Returns the waiting confirmations, to be sent before waiting messages are requested.
    mutating func takeWaiting() -> [XMLElement] {
        isStuffed = false
        arrived = []
        defer { confirmations = [] }
        return confirmations
    }
}

extension Message {
    /// - Parameters:
    ///   - corrected: The id of the message to replace; nil for none.
    ///   - file: The file whose address is at the end of the text; nil for a text.
    ///   - others: The elements of other protocols.
    ///   - asks: Whether to ask for a receipt and a marker.
    static func own(
        _ text: String, to jid: JID, name: String, corrected: String? = nil, file: SharedFile? = nil,
        others: [XMLElement] = [], way: Destination = .person, asks: Bool = true
    ) -> Message {
        let more =
            (asks ? [Receipts.request, ChatMarkers.request] : [])
            + [corrected.map { Correction.element(of: $0) }].compactMap { $0 }
            + (file.map { Self.elements(of: $0, in: text) } ?? []) + others
        return own(
            text, to: jid, name: name, way, (way == .occupant ? [] : [ChatState.active.element]) + more)
    }

    private static func elements(of file: SharedFile, in text: String) -> [XMLElement] {
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

    private static func own(
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

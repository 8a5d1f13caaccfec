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
    /// The messages that are being encrypted, each with the number of the attempt.
    private var preparing: [String: Int] = [:]
    private var attempts = 0
    /// The conversations in which a message waits: none may overtake it before all are requested again.
    private var heldBack: Set<ChatAddress> = []
    /// The messages that may or may not have arrived, by their ids: what is sent again is the same.
    private var returned: [String: XMLElement] = [:]
    /// The texts of encrypted messages in flight, or that may have arrived.
    private var texts: [String: String] = [:]
    /// The ids acknowledged since waiting messages were last requested: the store may not have recorded this yet.
    private var arrived: Set<String> = []
    private var confirmations: [XMLElement] = []
    /// Whether messages were refused because too many bytes are in flight; they are requested again once those have
    /// arrived.
    private(set) var isStuffed = false

    /// Returns whether the message with that id is being encrypted or in flight, or has just arrived.
    func isSent(_ name: String) -> Bool {
        underWay[name] != nil || arrived.contains(name) || preparing[name] != nil
    }

    /// Begins the encryption of a message, and returns the number of the attempt.
    mutating func prepares(_ name: String) -> Int {
        attempts += 1
        preparing[name] = attempts
        return attempts
    }

    /// Ends the encryption of a message; returns false if it waits, or is no longer wanted, because it has been requested again.
    mutating func prepared(_ message: OutgoingMessage, attempt: Int) -> Bool {
        guard let name = message.base.id, preparing[name] == attempt else { return false }
        preparing[name] = nil
        if case .held = message.form { heldBack.insert(message.buddy) }
        return !holdsBack(message)
    }

    /// Returns whether a message waits for an earlier one of its conversation.
    func holdsBack(_ message: OutgoingMessage) -> Bool {
        message.keepsOrder && heldBack.contains(message.buddy)
    }

    /// Forgets what is being encrypted or held back, because all that waits is requested again, in order.
    mutating func requestAgain() { (preparing, heldBack) = ([:], []) }

    /// Returns the stanza of a message that may have arrived already; nil if there is none, or the text has changed.
    func returned(_ message: OutgoingMessage) -> XMLElement? {
        guard let name = message.base.id, let stanza = returned[name], let sent = Message(stanza),
            (sent.to, sent.kind) == (message.base.to, message.base.kind)
        else { return nil }
        if OMEMO.encrypted(in: sent) != nil { return texts[name] == message.text ? stanza : nil }
        return !message.mustBeEncrypted && sent.body == message.clear.body ? stanza : nil
    }

    /// Removes a message that failed, so that it may be sent again.
    mutating func failed(_ name: String) {
        // The server's acknowledgement may arrive after the error.
        remove(name)
        arrived.remove(name)
        (returned[name], texts[name]) = (nil, nil)
    }

    /// Registers a message that is being sent; returns false if too many bytes are in flight.
    ///
    /// - Parameter text: The text of an encrypted message.
    mutating func sends(_ name: String, bytes count: Int, text: String? = nil) -> Bool {
        guard underWay.isEmpty || bytes + count <= Self.maximumBytes else {
            isStuffed = true
            return false
        }
        (underWay[name], texts[name]) = (count, text)
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
        (returned[name], texts[name]) = (nil, nil)
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
        requestAgain()
        defer { confirmations = [] }
        return confirmations
    }
}

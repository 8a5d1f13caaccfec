// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What is on its way to the server, and what has to wait for one.
///
/// Messages and corrections wait with `Chat`; here is only which of them are on the way, and what nobody else keeps:
/// confirmations.
struct SendWindow {
    /// The most bytes of a stanza of ours: most servers take 256 KiB, and end the stream of who sends more.
    static let maximumStanzaSize = 250_000
    /// The most bytes that are on their way at once, far below what a connection holds.
    static let maximumBytes = 2 << 20
    /// The most confirmations that wait.
    static let maximumConfirmations = 2000

    /// The names of what was sent and of which the server has not said that it has it, and the bytes of each.
    private var underWay: [String: Int] = [:]
    private var bytes = 0
    /// The names of what the server has, since what waits was last asked for: who was asked may not know it yet.
    private var arrived: Set<String> = []
    private var confirmations: [XMLElement] = []
    /// Whether so much is under way that nothing more is taken; it is asked for again once it has arrived.
    private(set) var isStuffed = false

    /// Creates it, empty.
    init() {}

    /// Whether the stanza of that name is on its way, or has just arrived.
    func isSent(_ name: String) -> Bool { underWay[name] != nil || arrived.contains(name) }

    /// A message came to nothing: it may be sent again.
    mutating func failed(_ name: String) {
        // The server's own count may come after the word that it could do nothing with it.
        remove(name)
        arrived.remove(name)
    }

    /// Notes that a message goes out; false if it may not now, since too much is under way already.
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

    /// Notes a confirmation that can't be sent now.
    mutating func keep(_ confirmation: XMLElement) {
        if confirmations.count < Self.maximumConfirmations { confirmations.append(confirmation) }
    }

    /// The server has a stanza; gives the fact, if it is one of a message.
    mutating func acknowledged(_ stanza: XMLElement) -> MessageUpdate? {
        guard let message = Message(stanza), let name = message.id, remove(name), let to = message.to
        else { return nil }
        arrived.insert(name)
        return .acknowledged(buddy: ChatAddress(to), name: name)
    }

    /// Whether all has arrived that could not be added to; to be asked after `acknowledged`.
    mutating func hasRoomAgain() -> Bool {
        guard isStuffed, underWay.isEmpty else { return false }
        isStuffed = false
        return true
    }

    /// It is not known whether the server has a stanza.
    ///
    /// - Parameter isRefused: whether it never went out.
    mutating func gaveUp(_ stanza: XMLElement, isRefused: Bool) {
        guard let message = Message(stanza) else { return }
        if let name = message.id, remove(name) {
            isStuffed = isStuffed || isRefused
        } else if Receipts.received(in: message) != nil || ChatMarkers.displayed(in: message) != nil {
            keep(stanza)
        }
    }

    /// The confirmations that are to be sent now that something can be, before what waits is asked for.
    mutating func takeWaiting() -> [XMLElement] {
        isStuffed = false
        arrived = []
        defer { confirmations = [] }
        return confirmations
    }
}

extension Message {
    /// A message of mine, or the correction of one.
    ///
    /// - Parameter corrected: the name of the message that it is in place of.
    static func own(_ text: String, to jid: JID, name: String, corrected: String? = nil) -> Message {
        Message(
            to: jid.bare, id: name, body: text,
            extensions: [
                StableIDs.origin(name), Receipts.request, ChatMarkers.request, ChatState.active.element,
            ] + (corrected.map { [Correction.element(of: $0)] } ?? []))
    }
}

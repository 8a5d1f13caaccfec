// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The acknowledgement state of a stream in both directions (XEP-0198): a value that outlives connections.
struct StreamManagement: Sendable {
    /// The greatest number of unacknowledged stanzas; further ones are refused.
    static let maximumWaiting = 2000

    /// The id for resuming the stream; nil if it cannot be resumed.
    let id: String?
    /// The number of the server's stanzas that were handled, modulo 2³².
    private(set) var handled: UInt32 = 0
    /// Our stanzas that the server has not acknowledged, oldest first.
    private(set) var waiting: [XMLElement] = []
    /// The number of our stanzas that the server has acknowledged, modulo 2³².
    private var acknowledged: UInt32 = 0

    init(id: String?) { self.id = id }

    init(enabled: XMLElement) { id = ["true", "1"].contains(enabled["resume"]) ? enabled["id"] : nil }

    static func counts(_ element: XMLElement) -> Bool {
        element.namespace == Namespace.client && ["message", "presence", "iq"].contains(element.name)
    }

    /// Registers a stanza that is being sent; returns false if too many are unacknowledged.
    mutating func send(_ stanza: XMLElement) -> Bool {
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(stanza)
        return true
    }

    mutating func handle() { handled &+= 1 }

    /// Handles the server's count; returns the stanzas that it newly acknowledges.
    ///
    /// - Throws: `XMPPError.notXMPP` if the count is invalid or includes stanzas that were never sent.
    mutating func acknowledge(_ count: String?) throws(XMPPError) -> [XMLElement] {
        guard let count = count.flatMap({ UInt32($0) }) else {
            throw .notXMPP(localized("invalid acknowledgement"))
        }
        let new = Int(count &- acknowledged)
        guard new <= waiting.count else { throw .notXMPP(localized("acknowledgement of unsent stanzas")) }
        acknowledged = count
        defer { waiting.removeFirst(new) }
        return Array(waiting.prefix(new))
    }

    var resumption: XMLElement? {
        id.map { XMLElement("resume", Namespace.management, ["previd": $0, "h": "\(handled)"]) }
    }
}

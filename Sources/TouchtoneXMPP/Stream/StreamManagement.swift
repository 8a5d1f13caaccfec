// SPDX-License-Identifier: GPL-3.0-or-later

/// What both sides have of one another's stanzas (XEP-0198): a value that outlives connections.
struct StreamManagement: Sendable {
    /// The most stanzas that wait for the server's word; what is sent beyond is given up.
    static let maximumWaiting = 2000

    /// What the stream is resumed by; nil if it can't be.
    let id: String?
    /// Where the server would rather have the resumption.
    let location: String?
    /// The stanzas of the server's that were handled, modulo 2³².
    private(set) var handled: UInt32 = 0
    /// Our stanzas of which the server has not said that it has them, the oldest first.
    private(set) var waiting: [XMLElement] = []
    /// Our stanzas that the server has, modulo 2³².
    private var acknowledged: UInt32 = 0

    init(id: String?, location: String?) {
        self.id = id
        self.location = location
    }

    /// Reads the server's answer to `enable`.
    init(enabled: XMLElement) {
        let canResume = ["true", "1"].contains(enabled["resume"])
        self.init(id: canResume ? enabled["id"] : nil, location: enabled["location"])
    }

    /// Whether an element is one that is counted.
    static func counts(_ element: XMLElement) -> Bool {
        element.namespace == Namespace.client && ["message", "presence", "iq"].contains(element.name)
    }

    /// Notes a stanza that goes out; false if too many wait.
    mutating func send(_ stanza: XMLElement) -> Bool {
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(stanza)
        return true
    }

    /// Notes a stanza that came in and was dealt with.
    mutating func handle() { handled &+= 1 }

    /// Takes the server's count; gives the stanzas that it now has.
    ///
    /// - Throws: `XMPPError.notXMPP` for a count of stanzas that were never sent.
    mutating func acknowledge(_ count: String?) throws(XMPPError) -> [XMLElement] {
        guard let count = count.flatMap({ UInt32($0) }) else { throw .notXMPP("a count that is none") }
        let new = Int(count &- acknowledged)
        guard new <= waiting.count else { throw .notXMPP("a count of stanzas that were not sent") }
        acknowledged = count
        defer { waiting.removeFirst(new) }
        return Array(waiting.prefix(new))
    }

    /// The request to go on with the stream.
    var resumption: XMLElement? {
        id.map { XMLElement("resume", Namespace.management, ["previd": $0, "h": "\(handled)"]) }
    }
}

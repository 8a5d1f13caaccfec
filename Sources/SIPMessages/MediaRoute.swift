// SPDX-License-Identifier: GPL-3.0-or-later

/// The ways that the sound of a call over Jabber may take.
public struct MediaRoute: Codable, Hashable, Sendable {
    /// The servers that help to find a way; none if the account’s server has none.
    public var servers: [MediaServer]
    /// Whether the sound goes through a relay alone, so that the far end does not learn this machine’s addresses.
    public var usesRelayOnly: Bool

    public init(servers: [MediaServer] = [], usesRelayOnly: Bool = false) {
        (self.servers, self.usesRelayOnly) = (servers, usesRelayOnly)
    }
}

/// A server over UDP that tells this machine’s address (STUN, RFC 8489), or relays sound as well (TURN, RFC 8656).
public struct MediaServer: Codable, Hashable, Sendable {
    /// The name or the address of the server.
    public var host: String
    public var port: UInt16
    /// Whether it relays sound.
    public var isRelay: Bool
    /// The name and the password at a relay; empty for none.
    public var user: String
    public var password: String

    public init(
        host: String, port: UInt16 = 3478, isRelay: Bool = false, user: String = "", password: String = ""
    ) {
        (self.host, self.port, self.isRelay) = (host, port, isRelay)
        (self.user, self.password) = (user, password)
    }
}

extension [MediaServer] {
    /// The server that relays sound; nil if there is none that can be used.
    public var relay: MediaServer? { first { $0.isRelay && !$0.user.isEmpty && !$0.password.isEmpty } }
}

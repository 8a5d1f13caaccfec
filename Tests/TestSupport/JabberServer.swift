// SPDX-License-Identifier: GPL-3.0-or-later

/// An independent XMPP server for the domain `localhost`, on loopback; rooms are at `rooms.localhost`.
public protocol JabberServer {
    /// The port for STARTTLS.
    var port: UInt16 { get }
    /// The port for direct TLS; TLS 1.2.
    var directPort: UInt16 { get }
    /// The port for components, such as gateways.
    var componentPort: UInt16 { get }
    /// Creates an unused account with the password `secret`, and returns its name.
    func makeAccount(_ prefix: String) throws -> String
}

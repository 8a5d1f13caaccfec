// SPDX-License-Identifier: GPL-3.0-or-later

/// A ping (XEP-0199).
enum Ping {
    static let namespace = "urn:xmpp:ping"

    static var element: XMLElement { XMLElement("ping", namespace) }
}

extension XMPPClient {
    /// Pings an entity; one that responds without supporting pings is reachable as well.
    func ping(_ jid: JID? = nil) async throws(RequestError) {
        do {
            _ = try await request(.get, to: jid, Ping.element)
        } catch .refused(let error) where error.condition == "service-unavailable" {
        }
    }
}

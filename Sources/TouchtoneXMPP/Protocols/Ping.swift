// SPDX-License-Identifier: GPL-3.0-or-later

/// A question for a sign of life (XEP-0199).
public enum Ping {
    static let namespace = "urn:xmpp:ping"

    /// The question.
    static var element: XMLElement { XMLElement("ping", namespace) }
}

extension XMPPClient {
    /// Asks an entity whether it is there; one that knows no pings is there too.
    public func ping(_ jid: JID? = nil) async throws(RequestError) {
        do {
            _ = try await request(.get, to: jid, Ping.element)
        } catch .refused(let error) where error.condition == "service-unavailable" {
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A session between this device and another one (XEP-0166), whatever its content.
@MainActor
protocol JingleSession: AnyObject {
    var peer: JID { get }
    /// The identifier that the initiator gave the session.
    var sid: String { get }
    /// Whether the session was agreed on before, and only its offer is missing.
    var awaitsOffer: Bool { get }
    /// Handles the acceptance of a session that this device initiated, and answers it.
    func accept(_ request: Jingle, in iq: IQ)
    /// Handles a message within the session, and answers it; returns false if it is not known.
    func handle(_ message: XMLElement, in iq: IQ) -> Bool
    /// Handles a request about the contents or their transports, and answers it; returns false if it is not known.
    func handle(_ request: Jingle, as action: Jingle.Action, in iq: IQ) -> Bool
    /// Ends the session, because the other device has ended it.
    func terminate(for reason: Jingle.Reason?)
}

extension JingleSession {
    var awaitsOffer: Bool { false }
    func handle(_ request: Jingle, as action: Jingle.Action, in iq: IQ) -> Bool { false }
}

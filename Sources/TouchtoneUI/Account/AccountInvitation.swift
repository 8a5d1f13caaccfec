// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// An invitation in a link: to a server, to a person, or to both (XEP-0401, XEP-0379).
struct AccountInvitation: Hashable {
    /// The server that makes the account; empty if the user chooses it.
    let server: String
    /// The name that the account is to have; empty if the user chooses it.
    let name: String
    /// The address of the person who invites; empty if the link does not tell.
    let inviter: String
    private let token: String

    /// Reads the invitation of a link; nil if it is none.
    init?(_ link: XMPPURI) {
        let parts = link.address.split(separator: "@", maxSplits: 1)
        switch link.action {
        case .register(let token):
            (server, name) = (String(parts.last ?? ""), parts.count > 1 ? String(parts[0]) : "")
            (inviter, self.token) = ("", token)
        case .invitation(let token, let canRegister):
            guard parts.count > 1 else { return nil }
            (server, name) = (canRegister ? String(parts[1]) : "", "")
            (inviter, self.token) = (link.address, token)
        case .open, .message, .add, .join: return nil
        }
    }

    /// The token for the server that makes the account; another server must not learn it.
    var tokenForServer: String { server.isEmpty ? "" : token }
    /// The token for the person who invites; empty if there is none.
    var tokenForInviter: String { inviter.isEmpty ? "" : token }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension ChatAddress {
    /// Creates the address of the account.
    init(_ jid: JID) { self.init(jid.bare.description) }

    /// Creates the address of an occupant of a room, or of the room.
    init(full jid: JID) { self.init(jid.description) }

    /// The XMPP address; nil if it is not one.
    var jid: JID? { self == .operatorAddress ? nil : JID(text) }
}

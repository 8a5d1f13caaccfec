// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The choice of the account with which a link is opened.
@MainActor
enum LinkAccount {
    /// Returns the only chat, the one that the link names, or the only one that knows the address; nil if the user is to
    /// choose.
    ///
    /// Somebody may be added to an account although another one has them, so only the user knows which is meant.
    static func chat(for link: XMPPURI, to address: ChatAddress, among chats: [Chat]) -> Chat? {
        guard chats.count > 1 else { return chats.first }
        if let name = link.account, let named = chats.first(where: { $0.account == $0.address(name) }) {
            return named
        }
        if case .add = link.action { return nil }
        let knowing = chats.filter { $0.buddies.row(of: address).map(isKnown) ?? false }
        return knowing.count == 1 ? knowing.first : nil
    }

    private static func isKnown(_ row: BuddyList.Row) -> Bool {
        row.isListed || row.room != nil || row.last != nil || row.unread > 0
    }
}

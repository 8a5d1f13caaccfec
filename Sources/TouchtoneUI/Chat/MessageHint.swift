// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The placeholder of the message field, which says where a message goes.
enum MessageHint {
    /// - Parameter account: The account that sends the message; empty if there is only one.
    static func text(for buddy: BuddyList.Row?, name: String, account: String) -> String {
        let hint = text(for: buddy, name: name)
        return account.isEmpty
            ? hint : localized("{hint} (from {account})", ["hint": hint, "account": account])
    }

    private static func text(for buddy: BuddyList.Row?, name: String) -> String {
        guard let person = buddy?.person else { return localized("Message {name}", ["name": name]) }
        if !person.numberText.isEmpty {
            return localized("To {number} — not encrypted", ["number": PlainText.line(person.numberText)])
        }
        // A contact may have several conversations under one name.
        guard person.contact != nil, let buddy else { return localized("Message {name}", ["name": name]) }
        return localized("To {address}", ["address": PlainText.line(buddy.id.text)])
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The way in which the other side of a conversation is called: by its number, or over Jabber.
struct ConversationCall: Equatable {
    let callee: Callee
    /// The contact with the number or address, who may have others; nil if there is none.
    let contact: Contact.ID?
    /// Why the call is not possible now, as a sentence for the user; nil if it is.
    let obstacle: String?

    /// Returns nil if the conversation is with several people, or if no line can call the other side.
    @MainActor
    init?(_ id: ConversationID, _ buddy: BuddyList.Row, _ jabber: JabberLines?) {
        contact = buddy.person.contact
        if let number = buddy.person.number {
            (callee, obstacle) = (.number(number), nil)
            return
        }
        guard buddy.room == nil, !buddy.isOperator, !id.buddy.isOccupant, !buddy.isBlocked,
            let account = id.account, let line = jabber?.line(of: account)
        else { return nil }
        callee = .address(.jabber(id.buddy, account: account))
        obstacle = line.state == .available ? nil : LineStrings.description(of: line)
    }
}

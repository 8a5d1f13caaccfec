// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The way in which the other side of a conversation is called: by its number, or over Jabber.
struct ConversationCall: Equatable {
    let callee: Callee
    /// The contact with the number or address, who may have others; nil if there is none.
    let contact: Contact.ID?
    /// Why no call is possible now, as a sentence for the user; nil if one is, or waits for the account.
    let obstacle: String?
}

/// The lines that call the other sides of conversations.
@MainActor
struct ConversationCallees {
    let phone: Phone
    /// A closure that returns whether a contact can be called in any way, such as by a number on another line.
    let canCall: @MainActor (Contact.ID) -> Bool

    /// Returns the call to the other side; nil if the conversation is with several people, or if no line can call it.
    func call(to id: ConversationID, _ buddy: BuddyList.Row) -> ConversationCall? {
        let contact = buddy.person.contact
        if let number = buddy.person.number {
            return ConversationCall(callee: .number(number), contact: contact, obstacle: nil)
        }
        guard buddy.room == nil, !buddy.isOperator, !id.buddy.isOccupant, !buddy.isBlocked,
            let account = id.account, let line = phone.jabber?.line(of: account)
        else { return nil }
        let isPossible = line.state.refusal == nil || contact.map(canCall) == true
        return ConversationCall(
            callee: .address(.jabber(id.buddy, account: account)), contact: contact,
            obstacle: isPossible ? nil : LineStrings.description(of: line))
    }
}

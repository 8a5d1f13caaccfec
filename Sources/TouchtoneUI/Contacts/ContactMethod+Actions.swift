// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension ContactMethod {
    /// Returns the address of the method if a line of a phone can call it.
    @MainActor
    func address(for phone: Phone) -> CallAddress? {
        callAddress.flatMap { phone.line(for: $0) == nil ? nil : $0 }
    }

    /// The link to the conversation with the method’s Jabber address; nil for a method of a different kind.
    var conversation: TextLink? { kind == .xmpp ? .xmpp(XMPPURI(text, .open).text) : nil }
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// The requests of `Chat` to the account.
extension XMPPAccountSession: ChatService {
    public func carries(_ buddy: ChatAddress) -> Bool { buddy.jid != nil }

    public func setPaused(_ isPaused: Bool) { self.isPaused = isPaused }

    /// Returns the account that a text names, without the resource; nil if it is not an XMPP address.
    public func address(_ text: String) -> ChatAddress? { address(text).map { ChatAddress($0) } }
}

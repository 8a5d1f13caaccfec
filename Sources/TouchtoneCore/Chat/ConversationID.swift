// SPDX-License-Identifier: GPL-3.0-or-later

/// Two accounts that talk to the same buddy have two conversations.
public struct ConversationID: Hashable, Sendable {
    /// The account; nil for the Operator’s conversation, and for data stored before there is an account.
    public let account: ChatAddress?
    public let buddy: ChatAddress

    /// Identifies a conversation; the Operator’s belongs to no account.
    public init(_ buddy: ChatAddress, of account: ChatAddress? = nil) {
        self.account = buddy == .operatorAddress ? nil : account
        self.buddy = buddy
    }
}

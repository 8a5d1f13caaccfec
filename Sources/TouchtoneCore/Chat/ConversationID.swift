// SPDX-License-Identifier: GPL-3.0-or-later

/// A conversation's identity: the account that has it, and its other side.
///
/// Two accounts that talk with one buddy have two conversations.
public struct ConversationID: Hashable, Sendable {
    /// The account; nil for the exchange's conversation, and for what is kept before there is an account.
    public let account: ChatAddress?
    /// The other side.
    public let buddy: ChatAddress

    /// Identifies the conversation of an account with somebody.
    ///
    /// - Parameter account: the account, which does not count for the exchange: its conversation belongs to nobody.
    public init(_ buddy: ChatAddress, of account: ChatAddress? = nil) {
        self.account = buddy == .operatorAddress ? nil : account
        self.buddy = buddy
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A conversation’s identity: the account and the other side.
///
/// Two accounts that talk to the same buddy have two conversations.
public struct ConversationID: Hashable, Sendable {
    /// The account; nil for the Operator’s conversation, and for data stored before there is an account.
    public let account: ChatAddress?
    /// The other side.
    public let buddy: ChatAddress

    /// Identifies the conversation of an account with a buddy.
    ///
    /// - Parameter account: The account; ignored for the Operator, whose conversation belongs to no account.
    public init(_ buddy: ChatAddress, of account: ChatAddress? = nil) {
        self.account = buddy == .operatorAddress ? nil : account
        self.buddy = buddy
    }
}

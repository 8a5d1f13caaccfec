// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The services that the message panel needs.
public struct MessagingDependencies {
    /// The conversations and the buddy list.
    public let chat: Chat
    let wall: any WallClock
    let account: ChatAccount?
    let store: any MessageStore
    let voice: VoiceMessages?
    private let accounts: JabberAccountList?

    /// - Parameters:
    ///   - chat: The conversations and the buddy list.
    ///   - wall: The clock that determines the current day.
    ///   - account: The Jabber account; nil if accounts are not supported.
    ///   - store: The message store, which must finish its work before the program exits.
    ///   - voice: The voice messages; nil if they are not supported.
    ///   - accounts: The accounts in the settings, which are kept in step; nil if accounts are not supported.
    public init(
        chat: Chat, wall: any WallClock, account: ChatAccount? = nil, store: any MessageStore,
        voice: VoiceMessages? = nil, accounts: JabberAccountList? = nil
    ) {
        (self.chat, self.wall, self.account, self.store) = (chat, wall, account, store)
        (self.voice, self.accounts) = (voice, accounts)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The services that the message panel needs.
public struct MessagingDependencies {
    public let messenger: Messenger
    let wall: any WallClock
    let accounts: JabberAccounts?
    let store: any MessageStore
    let voice: VoiceMessages?

    /// - Parameter store: The message store, which must finish its work before the program exits.
    public init(
        messenger: Messenger, wall: any WallClock, accounts: JabberAccounts? = nil, store: any MessageStore,
        voice: VoiceMessages? = nil
    ) {
        (self.messenger, self.wall, self.accounts, self.store) = (messenger, wall, accounts, store)
        self.voice = voice
    }

    @MainActor var account: ChatAccount? { accounts?.first }

    @MainActor var chat: Chat { messenger.first }
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The messages of the phone, for its panel.
public struct MessagingDependencies {
    let chat: Chat
    let wall: any WallClock
    let account: ChatAccount?
    let store: any MessageStore

    /// - Parameters:
    ///   - chat: what is said.
    ///   - wall: the time, for which day is today.
    ///   - account: the Jabber account; nil where there can be none.
    ///   - store: what keeps it all, and is waited for when the program ends.
    public init(chat: Chat, wall: any WallClock, account: ChatAccount? = nil, store: any MessageStore) {
        (self.chat, self.wall, self.account, self.store) = (chat, wall, account, store)
    }
}

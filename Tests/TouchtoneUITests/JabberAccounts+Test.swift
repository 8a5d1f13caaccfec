// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TestSupport
import TouchtoneCore

@testable import TouchtoneUI

extension JabberAccounts {
    /// Returns the accounts of a program that has one at most.
    static func only(_ account: ChatAccount, _ settings: Settings, _ messenger: Messenger) throws
        -> JabberAccounts
    {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        let list = JabberAccountList(settings) { id throws(GLibError) in
            try resources.jabberAccountSettings(id)
        }
        return JabberAccounts(list, first: account, messenger: messenger) { id, settings in
            FakeOther(id, settings).other
        }
    }
}

/// An account besides the first, with a server and a keyring controlled by the test.
@MainActor
struct FakeOther {
    let connection = FakeAccountConnection()
    let passwords = FakePasswordStore()
    let service = FakeChatService()
    let other: JabberAccounts.Other

    init(_ id: String, _ settings: Settings) {
        let account = ChatAccount(
            memory: GSettingsAccountStore(settings, prefix: ""), passwords: passwords, connection: connection)
        let chat = Chat(
            store: MemoryMessageStore(), account: ChatAddress("\(id)@example.com"), services: [service],
            clock: MainLoopScheduler(), wall: FixedWallClock(), names: { "" })
        other = JabberAccounts.Other(id: id, settings: settings, account: account, chat: chat)
    }
}

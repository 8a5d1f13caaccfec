// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

/// An account in real settings, with a server and a keyring controlled by the test.
@MainActor
struct FakeAccount {
    let connection = FakeAccountConnection()
    let passwords = FakePasswordStore()
    let model: ChatAccount

    init(_ settings: Settings) {
        model = ChatAccount(
            memory: GSettingsAccountStore(settings), passwords: passwords, connection: connection)
    }
}

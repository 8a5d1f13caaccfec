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

    /// - Parameter list: The list whose first account it is; nil if there is none.
    init(_ settings: Settings, list: JabberAccountList? = nil) {
        model = ChatAccount(
            memory: GSettingsAccountStore(settings, list: list), passwords: passwords, connection: connection)
    }
}

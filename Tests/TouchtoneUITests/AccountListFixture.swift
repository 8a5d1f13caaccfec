// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TestSupport
import XCTest

@testable import TouchtoneUI

/// A list of accounts in settings in memory.
@MainActor
final class AccountListFixture {
    let settings: Settings
    let resources = Resources(folder: "\(Checkout.folder)/data")
    private(set) var list: JabberAccountList?

    init() throws {
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        try forget()
    }

    isolated deinit {
        list = nil
        do { try forget() } catch { XCTFail("\(error)") }
    }

    /// The ids of the accounts.
    var ids: [String] { list?.ids ?? [] }
    /// The address of the first account by its other name.
    var alias: String { settings[text: "jabber-jid"] }

    func account(_ id: String) throws -> Settings { try resources.jabberAccountSettings(id) }

    func start() {
        let resources = resources
        list = JabberAccountList(settings) { id throws(GLibError) in try resources.jabberAccountSettings(id) }
    }

    func stop() { list = nil }

    func restart() {
        stop()
        start()
    }

    /// Resets all settings, while no list follows them.
    func forget() throws {
        list = nil
        let keys = JabberAccountList.keys.map { "jabber-\($0)" }
        for key in keys + ["jabber-accounts", "jabber-alias", "jabber-sign-in-method"] { settings.reset(key) }
        for id in ["ada-example-org", "lovelace-example-org", "work", "home", "account", "account-2"] {
            let account = try account(id)
            account.resetAll()
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

/// An account in real settings, with a server and a keyring controlled by the test.
@MainActor
final class FakeAccount: AccountConnection, PasswordStore {
    private(set) lazy var model = ChatAccount(
        memory: GSettingsAccountStore(settings), keeper: self, connection: self)
    private let settings: Settings
    var onChange: (@MainActor () -> Void)?
    private(set) var state = AccountState.signedOut
    /// The sign-in requests: address, password and the trusted certificate.
    private(set) var calls: [[String]] = []
    /// The contents of the keyring; nil for no keyring.
    var passwords: [String: String]? = [:]

    init(_ settings: Settings) {
        self.settings = settings
    }

    func address(_ text: String) -> String? { text.contains("@") ? text.lowercased() : nil }

    /// The weakest permitted mechanism of each sign-in.
    private(set) var methods: [String] = []
    var signInMethod = ""

    func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String
    ) {
        calls.append([details.address, password, certificate])
        methods.append(method)
        become(.connecting)
    }

    func disconnect() { if state != .signedOut { become(.signedOut) } }

    var isActive = true
    let isSettled = true
    func wakeUp() {}

    func use(_ address: String) { disconnect() }

    func become(_ next: AccountState) {
        state = next
        onChange?()
    }

    func password(of account: String) async throws(PasswordStoreError) -> String? {
        guard let passwords else { throw .absent }
        return passwords[account]
    }

    func keep(_ password: String, of account: String) async throws(PasswordStoreError) {
        guard passwords != nil else { throw .absent }
        passwords?[account] = password
    }

    func forget(_ account: String) async throws(PasswordStoreError) {
        guard passwords != nil else { throw .absent }
        passwords?[account] = nil
    }
}

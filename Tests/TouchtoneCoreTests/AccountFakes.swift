// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Settings in memory that report each write.
@MainActor
final class FakeMemory: AccountStore {
    var onChange: (@MainActor () -> Void)?
    var details = AccountDetails() { didSet { onChange?() } }
    var trustedCertificate = "" { didSet { onChange?() } }
    private(set) var methods: [String: String] = [:]

    func signInMethod(of address: String) -> String { methods[address] ?? "" }
    func keepSignInMethod(_ method: String, of address: String) {
        methods = method.isEmpty ? [:] : [address: method]
        onChange?()
    }
}

/// A keyring in memory that answers when the test allows it.
@MainActor
final class FakeKeeper: PasswordStore {
    var passwords: [String: String] = [:]
    var failure: PasswordStoreError?
    private(set) var asked: [String] = []
    private(set) var keeps = 0
    /// Whether answers wait for `release()`.
    var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func password(of account: String) async throws(PasswordStoreError) -> String? {
        asked.append(account)
        let password = passwords[account]
        try await answer()
        return password
    }

    func keep(_ password: String, of account: String) async throws(PasswordStoreError) {
        keeps += 1
        try await answer()
        passwords[account] = password
    }

    func forget(_ account: String) async throws(PasswordStoreError) {
        try await answer()
        passwords[account] = nil
    }

    /// Releases the held answers.
    func release() {
        isHeld = false
        for one in waiting { one.resume() }
        waiting = []
    }

    private func answer() async throws(PasswordStoreError) {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        if let failure { throw failure }
    }
}

/// A server connection controlled by the test.
@MainActor
final class FakeConnection: AccountConnection {
    var onChange: (@MainActor () -> Void)?
    private(set) var state = AccountState.signedOut
    private(set) var details: AccountDetails?
    /// The requests so far, except disconnections.
    private(set) var log: [String] = []
    var isConnected: Bool { details != nil }

    func address(_ text: String) -> String? {
        text.contains(" ") || !text.contains("@") ? nil : text.lowercased()
    }

    var signInMethod = ""

    func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String
    ) {
        self.details = details
        log.append(
            "connect \(details.address) \(password)" + (certificate.isEmpty ? "" : " \(certificate)")
                + (method.isEmpty ? "" : " ≥ \(method)"))
        become(.connecting)
    }

    func disconnect() {
        details = nil
        if state != .signedOut { become(.signedOut) }
    }

    var isActive = true
    let isSettled = true
    func wakeUp() {}

    func use(_ address: String) {
        disconnect()
        log.append("use \(address)")
    }

    func become(_ next: AccountState) {
        state = next
        onChange?()
    }
}

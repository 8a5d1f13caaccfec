// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A keyring in memory that answers when the test allows it.
@MainActor
public final class FakePasswordStore: PasswordStore {
    /// The contents, by account.
    public var stored: [String: String] = [:]
    /// The error that operations fail with, or nil.
    public var failure: PasswordStoreError?
    /// The accounts whose password was requested, in order.
    public private(set) var requests: [String] = []
    /// The number of times that a password was to be stored.
    public private(set) var storeCount = 0
    /// Whether answers wait for `release()`.
    public var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private let observers = Observers<Void>()

    /// Creates an empty keyring.
    public init() {}

    /// Returns the password of an account, as it was when it was requested.
    public func password(of account: String) async throws(PasswordStoreError) -> String? {
        requests.append(account)
        let password = stored[account]
        try await answer()
        return password
    }

    /// Stores a password.
    public func keep(_ password: String, of account: String) async throws(PasswordStoreError) {
        storeCount += 1
        try await answer()
        stored[account] = password
    }

    /// Removes the password of an account.
    public func forget(_ account: String) async throws(PasswordStoreError) {
        try await answer()
        stored[account] = nil
    }

    /// Calls `body` when the test lets the keyring return.
    public func observeReturn(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    /// Tells that the keyring has started or was unlocked.
    public func returns() { observers.notify(()) }

    /// Releases the held answers.
    public func release() {
        isHeld = false
        for one in waiting { one.resume() }
        waiting = []
    }

    private func answer() async throws(PasswordStoreError) {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        if let failure { throw failure }
    }
}

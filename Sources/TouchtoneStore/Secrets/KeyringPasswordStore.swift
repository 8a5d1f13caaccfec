// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// Keeps passwords in the Secret Service, and nowhere else.
///
/// As other programs know them: schema `io.github.touchtone.Touchtone.Password`, the attributes `service` and `account`.
public final class KeyringPasswordStore: PasswordStore {
    private let service: String
    /// One piece of work after the other, so that a password that was kept later is the one that stays.
    private let work = BackgroundThread("passwords")

    /// - Parameter service: what the passwords are for: `xmpp` or `sip`.
    public init(service: String) { self.service = service }

    /// The password of an account; nil where none is kept.
    public func password(of account: String) async throws(PasswordStoreError) -> String? {
        try await ask(account) { keyring throws(Keyring.Failure) in try keyring.lookup() }
    }

    /// Keeps a password in place of the one before.
    public func keep(_ password: String, of account: String) async throws(PasswordStoreError) {
        let label = "Touchtone: \(account)"
        try await ask(account) { keyring throws(Keyring.Failure) in
            try keyring.store(password, label: label)
            // One that says yes and keeps nothing would ask again at each start, and not say why.
            guard try keyring.lookup() == password else { throw .refused("it did not keep the password") }
        }
    }

    /// Keeps it no more; one that is not there is gone.
    public func forget(_ account: String) async throws(PasswordStoreError) {
        try await ask(account) { keyring throws(Keyring.Failure) in try keyring.clear() }
    }

    /// Asks the keyring where it holds nobody up.
    private func ask<Answer: Sendable>(
        _ account: String, _ body: @escaping @Sendable (Keyring) throws(Keyring.Failure) -> Answer
    ) async throws(PasswordStoreError) -> Answer {
        let keyring = Keyring(service: service, account: account)
        return try await work.run { () -> Result<Answer, PasswordStoreError> in
            do throws(Keyring.Failure) {
                // libsecret would say no more than that it was refused.
                try keyring.find()
                return .success(try body(keyring))
            } catch {
                return .failure(PasswordStoreError(error))
            }
        }.get()
    }
}

extension PasswordStoreError {
    /// The keyring has not done it.
    init(_ failure: Keyring.Failure) {
        switch failure {
        case .absent: self = .absent
        case .refused(let reason): self = .refused(reason)
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// A store that saves passwords in the Secret Service, and nowhere else.
///
/// Other programs find them under the schema `io.github.touchtone.Touchtone.Password`, with the attributes `service`
/// and `account`.
public final class KeyringPasswordStore: PasswordStore {
    private let service: String
    /// The thread of all operations, one at a time: the password that is saved last is the one that stays.
    private let work = BackgroundThread("passwords")
    private let observers = Observers<Void>()
    /// The listener that tells of the keyring's return; nil until it could not give a password.
    private var listener: KeyringReturn?

    /// - Parameter service: The purpose of the passwords: `xmpp` or `sip`.
    public init(service: String) { self.service = service }

    public func password(of account: String) async throws(PasswordStoreError) -> String? {
        do throws(PasswordStoreError) {
            return try await ask(account) { keyring throws(Keyring.Failure) in try keyring.lookup() }
        } catch {
            if listener == nil { listener = KeyringReturn { [observers] in observers.notify(()) } }
            throw error
        }
    }

    public func observeReturn(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    public func keep(_ password: String, of account: String) async throws(PasswordStoreError) {
        let label = "Touchtone: \(account)"
        try await ask(account) { keyring throws(Keyring.Failure) in
            try keyring.store(password, label: label)
            // A keyring that reports success without saving would make the app ask at each start without giving the
            // reason.
            guard try keyring.lookup() == password else {
                throw .refused(localized("it did not save the password"))
            }
        }
    }

    /// Removes the password of an account; a missing password is not an error.
    public func forget(_ account: String) async throws(PasswordStoreError) {
        try await ask(account) { keyring throws(Keyring.Failure) in try keyring.clear() }
    }

    private func ask<Answer: Sendable>(
        _ account: String, _ body: @escaping @Sendable (Keyring) throws(Keyring.Failure) -> Answer
    ) async throws(PasswordStoreError) -> Answer {
        let keyring = Keyring(service: service, account: account)
        return try await work.run { () -> Result<Answer, PasswordStoreError> in
            Result { () throws(Keyring.Failure) in
                // libsecret alone would only report that the request was refused.
                try keyring.find()
                return try body(keyring)
            }.mapError { PasswordStoreError($0) }
        }.get()
    }
}

extension PasswordStoreError {
    init(_ failure: Keyring.Failure) {
        switch failure {
        case .absent: self = .absent
        case .refused(let reason): self = .refused(reason)
        }
    }
}

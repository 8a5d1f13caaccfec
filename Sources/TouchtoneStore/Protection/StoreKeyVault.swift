// SPDX-License-Identifier: GPL-3.0-or-later

package import TouchtoneCore

/// A place for the keys of encrypted files, in which each has its name.
///
/// Every call may block for as long as a person takes to unlock the keyring. Call it on the store's thread.
package protocol StoreKeyVault: Sendable {
    /// Returns the digits of a key, or nil if there is none.
    func digits(of name: String) throws(StoreKeyProblem) -> String?
    /// Saves a key, and throws unless it can be read again.
    func save(_ digits: String, name: String) throws(StoreKeyProblem)
    func remove(_ name: String)
}

/// The desktop's keyring.
struct KeyringVault: StoreKeyVault {
    func digits(of name: String) throws(StoreKeyProblem) -> String? {
        try ask(name) { keyring throws(Keyring.Failure) in try keyring.lookup() }
    }

    func save(_ digits: String, name: String) throws(StoreKeyProblem) {
        try ask(name) { keyring throws(Keyring.Failure) in
            try keyring.store(digits, label: localized("Key of Touchtone’s messages"))
            // A keyring that reports success without saving would lock out its owner.
            guard try keyring.lookup() == digits else {
                throw .refused(localized("it did not save the key"))
            }
        }
    }

    func remove(_ name: String) {
        try? ask(name) { keyring throws(Keyring.Failure) in try keyring.clear() }
    }

    private func ask<Answer>(
        _ name: String, _ body: (Keyring) throws(Keyring.Failure) -> Answer
    ) throws(StoreKeyProblem) -> Answer {
        let keyring = Keyring(service: "messages", account: name)
        do throws(Keyring.Failure) {
            // libsecret alone would only report that the request was refused.
            try keyring.find()
            return try body(keyring)
        } catch {
            switch error {
            case .absent(let reason): throw .noKeyring(reason)
            case .refused(let reason): throw .keyringRefused(reason)
            }
        }
    }
}

extension StoreKeyVault {
    /// Returns the key with a name.
    func key(_ name: String) throws(StoreKeyProblem) -> StoreKey {
        guard let digits = try digits(of: name) else { throw .missing }
        guard let key = StoreKey(digits: digits), key.name == name else { throw .wrong }
        return key
    }
}

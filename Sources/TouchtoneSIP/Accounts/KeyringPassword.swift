// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A password in the keyring, and what is known of it.
@MainActor
final class KeyringPassword {
    enum Secret: Hashable {
        case unknown
        /// The keyring was asked, and has not answered.
        case asked
        case missing(ChatAccount.PasswordReason)
        case known(String)
    }

    private(set) var secret = Secret.unknown
    /// The reason why the password is not in the keyring; nil if it is, or if that is not known yet.
    private(set) var notKept: ChatAccount.PasswordReason?
    /// The reason why the keyring did not return a password that is known; nil if it did, or was not asked again.
    private(set) var notRead: ChatAccount.PasswordReason?
    private let keyring: any PasswordStore
    /// The number of the last question or change; the keyring's answers to earlier ones are ignored.
    private var number = 0

    init(in keyring: any PasswordStore) { self.keyring = keyring }

    /// Whether the keyring could not give the password, and not only had none.
    var isOutOfReach: Bool {
        switch secret {
        case .missing(.noKeyring), .missing(.keyringRefused): true
        case .missing(.noneKept), .unknown, .asked, .known: false
        }
    }

    var isKnown: Bool { if case .known = secret { true } else { false } }

    /// The reason why the password is missing or is not saved; nil if neither.
    var problem: ChatAccount.PasswordReason? {
        if case .missing(let reason) = secret { reason } else { notKept }
    }

    /// Asks the keyring; a known password stays if it returns none, because it may only be locked.
    func ask(for name: String, answered: @escaping @MainActor () -> Void) {
        if !isKnown { secret = .asked }
        number += 1
        Task { [weak self, keyring, number] in
            let answer: Secret
            do throws(PasswordStoreError) {
                answer = try await keyring.password(of: name).map { .known($0) } ?? .missing(.noneKept)
            } catch {
                answer = .missing(ChatAccount.PasswordReason(error))
            }
            guard let self, self.number == number else { return }
            if isKnown, case .missing(let reason) = answer {
                notRead = reason
            } else {
                (secret, notRead) = (answer, nil)
            }
            answered()
        }
    }

    /// Uses a password, and saves it.
    func set(_ password: String, for name: String, failed: @escaping @MainActor () -> Void) {
        forget()
        secret = .known(password)
        Task { [weak self, keyring, number] in
            do throws(PasswordStoreError) {
                try await keyring.keep(password, of: name)
            } catch {
                guard let self, self.number == number else { return }
                notKept = ChatAccount.PasswordReason(error)
                failed()
            }
        }
    }

    func forget() {
        number += 1
        (secret, notKept, notRead) = (.unknown, nil, nil)
    }
}

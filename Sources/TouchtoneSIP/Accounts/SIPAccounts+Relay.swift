// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

// The passwords of TURN servers.
extension SIPAccounts {
    /// Returns the password of an account's TURN server, empty if there is none; nil while the keyring is being asked.
    func relayPassword(of entry: SIPAccountEntry) -> String? {
        let name = entry.settings.relay
        if name != entry.relay.name {
            entry.relay = SIPAccountEntry.Relay(name: name, question: entry.relay.question + 1)
        }
        switch entry.relay.secret {
        case .known(let password): return password
        case .missing: return ""
        case .asked: return nil
        case .unknown:
            guard !name.isEmpty else { return "" }
            askRelay(entry)
            return nil
        }
    }

    /// Asks the keyring for the password, and connects the account with or without it.
    private func askRelay(_ entry: SIPAccountEntry) {
        entry.relay.secret = .asked
        entry.relay.question += 1
        let (question, name) = (entry.relay.question, entry.relay.name)
        Task { [weak self, weak entry, passwords = dependencies.passwords] in
            var secret: SIPAccountEntry.Secret
            do throws(PasswordStoreError) {
                let password = try await passwords.password(of: name)
                secret = password.map { .known($0) } ?? .missing(.noneKept)
            } catch {
                secret = .missing(ChatAccount.PasswordReason(error))
            }
            guard let self, let entry, entry.relay.question == question else { return }
            entry.relay.secret = secret
            connect(entry)
            settle()
        }
    }

    public func setRelayPassword(_ password: String, of id: String) {
        guard let entry = entries.first(where: { $0.id == id }), !password.isEmpty else { return }
        let name = entry.settings.relay
        guard !name.isEmpty else { return }
        entry.relay = SIPAccountEntry.Relay(
            name: name, secret: .known(password), question: entry.relay.question + 1)
        connect(entry)
        settle()
        let question = entry.relay.question
        Task { [weak self, weak entry, passwords = dependencies.passwords] in
            do throws(PasswordStoreError) {
                try await passwords.keep(password, of: name)
            } catch {
                guard let entry, entry.relay.question == question else { return }
                entry.relay.notKept = ChatAccount.PasswordReason(error)
                self?.settle()
            }
        }
    }

    /// Makes the next connection ask the keyring again, unless only this process has the password.
    func forgetRelayPassword(of entry: SIPAccountEntry) {
        if entry.relay.notKept == nil { entry.relay.secret = .unknown }
    }
}

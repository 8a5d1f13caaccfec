// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

// The passwords of TURN servers.
extension SIPAccounts {
    /// Returns the password of an account's TURN server, empty if there is none; nil while the keyring is being asked.
    func relayPassword(of entry: SIPAccountEntry) -> String? {
        entry.readRelay()
        switch entry.relayPassword.secret {
        case .known(let password): return password
        case .missing: return ""
        case .asked: return nil
        case .unknown:
            guard !entry.relay.isEmpty else { return "" }
            entry.relayPassword.ask(for: entry.relay, answered: connecting(entry))
            return nil
        }
    }

    public func setRelayPassword(_ password: String, of id: String) {
        guard let entry = entries.first(where: { $0.id == id }), !password.isEmpty else { return }
        entry.readRelay()
        guard !entry.relay.isEmpty else { return }
        entry.relayState = nil
        entry.relayPassword.set(password, for: entry.relay) { [weak self] in self?.settle() }
        connect(entry)
        settle()
    }

    /// Makes the next connection ask the keyring again, unless only this process has the password.
    func forgetRelayPassword(of entry: SIPAccountEntry) {
        if entry.relayPassword.notKept == nil { entry.relayPassword.forget() }
    }
}

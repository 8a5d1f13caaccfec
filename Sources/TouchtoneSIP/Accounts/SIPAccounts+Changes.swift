// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
public import TouchtoneCore

// Changes by the user, in Preferences.
extension SIPAccounts {
    @discardableResult
    public func add(_ address: String, password: String) throws(TelephoneAccountError) -> String {
        guard !password.isEmpty else { throw .noPassword }
        let id = try list.add(address)
        readList()
        setPassword(password, of: id)
        return id
    }

    @discardableResult
    public func add(_ setup: TelephoneSetup) throws(TelephoneAccountError) -> String {
        let id = try list.add(setup.address) { settings in
            for (key, text) in [
                ("auth-name", setup.user), ("registrar", setup.server), ("transport", setup.transport),
                ("srtp", setup.encryption), ("dtmf", setup.keys), ("voicemail", setup.voicemail),
            ] where !text.isEmpty { settings[text: key] = text }
            if let expiry = setup.expiry { settings[count: "expiry"] = expiry }
        }
        readList()
        setPassword(setup.password, of: id)
        return id
    }

    public func setPassword(_ password: String, of id: String) {
        guard let entry = entries.first(where: { $0.id == id }), let address = entry.settings.uri?.text,
            !password.isEmpty
        else { return }
        entry.password.set(password, for: address) { [weak self] in self?.settle() }
        connect(entry)
        settle()
    }

    public func test(_ id: String) {
        guard let entry = entries.first(where: { $0.id == id }), entry.account != nil else { return }
        forgetRelayPassword(of: entry)
        // A password that the keyring does not have would be lost by asking it again.
        if entry.password.notKept == nil || !entry.password.isKnown {
            ask(entry)
        } else {
            connect(entry)
        }
        settle()
    }

    public func trustCertificate(of id: String) {
        guard let entry = entries.first(where: { $0.id == id }), !entry.refusedCertificate.isEmpty else {
            return
        }
        entry.settings.trust(entry.refusedCertificate)
    }

    public func distrustCertificate(of id: String) {
        entries.first { $0.id == id }?.settings.trust(nil)
    }

    public func remove(_ id: String) {
        guard entries.contains(where: { $0.id == id }) else { return }
        for name in list.remove(id) {
            Task { [passwords = dependencies.passwords] in
                do throws(PasswordStoreError) {
                    try await passwords.forget(name)
                } catch {
                    DebugLog.write("sip: the password could not be removed: \(error)")
                }
            }
        }
        readList()
    }

    private var list: SIPAccountList { SIPAccountList(dependencies.settings, open: dependencies.open) }
}

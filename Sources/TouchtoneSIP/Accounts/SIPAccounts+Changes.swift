// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
public import TouchtoneCore

// Changes by the user, in Preferences.
extension SIPAccounts {
    @discardableResult
    public func add(_ address: String, password: String) throws(TelephoneAccountError) -> String {
        guard let uri = try? SIPURI(entered: address) else { throw .notAnAddress }
        guard !entries.contains(where: { $0.settings.uri == uri }) else { throw .exists }
        guard !password.isEmpty else { throw .noPassword }
        let list = AccountID.ids(in: dependencies.settings[list: "sip-accounts"])
        guard list.count < AccountID.maximumCount else { throw .tooMany }
        let id = AccountID.new(for: uri.shown, besides: list)
        guard let settings = try? dependencies.open(id) else { throw .notAnAddress }
        // An account that a script removed from the list may have left its settings.
        SIPAccountSettings(settings: settings).reset()
        settings[text: "address"] = uri.text
        dependencies.settings[list: "sip-accounts"] = list + [id]
        readList()
        setPassword(password, of: id)
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
        guard let entry = entries.first(where: { $0.id == id }) else { return }
        let names = [entry.settings.uri?.text ?? "", entry.settings.relay]
        let list = dependencies.settings[list: "sip-accounts"]
        dependencies.settings[list: "sip-accounts"] = list.filter { $0 != id }
        if dependencies.settings[text: "dial-line"] == id { dependencies.settings.reset("dial-line") }
        readList()
        entry.settings.reset()
        // Another account may have the same address or server, and so the same password.
        let kept = Set(entries.flatMap { [$0.settings.uri?.text ?? "", $0.settings.relay] } + [""])
        for name in names where !kept.contains(name) {
            Task { [passwords = dependencies.passwords] in
                do throws(PasswordStoreError) {
                    try await passwords.forget(name)
                } catch {
                    DebugLog.write("sip: the password could not be removed: \(error)")
                }
            }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge
public import TouchtoneCore

/// The SIP accounts in the settings, for a program that does not use them.
@MainActor
public struct SIPAccountList {
    private let settings: Settings
    private let open: (String) throws(GLibError) -> Settings

    public init(_ settings: Settings, open: @escaping (String) throws(GLibError) -> Settings) {
        (self.settings, self.open) = (settings, open)
    }

    public var ids: [String] { AccountID.ids(in: settings[list: "sip-accounts"]) }

    /// Returns the address under which the keyring has the password, and whether the account is used.
    public func account(_ id: String) -> (address: String, isEnabled: Bool)? {
        guard let account = (try? open(id)).map({ SIPAccountSettings(settings: $0) }) else { return nil }
        return (account.uri?.text ?? account.settings[text: "address"], account.isEnabled)
    }

    /// Returns the address of a new account as the settings have it.
    public func address(_ text: String) throws(TelephoneAccountError) -> String {
        guard let uri = try? SIPURI(entered: text) else { throw .notAnAddress }
        guard id(of: text) == nil else { throw .exists }
        guard ids.count < AccountID.maximumCount else { throw .tooMany }
        return uri.text
    }

    /// Returns the id of the account with an address; nil if there is none.
    public func id(of text: String) -> String? {
        guard let uri = try? SIPURI(entered: text) else { return nil }
        return ids.first { id in (try? open(id)).map { SIPAccountSettings(settings: $0).uri == uri } ?? false
        }
    }

    /// Adds an account, whose password the keyring has already.
    ///
    /// - Parameter fill: Sets other settings of the account, before it is used.
    @discardableResult
    public func add(
        _ text: String, _ fill: (Settings) -> Void = { _ in }
    ) throws(TelephoneAccountError) -> String {
        let address = try address(text)
        let id = AccountID.new(for: CallAddress.shown(address), besides: ids)
        guard let account = try? open(id) else { throw .notAnAddress }
        // An account that a script removed from the list may have left its settings.
        SIPAccountSettings(settings: account).reset()
        account[text: "address"] = address
        fill(account)
        settings[list: "sip-accounts"] = ids + [id]
        return id
    }

    /// Removes an account, and returns the names of passwords in the keyring that no other account needs.
    public func remove(_ id: String) -> [String] {
        guard let account = (try? open(id)).map({ SIPAccountSettings(settings: $0) }) else { return [] }
        let names = [account.uri?.text ?? "", account.relay]
        settings[list: "sip-accounts"] = settings[list: "sip-accounts"].filter { $0 != id }
        if settings[text: "dial-line"] == id { settings.reset("dial-line") }
        account.reset()
        let others = ids.compactMap { try? open($0) }.map { SIPAccountSettings(settings: $0) }
        let kept = Set(others.flatMap { [$0.uri?.text ?? "", $0.relay] } + [""])
        return names.filter { !kept.contains($0) }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The account details in the settings, where administrators and scripts can access them.
public final class GSettingsAccountStore: AccountStore {
    /// Called after each change, including those made by other programs.
    public var onChange: (@MainActor () -> Void)?
    private let settings: Settings
    private let prefix: String
    private let list: JabberAccountList?

    /// - Parameters:
    ///   - prefix: The beginning of the names of the account’s keys, such as “jabber-”; empty in the settings of one
    ///     account.
    ///   - list: The list whose first account it is, because the keys for one account have no label; otherwise nil.
    public init(_ settings: Settings, prefix: String = "jabber-", list: JabberAccountList? = nil) {
        (self.settings, self.prefix, self.list) = (settings, prefix, list)
        for key in ["jid", "host", "port", "tls", "pinned-certificate"] {
            settings.follow(prefix + key) { [weak self] in self?.onChange?() }
        }
        if prefix.isEmpty {
            for key in JabberAccountList.ownKeys { settings.follow(key) { [weak self] in self?.onChange?() } }
        }
        list?.observe(by: self) { [weak self] in self?.onChange?() }
    }

    /// The account’s own settings; nil if it is not in the list.
    private var own: Settings? { prefix.isEmpty ? settings : list?.firstSettings }

    public var isListed: Bool { own != nil }

    public var isEnabled: Bool {
        get { own?[flag: "enabled"] ?? true }
        set { own?[flag: "enabled"] = newValue }
    }

    public var label: String {
        get { own?[text: "label"] ?? "" }
        set { own?[text: "label"] = newValue }
    }

    public var details: AccountDetails {
        get {
            AccountDetails(
                address: settings[text: prefix + "jid"], host: settings[text: prefix + "host"],
                port: UInt16(clamping: settings[count: prefix + "port"]),
                security: AccountSecurity(rawValue: settings[text: prefix + "tls"]) ?? .automatic)
        }
        set {
            // Set the address last, so that observers of the address see the other details up to date.
            if !newValue.isAccount { settings[text: prefix + "jid"] = "" }
            settings[text: prefix + "host"] = newValue.host
            settings[count: prefix + "port"] = UInt32(newValue.port)
            settings[text: prefix + "tls"] = newValue.security.rawValue
            settings[text: prefix + "jid"] = newValue.address
        }
    }

    /// The SHA-256 fingerprint, in hex, of the one certificate that the user trusts; empty for none.
    public var trustedCertificate: String {
        get { settings[text: prefix + "pinned-certificate"] }
        set { settings[text: prefix + "pinned-certificate"] = newValue }
    }

    /// Returns the SASL name of the mechanism that an account last used to sign in; empty if none is stored.
    public func signInMethod(of address: String) -> String {
        let parts = settings[text: prefix + "sign-in-method"].split(separator: " ")
        return parts.count == 2 && parts[0] == address ? String(parts[1]) : ""
    }

    /// Stores the SASL mechanism of an account, replacing any other; an empty one removes it.
    public func keepSignInMethod(_ method: String, of address: String) {
        // Store the address too: if a script changes only the address, the mechanism must not apply to the new account.
        settings[text: prefix + "sign-in-method"] = method.isEmpty ? "" : "\(address) \(method)"
    }
}

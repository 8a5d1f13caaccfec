// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The account details in the settings, where administrators and scripts can access them.
public final class GSettingsAccountStore: AccountStore {
    /// Called after each change, including those made by other programs.
    public var onChange: (@MainActor () -> Void)?
    private let settings: Settings

    /// Creates a store that observes the settings for changes.
    public init(_ settings: Settings) {
        self.settings = settings
        for key in ["jabber-jid", "jabber-host", "jabber-port", "jabber-tls", "jabber-pinned-certificate"] {
            settings.follow(key) { [weak self] in self?.onChange?() }
        }
    }

    /// The current account details.
    public var details: AccountDetails {
        get {
            AccountDetails(
                address: settings[text: "jabber-jid"], host: settings[text: "jabber-host"],
                port: UInt16(clamping: settings[count: "jabber-port"]),
                security: AccountSecurity(rawValue: settings[text: "jabber-tls"]) ?? .automatic)
        }
        set {
            // Set the address last, so that observers of the address see the other details up to date.
            if !newValue.isAccount { settings[text: "jabber-jid"] = "" }
            settings[text: "jabber-host"] = newValue.host
            settings[count: "jabber-port"] = UInt32(newValue.port)
            settings[text: "jabber-tls"] = newValue.security.rawValue
            settings[text: "jabber-jid"] = newValue.address
        }
    }

    /// The SHA-256 fingerprint, in hex, of the one certificate that the user trusts; empty for none.
    public var trustedCertificate: String {
        get { settings[text: "jabber-pinned-certificate"] }
        set { settings[text: "jabber-pinned-certificate"] = newValue }
    }

    /// Returns the SASL name of the mechanism that an account last used to sign in; empty if none is stored.
    public func signInMethod(of address: String) -> String {
        let parts = settings[text: "jabber-sign-in-method"].split(separator: " ")
        return parts.count == 2 && parts[0] == address ? String(parts[1]) : ""
    }

    /// Stores the SASL mechanism of an account, replacing any other; an empty one removes it.
    public func keepSignInMethod(_ method: String, of address: String) {
        // Store the address too: if a script changes only the address, the mechanism must not apply to the new account.
        settings[text: "jabber-sign-in-method"] = method.isEmpty ? "" : "\(address) \(method)"
    }
}

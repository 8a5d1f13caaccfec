// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The account's details in the settings, where administrators and scripts find them.
public final class GSettingsAccountStore: AccountStore {
    /// Called after each change, whoever makes it.
    public var onChange: (@MainActor () -> Void)?
    private let settings: Settings

    /// Takes the settings.
    public init(_ settings: Settings) {
        self.settings = settings
        for key in ["jabber-jid", "jabber-host", "jabber-port", "jabber-tls", "jabber-pinned-certificate"] {
            settings.follow(key) { [weak self] in self?.onChange?() }
        }
    }

    /// The details, as they are now.
    public var details: AccountDetails {
        get {
            AccountDetails(
                address: settings[text: "jabber-jid"], host: settings[text: "jabber-host"],
                port: UInt16(clamping: settings[count: "jabber-port"]),
                security: AccountSecurity(rawValue: settings[text: "jabber-tls"]) ?? .automatic)
        }
        set {
            // The address last: whoever follows it finds the rest in its place.
            if !newValue.isAccount { settings[text: "jabber-jid"] = "" }
            settings[text: "jabber-host"] = newValue.host
            settings[count: "jabber-port"] = UInt32(newValue.port)
            settings[text: "jabber-tls"] = newValue.security.rawValue
            settings[text: "jabber-jid"] = newValue.address
        }
    }

    /// SHA-256 in hex of the one certificate that the user trusts; empty is none.
    public var trustedCertificate: String {
        get { settings[text: "jabber-pinned-certificate"] }
        set { settings[text: "jabber-pinned-certificate"] = newValue }
    }

    /// The SASL name of the mechanism by which an account was last signed in; empty where none is kept.
    public func signInMethod(of address: String) -> String {
        let parts = settings[text: "jabber-sign-in-method"].split(separator: " ")
        return parts.count == 2 && parts[0] == address ? String(parts[1]) : ""
    }

    /// Keeps the mechanism of an account in place of any other; empty forgets it.
    public func keepSignInMethod(_ method: String, of address: String) {
        // With the address, so that a script that changes that alone does not pass it on to another account.
        settings[text: "jabber-sign-in-method"] = method.isEmpty ? "" : "\(address) \(method)"
    }
}

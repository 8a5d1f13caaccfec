// SPDX-License-Identifier: GPL-3.0-or-later

// What the account is, for those who show it.
extension ChatAccount {
    public var details: AccountDetails { memory.details }

    /// The SHA-256 fingerprint, in hex, of the certificate that the user trusts; empty for none.
    public var trustedCertificate: String { memory.trustedCertificate }

    /// Whether the account has settings of its own, which hold its label and whether it is used.
    public var isListed: Bool { memory.isListed }

    /// The name that the user gave the account; empty if there is none.
    public var label: String {
        get { memory.label }
        set { memory.label = newValue }
    }

    /// The label, or else the address.
    public var name: String { label.isEmpty ? details.address : label }

    /// Whether the account is used: otherwise it is signed out, also after the next start.
    public var isEnabled: Bool {
        get { memory.isEnabled }
        set { memory.isEnabled = newValue }
    }

    /// Whether the user is looking at the program: if not, the server may hold back what can wait.
    public var isActive: Bool {
        get { connection.isActive }
        set { connection.isActive = newValue }
    }

    /// Whether nothing is in progress any more after `signOut()`: no stream, and no password on its way to the keyring.
    public var isSettled: Bool { connection.isSettled && keeping == 0 }

    /// Checks at once whether the server still responds, after the machine has slept.
    public func wakeUp() { connection.wakeUp() }

    /// Whether the account waits for the user to type the password.
    public var wantsPassword: Bool {
        switch state {
        case .passwordWanted, .failed(.password): true
        case .none, .disabled, .signedOut, .asking, .connecting, .online, .waiting, .failed: false
        }
    }

    /// Whether the account is online, connecting, or about to reconnect automatically.
    public var isWantedOnline: Bool {
        switch state {
        case .asking, .connecting, .online, .waiting: true
        case .none, .disabled, .signedOut, .passwordWanted, .failed: false
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

@MainActor
public protocol TelephoneAccounts: AnyObject {
    /// Whether this installation can use accounts: support for them is optional.
    var isSupported: Bool { get }

    /// The accounts in the order of preference, disabled ones included.
    var accounts: [TelephoneAccount] { get }

    /// Connects the accounts, if there are any; call it once, when the window is shown.
    func start()

    /// Registers the accounts again at once, after the machine has slept.
    func wakeUp()

    /// Adds an account and connects it; on an error, nothing changes.
    ///
    /// - Parameter address: As the user entered it, with or without `sip:`.
    /// - Returns: The id of the account.
    @discardableResult
    func add(_ address: String, password: String) throws(TelephoneAccountError) -> String

    /// Adds an account with its settings, and connects it; on an error, nothing changes.
    ///
    /// Without a password, the user is asked for one.
    @discardableResult
    func add(_ setup: TelephoneSetup) throws(TelephoneAccountError) -> String

    /// Saves a password in place of the previous one, and connects the account with it.
    func setPassword(_ password: String, of id: String)

    /// Saves the password of the account's TURN server, in place of the previous one, and connects the account with it.
    func setRelayPassword(_ password: String, of id: String)

    /// Registers an account again at once, with the password in the keyring; `state` has the result.
    func test(_ id: String)

    /// Trusts the certificate of an account's server that was refused, for that server only, and registers the account.
    func trustCertificate(of id: String)

    func distrustCertificate(of id: String)

    func remove(_ id: String)

    /// Whether any account diverts its calls.
    var isDiverting: Bool { get }

    /// Whether any account has a number or address to which its calls can be diverted.
    var canDivert: Bool { get }

    /// Diverts the calls of all accounts that can, or of none.
    func setDiverting(_ isOn: Bool)

    /// Calls `body` now and after each change, as long as `owner` exists.
    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void)
}

public struct TelephoneAccount: Hashable, Sendable, Identifiable {
    public enum State: Hashable, Sendable {
        case disabled
        /// The password is requested from the keyring, which the user may have to unlock.
        case asking
        case passwordWanted(ChatAccount.PasswordReason)
        case connecting
        /// The account is registered: it makes and receives calls.
        case registered
        /// The account is not registered; with the reason and what to do, in sentences for the user.
        case failed(String)
    }

    /// The identifier of the account, which is also its line's.
    public let id: String
    /// The address, such as `sip:ada@example.org`.
    public let address: String
    public let state: State
    /// The reason why the password is not in the keyring; nil if it is, or if that is not known yet.
    public let notKept: ChatAccount.PasswordReason?
    /// The reason why the keyring did not return the password that is in use when it was asked again; nil if it did.
    public let notRead: ChatAccount.PasswordReason?
    /// The reason why the TURN server's password is not in the keyring; nil if it is, or if none is needed.
    public let relayProblem: ChatAccount.PasswordReason?
    /// The fault that the check of the TURN server found, in sentences for the user; empty if none, or without a check.
    public let relayFailure: String
    /// The SHA-256 fingerprint, in lower-case hex, of the server's certificate that was refused; empty if none was.
    public let refusedCertificate: String
    /// SHA-256 of the certificate that the user trusts although it fails verification; empty for none.
    public let trustedCertificate: String
    /// The number of new messages in the voicemail; nil if there are some, and the provider says no number.
    public var newMessages: Int? = 0

    public init(
        id: String, address: String, state: State, notKept: ChatAccount.PasswordReason? = nil,
        notRead: ChatAccount.PasswordReason? = nil, relayProblem: ChatAccount.PasswordReason? = nil,
        relayFailure: String = "", refusedCertificate: String = "", trustedCertificate: String = ""
    ) {
        (self.id, self.address, self.state) = (id, address, state)
        (self.notKept, self.notRead, self.relayProblem) = (notKept, notRead, relayProblem)
        self.relayFailure = relayFailure
        (self.refusedCertificate, self.trustedCertificate) = (refusedCertificate, trustedCertificate)
    }
}

public enum TelephoneAccountError: Error, Hashable, Sendable {
    case notAnAddress
    case exists
    case noPassword
    case tooMany
}

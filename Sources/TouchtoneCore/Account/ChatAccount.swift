// SPDX-License-Identifier: GPL-3.0-or-later

/// Signs in to the Jabber account, and saves its password in the keyring once the server has accepted it.
@MainActor
public final class ChatAccount {
    public enum PasswordReason: Hashable, Sendable {
        case noneKept
        case noKeyring
        case keyringRefused(String)
    }

    public private(set) var state = AccountState.none
    /// The reason why the password is not in the keyring; nil if it is, or if that is not known yet.
    public private(set) var notKept: PasswordReason?

    private let memory: any AccountStore
    private let passwords: any PasswordStore
    let connection: any AccountConnection
    /// The current password; nil if the server has refused it.
    private var password: Password?
    /// The last password that the server refused, which the keyring may still hold.
    private var refused: Refused?
    /// The number of the current attempt, by which late results of earlier ones are recognized.
    private var attempt = 0
    private var isRunning = false
    private var isWriting = false
    /// The settings of the current attempt: writing the same settings again is not a change.
    private var begun: Begun?
    private let observers = Observers<Void>()

    private struct Password {
        let account: String
        let text: String
        var isKept: Bool
    }

    private struct Refused {
        let password: Password
        let details: AccountDetails
        let reason: String
    }

    /// The account whose conversations are shown.
    private var known: String

    private struct Begun: Hashable {
        let details: AccountDetails
        let certificate: String
        let isEnabled: Bool

        @MainActor
        init(_ memory: any AccountStore) {
            details = memory.details
            (certificate, isEnabled) = (memory.trustedCertificate, memory.isEnabled)
        }
    }

    /// Creates an account with the stored details, signed out, without reading the keyring.
    public init(memory: any AccountStore, passwords: any PasswordStore, connection: any AccountConnection) {
        self.memory = memory
        self.passwords = passwords
        self.connection = connection
        known = memory.details.address
        state = idle
        connection.onChange = { [weak self] in self?.connectionChanged() }
        memory.onChange = { [weak self] in self?.memoryChanged() }
    }

    /// Calls `body` now and after each change, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    /// The state without a connection.
    private var idle: AccountState {
        if !memory.details.isAccount { return .none }
        return memory.isEnabled ? .signedOut : .disabled
    }

    private func become(_ next: AccountState) {
        state = next
        notify()
    }

    private func notify() { observers.notify(()) }
}

// MARK: - State

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

    /// Whether nothing is in progress any more after `signOut()`.
    public var isSettled: Bool { connection.isSettled }

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

// MARK: - Actions of the user

extension ChatAccount {
    public enum ValidationError: Error, Hashable, Sendable {
        case address
        /// The password is missing, or is the one that the server refused.
        case password
        /// A port is given without a server.
        case port
    }

    /// Signs in the stored account, if there is one; called once the program’s window is shown.
    public func start() {
        guard !isRunning else { return }
        isRunning = true
        begin()
    }

    /// Signs in with the entered details, and stores them; on an error, nothing changes.
    ///
    /// An account that was switched off is switched on.
    ///
    /// - Parameters:
    ///   - password: Nil for the current one, or the one in the keyring.
    ///   - certificate: The fingerprint of the certificate that the user has trusted on a new server; empty for none.
    public func signIn(
        _ typed: AccountDetails, password text: String? = nil, trusting certificate: String = ""
    ) throws(ValidationError) {
        var details = typed
        guard let address = connection.address(typed.address) else { throw .address }
        details.address = address
        guard details.port == 0 || !details.host.isEmpty else { throw .port }
        let old = memory.details
        if let text {
            guard !text.isEmpty else { throw .password }
            password = Password(account: address, text: text, isKept: false)
            refused = nil
        } else if case .failed(.password) = state, address == old.address {
            throw .password
        }
        isRunning = true
        write {
            // The user trusted that certificate for the old server only.
            if !details.hasServer(of: old) { memory.trustedCertificate = certificate }
            if old.isAccount, old.address != address { memory.keepSignInMethod("", of: old.address) }
            memory.details = details
            if !memory.isEnabled { memory.isEnabled = true }
        }
        if old.isAccount, old.address != address { forget(old.address) }
        begin()
    }

    /// - Parameter isByUser: Whether the user signs out, and not only the program ends.
    public func signOut(isByUser: Bool = false) {
        attempt += 1
        connection.disconnect()
        if isByUser { forgetToken() }
        become(idle)
    }

    /// Removes the account, its password and its keys from this computer; its messages stay in the store, hidden.
    public func remove() {
        let old = memory.details
        attempt += 1
        if old.isAccount { connection.forgetKeys(of: old.address) }
        connection.use("")
        known = ""
        password = nil
        refused = nil
        notKept = nil
        write {
            memory.trustedCertificate = ""
            memory.keepSignInMethod("", of: old.address)
            (memory.label, memory.isEnabled) = ("", true)
            memory.details = AccountDetails()
        }
        begun = nil
        become(.none)
        if old.isAccount { forget(old.address) }
    }

    /// Trusts the reported certificate for this server only, and signs in.
    public func trustCertificate() {
        guard case .failed(.certificate(let report)) = state, !report.fingerprint.isEmpty else { return }
        write { memory.trustedCertificate = report.fingerprint }
        begin()
    }

    /// Signs in with the weaker mechanism that the server offers now; still weaker ones remain refused.
    public func allowWeakerSignIn() {
        guard case .failed(.weakerSignIn(let offer)) = state,
            let address = connection.address(memory.details.address)
        else { return }
        write { memory.keepSignInMethod(offer.method, of: address) }
        begin()
    }

    public func distrustCertificate() {
        guard !memory.trustedCertificate.isEmpty else { return }
        let isWanted = isWantedOnline
        write { memory.trustedCertificate = "" }
        if isWanted { begin() } else { notify() }
    }
}

// MARK: - Signing in

extension ChatAccount {
    private func write(_ body: () -> Void) {
        isWriting = true
        body()
        isWriting = false
    }

    /// Applies settings that were changed elsewhere, such as by an administrator or a script.
    private func memoryChanged() {
        guard !isWriting else { return }
        // The label concerns only those who show it.
        guard begun != Begun(memory) else { return notify() }
        if isRunning { begin() } else { become(idle) }
    }

    private func begin() {
        attempt += 1
        let details = memory.details
        begun = Begun(memory)
        if details.address != known {
            known = details.address
            connection.use(known)
        }
        guard details.isAccount, memory.isEnabled else {
            connection.disconnect()
            if details.isAccount { forgetToken() }
            return become(idle)
        }
        guard let address = connection.address(details.address) else {
            connection.disconnect()
            return become(
                .failed(
                    .other(localized("“{address}” is not a Jabber address.", ["address": details.address]))))
        }
        if let password, password.account == address { return connect(details, password.text) }
        password = nil
        notKept = nil
        connection.disconnect()
        become(.asking)
        let attempt = attempt
        Task {
            let wanted: PasswordReason
            do throws(PasswordStoreError) {
                if let text = try await passwords.password(of: address) {
                    guard attempt == self.attempt else { return }
                    // Repeated attempts with a wrong password may lock the account.
                    if let refused, refused.password.text == text, refused.details.hasServer(of: details) {
                        return become(.failed(.password(refused.reason)))
                    }
                    password = Password(account: address, text: text, isKept: true)
                    return connect(details, text)
                }
                wanted = .noneKept
            } catch {
                wanted = PasswordReason(error)
            }
            guard attempt == self.attempt else { return }
            become(.passwordWanted(wanted))
        }
    }

    private func connect(_ details: AccountDetails, _ password: String) {
        let address = connection.address(details.address) ?? details.address
        connection.connect(
            details, password: password, trusting: memory.trustedCertificate,
            atLeast: memory.signInMethod(of: address))
        connectionChanged()
    }

    private func connectionChanged() {
        let next = connection.state
        switch next {
        case .none, .disabled, .signedOut, .asking, .passwordWanted:
            // While the keyring is asked, the connection has not been started yet.
            if isWantedOnline, state != .asking { become(idle) }
        case .online:
            keepMethod()
            become(next)
            keepPassword()
        case .connecting, .waiting, .failed:
            if case .failed(.password(let reason)) = next, let password {
                refused = Refused(password: password, details: memory.details, reason: reason)
                self.password = nil
            }
            become(next)
        }
    }

    /// Stores the mechanism of the sign-in, because a weaker offer later may come from an attacker in between.
    private func keepMethod() {
        let method = connection.signInMethod
        guard !method.isEmpty, let address = connection.address(memory.details.address),
            memory.signInMethod(of: address) != method
        else { return }
        write { memory.keepSignInMethod(method, of: address) }
    }

    /// Saves the password once the server has accepted it.
    private func keepPassword() {
        guard let password, !password.isKept else { return }
        self.password?.isKept = true
        Task {
            do throws(PasswordStoreError) {
                try await passwords.keep(password.text, of: password.account)
                notKept = nil
            } catch {
                notKept = PasswordReason(error)
            }
            // The account was removed or changed while the keyring was being unlocked.
            if memory.details.address != password.account { return forget(password.account) }
            notify()
        }
    }

    /// Keeps a password that the server has taken in place of the last one.
    func keepReplaced(_ text: String) {
        guard let address = connection.address(memory.details.address) else { return }
        password = Password(account: address, text: text, isKept: false)
        keepPassword()
    }

    private func forgetToken() {
        let address = memory.details.address
        connection.forgetToken(of: connection.address(address) ?? address)
    }

    private func forget(_ account: String) {
        connection.forgetToken(of: account)
        Task {
            do throws(PasswordStoreError) {
                try await passwords.forget(account)
            } catch {
                // If there is no keyring, it has no password to remove.
                if case .refused = error, !memory.details.isAccount { notKept = PasswordReason(error) }
                notify()
            }
        }
    }
}

extension ChatAccount.PasswordReason {
    public init(_ error: PasswordStoreError) {
        switch error {
        case .absent: self = .noKeyring
        case .refused(let reason): self = .keyringRefused(reason)
        }
    }
}

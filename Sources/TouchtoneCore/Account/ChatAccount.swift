// SPDX-License-Identifier: GPL-3.0-or-later

/// Signs in to the Jabber account, and saves its password in the keyring: one that the user types once the server has accepted it,
/// one that came from elsewhere at once.
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

    let memory: any AccountStore
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
    /// The number of passwords that the keyring has not taken yet.
    private(set) var keeping = 0
    /// The settings of the current attempt: writing the same settings again is not a change.
    private var begun: Begun?
    private let observers = Observers<Void>()

    private struct Password: Hashable {
        let account: String
        let text: String
        var isKept: Bool

        var kept: Password { Password(account: account, text: text, isKept: true) }
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
        passwords.observeReturn(by: self) { [weak self] in self?.keyringReturned() }
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

    /// Returns why nobody could sign in with some details, whatever the password; nil if somebody could.
    public func problem(of details: AccountDetails) -> ValidationError? {
        do throws(ValidationError) {
            _ = try canonicalAddress(of: details)
            return nil
        } catch {
            return error
        }
    }

    private func canonicalAddress(of details: AccountDetails) throws(ValidationError) -> String {
        guard let address = connection.address(details.address) else { throw .address }
        guard details.port == 0 || !details.host.isEmpty else { throw .port }
        return address
    }

    /// Signs in with the entered details, and stores them; on an error, nothing changes.
    ///
    /// An account that was switched off is switched on.
    ///
    /// - Parameters:
    ///   - password: Nil for the current one, or the one in the keyring.
    ///   - certificate: The fingerprint of the certificate that the user has trusted on a new server; empty for none.
    ///   - keepsAtOnce: Whether the keyring gets the password before the server has accepted it, because the user may not be able
    ///     to type it: the program may end, or the server be out of reach, until long after.
    public func signIn(
        _ typed: AccountDetails, password text: String? = nil, trusting certificate: String = "",
        keepsAtOnce: Bool = false
    ) throws(ValidationError) {
        var details = typed
        let address = try canonicalAddress(of: typed)
        details.address = address
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
        if keepsAtOnce { keepPassword() }
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

    /// Asks the keyring again for the password that it could not give.
    private func keyringReturned() {
        switch state {
        case .passwordWanted(.noKeyring), .passwordWanted(.keyringRefused): begin()
        default: break
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

    /// Saves the password, unless that is done.
    private func keepPassword() {
        guard let password, !password.isKept else { return }
        self.password?.isKept = true
        keeping += 1
        Task {
            do throws(PasswordStoreError) {
                try await passwords.keep(password.text, of: password.account)
                notKept = nil
            } catch {
                notKept = PasswordReason(error)
                // It is tried again at the next sign-in, if that asks the user nothing, or has not been proven worth it yet.
                if error == .absent || state != .online, self.password == password.kept {
                    self.password = password
                }
            }
            keeping -= 1
            // The account was removed or changed while the keyring was being unlocked. Its address may not be in its canonical form.
            if connection.address(memory.details.address) != password.account {
                return forget(password.account)
            }
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

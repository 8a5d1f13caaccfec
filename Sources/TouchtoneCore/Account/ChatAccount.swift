// SPDX-License-Identifier: GPL-3.0-or-later

/// The Jabber account: signs it in, and says how it stands.
///
/// The password is kept by a keyring, once the server has taken it; what there is no keyring for is asked at each start.
@MainActor
public final class ChatAccount {
    /// How the account stands.
    public enum State: Hashable, Sendable {
        /// There is none.
        case none
        /// There is one, which is not wanted online.
        case signedOut
        /// The keyring is asked for the password, which a person may have to open it for.
        case asking
        /// The password has to be typed, because of that.
        case passwordWanted(PasswordReason)
        /// On the way.
        case connecting
        /// Online.
        case online
        /// It comes back by itself: why it is not there, in words for the user.
        case waiting(String)
        /// It does not try again before the user has done something.
        case failed(AccountProblem)
    }

    /// Why a password has to be typed.
    public enum PasswordReason: Hashable, Sendable {
        /// None is kept.
        case noneKept
        /// There is no keyring.
        case noKeyring
        /// The keyring did not give it: its reason.
        case keyringRefused(String)
    }

    /// How the account stands.
    public private(set) var state = State.none
    /// Why the password is not in the keyring; nil if it is, or that is not known yet.
    public private(set) var notKept: PasswordReason?

    private let memory: any AccountStore
    private let keeper: any PasswordStore
    private let connection: any AccountConnection
    /// The password in use; what the server refused is not.
    private var password: Password?
    /// The password that the server refused last: the keyring may still hold it.
    private var refused: Refused?
    /// Counts what was begun, so that an answer that comes too late is known for one.
    private var attempt = 0
    private var isRunning = false
    private var isWriting = false
    /// What was begun with: a setting that is written again as it was is no change.
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
    }

    /// Creates it, without asking anybody anything yet.
    public init(memory: any AccountStore, keeper: any PasswordStore, connection: any AccountConnection) {
        self.memory = memory
        self.keeper = keeper
        self.connection = connection
        known = memory.details.address
        state = memory.details.isAccount ? .signedOut : .none
        connection.onChange = { [weak self] in self?.connectionChanged() }
        memory.onChange = { [weak self] in self?.memoryChanged() }
    }

    /// Calls `body` now and after each change, as long as `owner` is there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    private func become(_ next: State) {
        state = next
        notify()
    }

    private func notify() { observers.notify(()) }
}

// MARK: - What is known

extension ChatAccount {
    /// Whom it signs in, and where.
    public var details: AccountDetails { memory.details }

    /// SHA-256 in hex of the certificate that the user trusts; empty is none.
    public var trustedCertificate: String { memory.trustedCertificate }

    /// Whether somebody is looking: where not, the server may hold back what can wait.
    public var isActive: Bool {
        get { connection.isActive }
        set { connection.isActive = newValue }
    }

    /// Whether nothing is under way any more after a `signOut`.
    public var isSettled: Bool { connection.isSettled }

    /// Looks at once whether the server is still there: the machine has slept.
    public func wakeUp() { connection.wakeUp() }

    /// Whether it waits for the user to type the password.
    public var wantsPassword: Bool {
        switch state {
        case .passwordWanted, .failed(.password): true
        case .none, .signedOut, .asking, .connecting, .online, .waiting, .failed: false
        }
    }

    /// Whether the account is online, on its way, or comes back by itself.
    public var isWantedOnline: Bool {
        switch state {
        case .asking, .connecting, .online, .waiting: true
        case .none, .signedOut, .passwordWanted, .failed: false
        }
    }
}

// MARK: - What the user does

extension ChatAccount {
    /// What is wrong with what was typed.
    public enum ValidationError: Error, Hashable, Sendable {
        /// It is no Jabber address.
        case address
        /// The password is missing, or is the one that was refused.
        case password
        /// A port was given without a server.
        case port
    }

    /// Begins with the account that is kept, if there is one: at the program's start, once it is shown.
    public func start() {
        guard !isRunning else { return }
        isRunning = true
        begin()
    }

    /// Signs in what the user has typed.
    ///
    /// - Parameter password: nil is the one in use, or the one in the keyring.
    public func signIn(_ typed: AccountDetails, password text: String? = nil) throws(ValidationError) {
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
            // Nobody has looked at what another server shows.
            if !details.hasServer(of: old) { memory.trustedCertificate = "" }
            if old.isAccount, old.address != address { memory.keepSignInMethod("", of: old.address) }
            memory.details = details
        }
        if old.isAccount, old.address != address { forget(old.address) }
        begin()
    }

    /// Ends the connection, until the user or the next start signs in.
    public func signOut() {
        attempt += 1
        connection.disconnect()
        become(memory.details.isAccount ? .signedOut : .none)
    }

    /// Removes the account from this computer, with its password; the messages stay, out of sight.
    public func remove() {
        let old = memory.details
        attempt += 1
        connection.use("")
        known = ""
        password = nil
        refused = nil
        notKept = nil
        write {
            memory.trustedCertificate = ""
            memory.keepSignInMethod("", of: old.address)
            memory.details = AccountDetails()
        }
        begun = nil
        become(.none)
        if old.isAccount { forget(old.address) }
    }

    /// Trusts the certificate that was shown, of this server alone, and signs in.
    public func trustCertificate() {
        guard case .failed(.certificate(let report)) = state, !report.fingerprint.isEmpty else { return }
        write { memory.trustedCertificate = report.fingerprint }
        begin()
    }

    /// Allows the weaker sign-in that the server offers now, and signs in: the user has decided so.
    ///
    /// From then on nothing weaker than that is used.
    public func allowWeakerSignIn() {
        guard case .failed(.weakerSignIn(let offer)) = state,
            let address = connection.address(memory.details.address)
        else { return }
        write { memory.keepSignInMethod(offer.method, of: address) }
        begin()
    }

    /// Trusts no certificate any more that fails the check.
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

    /// Somebody else has changed a setting: an administrator, a script.
    private func memoryChanged() {
        guard !isWriting, begun != Begun(details: memory.details, certificate: memory.trustedCertificate)
        else { return }
        if isRunning { begin() } else { become(memory.details.isAccount ? .signedOut : .none) }
    }

    private func begin() {
        attempt += 1
        let details = memory.details
        begun = Begun(details: details, certificate: memory.trustedCertificate)
        if details.address != known {
            known = details.address
            connection.use(known)
        }
        guard details.isAccount else {
            connection.disconnect()
            return become(.none)
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
                if let text = try await keeper.password(of: address) {
                    guard attempt == self.attempt else { return }
                    // Attempts with a wrong password may lock the account.
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
        switch connection.state {
        case .off:
            // What is asked for meanwhile has not come as far as a connection.
            if isWantedOnline, state != .asking { become(.signedOut) }
        case .connecting: become(.connecting)
        case .online:
            keepMethod()
            become(.online)
            keepPassword()
        case .waiting(let reason): become(.waiting(reason))
        case .failed(let problem):
            if case .password(let reason) = problem, let password {
                refused = Refused(password: password, details: memory.details, reason: reason)
                self.password = nil
            }
            become(.failed(problem))
        }
    }

    /// Remembers how strongly the password was proven: a weaker offer later may come from an attacker in between.
    private func keepMethod() {
        let method = connection.signInMethod
        guard !method.isEmpty, let address = connection.address(memory.details.address),
            memory.signInMethod(of: address) != method
        else { return }
        write { memory.keepSignInMethod(method, of: address) }
    }

    /// Only what a server has taken is kept.
    private func keepPassword() {
        guard let password, !password.isKept else { return }
        self.password?.isKept = true
        Task {
            do throws(PasswordStoreError) {
                try await keeper.keep(password.text, of: password.account)
                notKept = nil
            } catch {
                notKept = PasswordReason(error)
            }
            // It was removed while the keyring was opened.
            if memory.details.address != password.account { return forget(password.account) }
            notify()
        }
    }

    private func forget(_ account: String) {
        Task {
            do throws(PasswordStoreError) {
                try await keeper.forget(account)
            } catch {
                // Where there is no keyring there is no password in it.
                if case .refused = error, !memory.details.isAccount { notKept = PasswordReason(error) }
                notify()
            }
        }
    }
}

extension ChatAccount.PasswordReason {
    fileprivate init(_ error: PasswordStoreError) {
        switch error {
        case .absent: self = .noKeyring
        case .refused(let reason): self = .keyringRefused(reason)
        }
    }
}

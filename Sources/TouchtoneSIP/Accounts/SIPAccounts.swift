// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge
import SIPMessages
public import TouchtoneCore
public import TouchtoneEngine

/// The SIP accounts in the settings, each with a line.
///
/// They need the engine from the first account that has a password to the last. Passwords are in the keyring,
/// and in memory while their account is used; they go to the engine through its socket only.
@MainActor
public final class SIPAccounts {
    public struct Dependencies {
        let settings: Settings
        let open: (String) throws(GLibError) -> Settings
        let lines: LineRegistry
        let passwords: any PasswordStore
        let clock: any Scheduler
        /// Returns the rules for writing numbers on the line with an id.
        public var makeRules: @MainActor (String) -> @MainActor () -> DialRules = { _ in { DialRules() } }

        /// `settings` are the app's; `open` returns those of the account with an id.
        public init(
            settings: Settings, open: @escaping (String) throws(GLibError) -> Settings, lines: LineRegistry,
            passwords: any PasswordStore, clock: any Scheduler
        ) {
            (self.settings, self.open, self.lines) = (settings, open, lines)
            (self.passwords, self.clock) = (passwords, clock)
        }
    }

    /// The rules for callers whom the user may not want; nil lets all of them ring.
    public var callers: CallerRules?

    let dependencies: Dependencies
    let engine: CallEngine
    var entries: [SIPAccountEntry] = []
    private var isStarted = false
    private var limit = IncomingLimit()
    private let observers = Observers<Void>()

    /// Creates the accounts of the settings with their lines, without reading the keyring or starting the engine.
    public init(_ dependencies: Dependencies, engine: CallEngine) {
        (self.dependencies, self.engine) = (dependencies, engine)
        engine.observe(by: self) { [weak self] in self?.handle($0) }
        dependencies.settings.follow("sip-accounts") { [weak self] in self?.readList() }
        dependencies.passwords.observeReturn(by: self) { [weak self] in self?.keyringReturned() }
    }
}

// MARK: - Settings

extension SIPAccounts {
    func readList() {
        let ids = AccountID.ids(in: dependencies.settings[list: "sip-accounts"])
        for entry in entries where !ids.contains(entry.id) {
            disconnect(entry)
            entry.password.forget()
        }
        entries = ids.compactMap { id in entries.first { $0.id == id } ?? makeEntry(id) }
        for entry in entries { read(entry) }
        settle()
    }

    private func makeEntry(_ id: String) -> SIPAccountEntry? {
        do throws(GLibError) {
            let settings = try dependencies.open(id)
            let line = SIPLine(
                id, calls: engine.calls, clock: dependencies.clock, makeRules: dependencies.makeRules(id))
            let entry = SIPAccountEntry(
                id: id, settings: settings, line: line, keyring: dependencies.passwords)
            let extensions = SIPExtensions(of: line, entry.settings)
            line.watched = extensions
            extensions.onChange = { [weak self, weak entry] in if let entry { self?.watch(entry) } }
            for key in SIPAccountSettings.keys {
                settings.follow(key) { [weak self, weak entry] in
                    if let self, let entry { settingsChanged(entry) }
                }
            }
            return entry
        } catch {
            DebugLog.write("sip: \(error.message)")
            return nil
        }
    }

    /// Reads an account soon, so that a script can change several keys.
    private func settingsChanged(_ entry: SIPAccountEntry) {
        guard !entry.isStale else { return }
        entry.isStale = true
        Task { [weak self, weak entry] in
            guard let self, let entry, entry.isStale, entries.contains(where: { $0 === entry }) else {
                return
            }
            read(entry)
            settle()
        }
    }

    /// Reads an account, and connects or disconnects it.
    func read(_ entry: SIPAccountEntry) {
        entry.isStale = false
        entry.line.watched?.read()
        let old = entry.account
        entry.account = entry.settings.isEnabled ? entry.settings.account(entry.id) : nil
        if entry.line.uri != entry.settings.uri {
            entry.line.uri = entry.settings.uri
            // The old address must not get calls while the keyring is asked for the new one's password.
            withdraw(entry)
            entry.password.forget()
        }
        guard entry.account != old else { return }
        if entry.account == nil {
            disconnect(entry)
            // It is asked again, unless only this process has it.
            if entry.password.notKept == nil { entry.password.forget() }
        } else {
            connect(entry)
        }
    }
}

// MARK: - Connection

extension SIPAccounts {
    /// Gives an account to the engine, and asks the keyring for its password before.
    func connect(_ entry: SIPAccountEntry) {
        guard isStarted, engine.isAvailable, let account = entry.account else { return }
        switch entry.password.secret {
        case .unknown: ask(entry)
        case .asked, .missing: break
        case .known(let password):
            entry.registration = .registering
            engine.setNeeded(true, by: self)
            guard engine.isReady, let relayPassword = relayPassword(of: entry) else { return }
            entry.isSet = true
            (entry.relayState, entry.mailbox) = (nil, nil)
            engine.send(.setAccount(account, password: password, relayPassword: relayPassword))
            entry.line.watched?.forget()
            entry.watched = []
            watch(entry)
        }
    }

    /// Lets the engine watch the extensions of an account.
    private func watch(_ entry: SIPAccountEntry) {
        guard entry.isSet, let addresses = entry.line.watched?.addresses, addresses != entry.watched
        else { return }
        entry.watched = addresses
        engine.send(.watch(account: entry.id, addresses: addresses))
    }

    func disconnect(_ entry: SIPAccountEntry) {
        withdraw(entry)
        entry.line.state = .unavailable(reason: localized("The account is turned off."))
    }

    /// Removes an account from the engine, which unregisters it.
    private func withdraw(_ entry: SIPAccountEntry) {
        if entry.isSet { engine.send(.removeAccount(id: entry.id)) }
        (entry.isSet, entry.mailbox) = (false, nil)
        entry.line.watched?.forget()
    }

    func ask(_ entry: SIPAccountEntry) {
        guard let address = entry.account?.address else { return }
        entry.password.ask(for: address, answered: connecting(entry))
    }

    /// Asks the keyring again for the passwords that it could not give.
    private func keyringReturned() {
        for entry in entries where entry.account != nil {
            if entry.password.isOutOfReach { ask(entry) }
            guard entry.relayPassword.isOutOfReach else { continue }
            entry.relayPassword.forget()
            connect(entry)
        }
        settle()
    }

    /// Returns a function that connects an account, for the answer of the keyring.
    func connecting(_ entry: SIPAccountEntry) -> @MainActor () -> Void {
        { [weak self, weak entry] in
            guard let self, let entry else { return }
            connect(entry)
            settle()
        }
    }

    /// Updates the lines and the engine for the accounts, and notifies observers.
    func settle() {
        for entry in entries {
            entry.line.state = state(of: entry).lineState
            entry.line.voicemail = entry.voicemail
            entry.line.diversion = entry.diversion
        }
        let enabled = entries.filter { $0.settings.isEnabled }.map(\.line)
        let shown = dependencies.lines.accounts
        if !enabled.elementsEqual(shown, by: { $0 === $1 }) { dependencies.lines.accounts = enabled }
        if !entries.contains(where: \.needsEngine) { engine.setNeeded(false, by: self) }
        notify()
    }

    private func state(of entry: SIPAccountEntry) -> TelephoneAccount.State {
        guard entry.settings.isEnabled else { return .disabled }
        guard engine.isAvailable else {
            return .failed(Self.noEngine)
        }
        let state = entry.state
        guard engine.isFailing, state == .connecting else { return state }
        return .failed(Self.engineFails)
    }
}

// MARK: - Engine

extension SIPAccounts {
    private func handle(_ change: CallEngine.Change) {
        switch change {
        case .ready:
            for entry in entries { connect(entry) }
            settle()
        case .ended:
            for entry in entries {
                (entry.isSet, entry.registration, entry.mailbox) = (false, .registering, nil)
                entry.line.watched?.forget()
            }
            settle()
        case .event(let event): handle(event)
        }
    }

    private func handle(_ event: SIPEvent) {
        switch event {
        case .registration(let id, let registration):
            // The engine may not know yet that the account was removed.
            guard let entry = entries.first(where: { $0.id == id }), entry.isSet else { return }
            entry.registration = registration
            if registration == .registered { engine.worked() }
            settle()
        case .relay(let id, let state):
            guard let entry = entries.first(where: { $0.id == id }), entry.isSet else { return }
            entry.relayState = state
            settle()
        case .mailbox(let id, let mailbox):
            guard let entry = entries.first(where: { $0.id == id }), entry.isSet else { return }
            entry.mailbox = mailbox
            settle()
        case .extension(let id, let address, let state):
            guard let entry = entries.first(where: { $0.id == id }), entry.isSet else { return }
            entry.line.watched?.note(state, at: address)
        case .call(let id, .incoming(let account, let caller, let offersText, let diversions)):
            receive(
                id, of: account, from: RemoteParty(caller), offersText: offersText, diversions: diversions)
        case .call: break
        }
    }

    private func receive(
        _ id: SIPCallID, of account: String, from caller: RemoteParty, offersText: Bool, diversions: Int
    ) {
        guard engine.calls.isFree(id) else { return }
        guard let line = entries.first(where: { $0.id == account && $0.account != nil })?.line else {
            return engine.calls.send(.hangUp, to: id)
        }
        guard limit.admits(at: dependencies.clock.now) else {
            return engine.calls.send(.declineAsBusy, to: id)
        }
        let call = SIPCall(
            id, from: caller, offersText: offersText, diversions: diversions, calls: engine.calls,
            clock: dependencies.clock)
        guard let callers, callers.treatmentAtOnce(of: caller) == nil else { return line.offer(call) }
        Task {
            let treatment = await callers.treatment(of: caller)
            guard !call.hasEnded else { return }
            switch treatment {
            case .ring, .machine: line.offer(call)
            case .decline:
                call.declineAsBusy {}
                line.onEvent?(.declined(caller))
            }
        }
    }
}

// MARK: - TelephoneAccounts

extension SIPAccounts: TelephoneAccounts {
    public var isSupported: Bool { engine.isAvailable }

    public var accounts: [TelephoneAccount] {
        entries.map { entry in
            var account = TelephoneAccount(
                id: entry.id, address: entry.settings.uri?.text ?? entry.settings.settings[text: "address"],
                state: state(of: entry), notKept: entry.password.notKept, notRead: entry.password.notRead,
                relayProblem: entry.settings.relay == entry.relay ? entry.relayPassword.problem : nil,
                relayFailure: entry.relayState?.text ?? "",
                refusedCertificate: entry.refusedCertificate,
                trustedCertificate: entry.settings.trustedCertificate)
            account.newMessages = entry.voicemail.newMessages
            return account
        }
    }

    /// Connects the accounts; the keyring may ask the user to unlock it.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        for entry in entries { connect(entry) }
        settle()
    }

    public var isDiverting: Bool { entries.contains { $0.diversion != nil } }

    public var canDivert: Bool { entries.contains { $0.account != nil && $0.settings.diversion != nil } }

    public func setDiverting(_ isOn: Bool) {
        for entry in entries where !isOn || entry.settings.diversion != nil { entry.settings.diverts = isOn }
    }

    public func wakeUp() { engine.send(.refresh) }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    private func notify() { observers.notify(()) }
}

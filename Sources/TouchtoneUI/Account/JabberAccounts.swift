// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The sign-ins of all Jabber accounts: the first, and the others in the settings’ list.
///
/// The first account always exists, also without an address, as do its chat and the keys for one account.
@MainActor
public final class JabberAccounts {
    public struct Other {
        let id: String
        let settings: Settings
        let account: ChatAccount
        let chat: Chat

        public init(id: String, settings: Settings, account: ChatAccount, chat: Chat) {
            (self.id, self.settings, self.account, self.chat) = (id, settings, account, chat)
        }
    }

    let first: ChatAccount
    /// The accounts besides the first, in the order of the setting.
    private(set) var others: [Other] = []
    /// An account that has no address yet, which is in the list once it has one.
    private(set) var draft: Other?
    private let list: JabberAccountList
    private let messenger: Messenger
    private let make: @MainActor (String, Settings) -> Other
    private let register: (@MainActor (RegistrationRequest) -> (any AccountRegistration)?)?
    private var isStarted = false
    private let observers = Observers<Void>()

    /// - Parameter register: Returns a new registration, nil if the server’s name is invalid; nil makes no accounts.
    public init(
        _ list: JabberAccountList, first: ChatAccount, messenger: Messenger,
        register: (@MainActor (RegistrationRequest) -> (any AccountRegistration)?)? = nil,
        make: @escaping @MainActor (String, Settings) -> Other
    ) {
        (self.list, self.first, self.messenger, self.make) = (list, first, messenger, make)
        self.register = register
        list.observe(by: self) { [weak self] in self?.listChanged() }
    }

    /// Calls `body` now and whenever the set of accounts changes, for as long as `owner` exists.
    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    /// The accounts in the order of the setting, the first also without an address.
    var all: [ChatAccount] { [first] + others.map(\.account) }

    /// The chats of the accounts that are used, in the order of the setting.
    var usedChats: [Chat] {
        let chats = [(first, messenger.first)] + others.map { ($0.account, $0.chat) }
        return chats.filter { $0.0.details.isAccount && $0.0.isEnabled }.map(\.1)
    }

    private func listChanged() {
        let known = others + (draft.map { [$0] } ?? [])
        let next = list.others.compactMap { id in
            known.first { $0.id == id } ?? list.settings(of: id).map { add(make(id, $0)) }
        }
        for gone in known where gone.id != draft?.id && !next.contains(where: { $0.id == gone.id }) {
            gone.account.signOut()
        }
        if let draft, next.contains(where: { $0.id == draft.id }) { self.draft = nil }
        guard next.map(\.id) != others.map(\.id) else { return }
        others = next
        messenger.setOthers(next.map(\.chat))
        observers.notify(())
    }

    private func add(_ other: Other) -> Other {
        other.account.isActive = first.isActive
        if isStarted { other.account.start() }
        return other
    }

    // MARK: - Adding and removing

    /// Begins an account, which joins the others when an address is signed in.
    func begin() {
        guard draft == nil, let id = list.newID, let settings = list.settings(of: id) else { return }
        // An account that was removed by a script may have left its settings.
        settings.resetAll()
        draft = add(make(id, settings))
        settings.follow("jid") { [weak self, weak settings] in
            if let self, draft?.id == id, settings?[text: "jid"].isEmpty == false { list.append(id) }
        }
        observers.notify(())
    }

    /// Forgets an account that was begun and has no address.
    func cancel() {
        guard draft != nil else { return }
        draft = nil
        observers.notify(())
    }

    /// Removes the first account and its password from this computer; the next one takes its place.
    func removeFirst() {
        first.remove()
        if !others.isEmpty, let id = list.ids.first { list.remove(id) }
    }

    /// Removes another account and its password from this computer; its messages stay in the store, hidden.
    func remove(_ other: Other) {
        other.account.remove()
        list.remove(other.id)
    }

    // MARK: - New accounts

    /// Whether an account can be made on a server, and there is room for it.
    var canRegister: Bool {
        guard register != nil else { return false }
        return first.details.isAccount ? draft != nil || list.newID != nil : list.isFirstWritable
    }

    /// Returns a registration on a server; nil if its name is invalid.
    func registration(_ request: RegistrationRequest) -> (any AccountRegistration)? { register?(request) }

    /// Signs in an account that a server has made: as the first one, or else besides it.
    func signIn(_ made: RegisteredAccount) -> (account: ChatAccount, chat: Chat)? {
        if first.details.isAccount { begin() }
        guard
            let place = first.details.isAccount
                ? draft.map({ ($0.account, $0.chat) }) : (first, messenger.first)
        else { return nil }
        // The server has accepted the address and the password.
        try? place.0.signIn(
            made.details, password: made.password, trusting: made.trustedCertificate, keepsAtOnce: true)
        return place
    }

    /// Adds an account that the user has chosen, as the first one or else besides it, and signs it in; returns false if there is
    /// no room for it.
    ///
    /// Without a password, the user is asked for one.
    func add(_ setup: JabberSetup) throws(ChatAccount.ValidationError) -> Bool {
        let hasDraft = draft != nil
        if first.details.isAccount { begin() }
        guard let account = first.details.isAccount ? draft?.account : first else { return false }
        do throws(ChatAccount.ValidationError) {
            // The address may give the password only once.
            try account.signIn(
                setup.details, password: setup.password.isEmpty ? nil : setup.password,
                keepsAtOnce: !setup.password.isEmpty)
        } catch {
            if !hasDraft { cancel() }
            throw error
        }
        if !setup.label.isEmpty { account.label = setup.label }
        return true
    }

    // MARK: - All accounts

    /// Whether the user is looking at the program: if not, the servers may hold back what can wait.
    var isActive: Bool {
        get { first.isActive }
        set { for account in all { account.isActive = newValue } }
    }

    /// Whether nothing is in progress any more after `signOut()`.
    var isSettled: Bool { all.allSatisfy(\.isSettled) }

    /// Signs in all accounts; call it once the program’s window is shown.
    func start() {
        isStarted = true
        for account in all { account.start() }
    }

    /// Checks at once whether the servers still respond, after the machine has slept.
    func wakeUp() { for account in all { account.wakeUp() } }

    /// Signs out all accounts, until the program starts again.
    func signOut() { for account in all { account.signOut() } }
}

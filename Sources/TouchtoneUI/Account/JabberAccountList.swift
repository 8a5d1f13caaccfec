// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
import TouchtoneCore

/// The Jabber accounts in the settings, of which the first also has the names of the keys for one account.
///
/// The keys `jabber-jid` and the like are from the time of one account. Their values become the first account; from
/// then on, they and the first account’s settings follow each other.
@MainActor
public final class JabberAccountList {
    /// The common keys, the address last, so that its observers see the other details up to date.
    static let keys = ["host", "port", "tls", "pinned-certificate", "gateway", "jid"]
    /// The keys that only an account has.
    static let ownKeys = ["label", "enabled"]
    /// The greatest length of an address from which an id is made, in characters.
    private static let maximumLength = 300

    private let settings: Settings
    private let open: @MainActor (String) throws(GLibError) -> Settings
    private var first: (id: String, settings: Settings)?
    private let observers = Observers<Void>()

    public init(_ settings: Settings, open: @escaping @MainActor (String) throws(GLibError) -> Settings) {
        (self.settings, self.open) = (settings, open)
        // The installed schema may be of an older version.
        guard settings.has("jabber-accounts") else { return }
        settings.follow("jabber-accounts") { [weak self] in
            self?.listChanged()
            self?.observers.notify(())
        }
        for key in Self.keys {
            settings.follow("jabber-\(key)") { [weak self] in self?.aliasChanged(key) }
        }
    }

    public var ids: [String] { AccountID.ids(in: settings[list: "jabber-accounts"]) }

    /// The settings of the first account; nil if there is none.
    var firstSettings: Settings? { first?.settings }

    /// Calls `body` now and whenever the list, or a key that only the first account has, changes, for as long as `owner`
    /// exists.
    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    /// Whether the user may set the address of the first account.
    var isFirstWritable: Bool { settings.isWritable("jabber-jid") }

    // MARK: - The other accounts

    /// The ids of the accounts besides the first.
    var others: [String] { Array(ids.dropFirst()) }

    /// Returns the settings of an account; nil if the installed schema is of an older version.
    public func settings(of id: String) -> Settings? { opened(id) }

    /// An unused id for an account whose address is not known yet; nil if there are too many accounts.
    public var newID: String? {
        guard settings.has("jabber-accounts"), settings.isWritable("jabber-accounts"),
            ids.count < AccountID.maximumCount
        else { return nil }
        return AccountID.new(for: "", besides: ids)
    }

    /// Adds an account after the others, unless it is in the list.
    public func append(_ id: String) {
        if !ids.contains(id) { settings[list: "jabber-accounts"] = ids + [id] }
    }

    /// Removes an account and its settings.
    public func remove(_ id: String) {
        guard ids.contains(id) else { return }
        settings[list: "jabber-accounts"] = ids.filter { $0 != id }
        opened(id)?.resetAll()
    }

    // MARK: - The first account

    private func listChanged() {
        let ids = ids
        guard first == nil || ids.first != first?.id else { return }
        first = nil
        guard let id = ids.first else {
            // The first account was removed, unless the keys for one account were set since.
            if isKnown, !Self.keys.contains(where: isChanged) { resetAlias() }
            return addAlias()
        }
        if !isKnown, !ids.contains(where: isAlias) { addAlias(before: ids) }
        if first == nil { follow(id) }
    }

    /// Makes an account of the keys for one account, and puts it first.
    private func addAlias(before ids: [String] = []) {
        let address = String(settings[text: "jabber-jid"].prefix(Self.maximumLength))
        guard !address.isEmpty else { return }
        let id = AccountID.new(for: address, besides: ids)
        guard let account = opened(id) else { return }
        // An account that was removed by a script may have left its settings.
        account.resetAll()
        for key in Self.keys { account.copy("jabber-\(key)", of: settings, to: key) }
        follow(id)
        settings[list: "jabber-accounts"] = [id] + ids
    }

    /// Makes an account and the keys for one account follow each other.
    ///
    /// A key that was changed under its old name while no program followed it counts.
    private func follow(_ id: String) {
        guard let account = opened(id) else { return }
        for key in Self.keys where isKnown && isChanged(key) {
            account.copy("jabber-\(key)", of: settings, to: key)
        }
        // It comes before the address, with which the first account signs in.
        carryMethod(to: account)
        first = (id, account)
        for key in Self.keys {
            account.follow(key) { [weak self, weak account] in
                if let self, let account, account === first?.settings { accountChanged(key, account) }
            }
        }
        for key in Self.ownKeys {
            account.follow(key) { [weak self, weak account] in
                if let self, let account, account === first?.settings { observers.notify(()) }
            }
        }
    }

    /// Takes the mechanism of the last sign-in along when an account becomes the first, or another one follows it.
    private func carryMethod(to account: Settings) {
        let (key, alias) = ("sign-in-method", "jabber-sign-in-method")
        let (address, known) = (account[text: "jid"], Self.owner(of: settings[text: alias]))
        guard known != address else { return }
        for id in ids where !known.isEmpty {
            if let other = opened(id), other[text: "jid"] == known {
                other.copy(alias, of: settings, to: key)
            }
        }
        if Self.owner(of: account[text: key]) == address { settings.copy(key, of: account, to: alias) }
    }

    /// Returns the address that stands in front of a mechanism.
    private static func owner(of method: String) -> String {
        method.split(separator: " ").first.map { String($0) } ?? ""
    }

    private func accountChanged(_ key: String, _ account: Settings) {
        if settings.isWritable("jabber-\(key)") {
            settings.copy(key, of: account, to: "jabber-\(key)")
        } else {
            account.copy("jabber-\(key)", of: settings, to: key)
        }
        remember()
    }

    private func aliasChanged(_ key: String) {
        guard let account = first?.settings else { return addAlias(before: ids) }
        account.copy("jabber-\(key)", of: settings, to: key)
        remember()
    }

    private func resetAlias() {
        for key in Self.keys.reversed() { settings.reset("jabber-\(key)") }
        remember()
    }

    private func opened(_ id: String) -> Settings? {
        do throws(GLibError) {
            let account = try open(id)
            // A key of this version: the installed schema may be of an older one.
            return account.has("enabled") ? account : nil
        } catch {
            DebugLog.write("jabber: \(error.message)")
            return nil
        }
    }

    // MARK: - Changes while no program follows

    /// The values of the keys for one account when they were last equal to those of the first account.
    private var remembered: [String] { settings[list: "jabber-alias"] }

    /// Whether the keys for one account have been an account.
    private var isKnown: Bool { remembered.count == Self.keys.count }

    private func isChanged(_ key: String) -> Bool {
        zip(Self.keys, remembered).contains { $0 == key && $1 != settings.printed("jabber-\(key)") }
    }

    private func remember() {
        let values = Self.keys.map { settings.printed("jabber-\($0)") }
        if values != remembered { settings[list: "jabber-alias"] = values }
    }

    /// Returns whether the account with an id has the address of the keys for one account.
    private func isAlias(_ id: String) -> Bool {
        opened(id).map { $0[text: "jid"] == settings[text: "jabber-jid"] } ?? false
    }
}

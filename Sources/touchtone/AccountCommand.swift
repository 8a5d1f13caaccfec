// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneSIP
import TouchtoneStore
import TouchtoneUI
import TouchtoneXMPP

/// `touchtone account`: changes the accounts in the settings, which a running phone follows at once.
@MainActor
struct AccountCommand {
    private let settings: Settings
    private let sip: SIPAccountList
    private let jabber: JabberAccountList
    private let resources: Resources

    init(_ resources: Resources) throws(CommandFailure) {
        do throws(GLibError) {
            settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        } catch {
            throw CommandFailure(error.message, status: .failed)
        }
        self.resources = resources
        sip = SIPAccountList(settings) { id throws(GLibError) in try resources.accountSettings(id) }
        jabber = JabberAccountList(settings) { id throws(GLibError) in
            try resources.jabberAccountSettings(id)
        }
    }

    func run(_ request: AccountRequest) async throws(CommandFailure) {
        switch request.action {
        case .list: list(request.kind)
        case .add: try await add(request)
        case .remove: try await remove(try find(request))
        case .test: try await test(try find(request))
        case .setup: try await SetupCommand.run(request.address)
        }
    }

    // MARK: - Accounts

    /// An account in the settings.
    private struct Account {
        let id: String
        let kind: AccountRequest.Kind
        /// The name under which the keyring has the password.
        let address: String
        let isEnabled: Bool
    }

    private var accounts: [Account] {
        let telephone = sip.ids.compactMap { id in
            sip.account(id).map { Account(id: id, kind: .sip, address: $0.address, isEnabled: $0.isEnabled) }
        }
        let buddies = jabber.ids.compactMap { id in
            jabber.settings(of: id).map {
                let address = $0[text: "jid"]
                return Account(
                    id: id, kind: .jabber, address: SignInTest.address(address) ?? address,
                    isEnabled: $0[flag: "enabled"])
            }
        }
        return telephone + buddies
    }

    private func list(_ kind: AccountRequest.Kind?) {
        for account in accounts where kind == nil || account.kind == kind {
            let state = account.isEnabled ? "on" : "off"
            print("\(account.kind.rawValue)\t\(CommandLineArguments.shown(account.address))\t\(state)")
        }
    }

    /// Finds the only account with an address, which may have the scheme of its kind or none.
    private func find(_ request: AccountRequest) throws(CommandFailure) -> Account {
        let wanted = Self.plain(request.address)
        let found = accounts.filter {
            Self.plain($0.address) == wanted && (request.kind == nil || $0.kind == request.kind)
        }
        guard let account = found.first else {
            throw CommandFailure(localized("There is no account with this address."), status: .refused)
        }
        guard found.count == 1 else {
            throw CommandFailure(
                localized(
                    "There is a SIP account and a Jabber account with this address: say --sip or --jabber."),
                status: .refused)
        }
        return account
    }

    /// Returns an address as people write it, in lower case.
    private static func plain(_ address: String) -> String {
        let address = address.lowercased()
        return (try? SIPURI(entered: address))?.shown ?? CallAddress.shown(address)
    }

    // MARK: - Changes

    private func add(_ request: AccountRequest) async throws(CommandFailure) {
        let (kind, address) = (request.kind ?? .sip, try newAddress(request))
        guard let password = PasswordInput.read() else {
            throw CommandFailure(
                localized("Write the password to standard input: one line of at most 1024 bytes."),
                status: .refused)
        }
        let passwords = KeyringPasswordStore(service: kind.service)
        // The phone asks for the password as soon as it sees the account.
        do throws(PasswordStoreError) { try await passwords.keep(password, of: address) } catch {
            throw CommandFailure(notKept(error), status: .failed)
        }
        do throws(CommandFailure) {
            try addToSettings(kind, address)
        } catch {
            try? await passwords.forget(address)
            throw error
        }
    }

    private func newAddress(_ request: AccountRequest) throws(CommandFailure) -> String {
        if request.kind == .sip {
            do throws(TelephoneAccountError) { return try sip.address(request.address) } catch {
                throw CommandFailure(SIPAccountStrings.text(error), status: .refused)
            }
        }
        let text = XMPPURI.hasScheme(request.address) ? CallAddress.shown(request.address) : request.address
        guard let address = SignInTest.address(text) else {
            throw CommandFailure(AccountStrings.text(ChatAccount.ValidationError.address), status: .refused)
        }
        guard !accounts.contains(where: { $0.kind == .jabber && $0.address == address }) else {
            throw CommandFailure(SIPAccountStrings.text(.exists), status: .refused)
        }
        guard jabber.newID != nil else {
            throw CommandFailure(SIPAccountStrings.text(.tooMany), status: .refused)
        }
        return address
    }

    private func addToSettings(_ kind: AccountRequest.Kind, _ address: String) throws(CommandFailure) {
        guard kind == .jabber else {
            do throws(TelephoneAccountError) { try sip.add(address) } catch {
                throw CommandFailure(SIPAccountStrings.text(error), status: .refused)
            }
            return
        }
        guard let id = jabber.newID, let account = jabber.settings(of: id) else {
            throw CommandFailure(SIPAccountStrings.text(.tooMany), status: .refused)
        }
        account.resetAll()
        account[text: "jid"] = address
        jabber.append(id)
    }

    private func remove(_ account: Account) async throws(CommandFailure) {
        var names = [account.address]
        switch account.kind {
        case .sip: names = sip.remove(account.id)
        case .jabber: jabber.remove(account.id)
        }
        let passwords = KeyringPasswordStore(service: account.kind.service)
        do throws(PasswordStoreError) {
            for name in names { try await passwords.forget(name) }
        } catch .refused(let reason) {
            throw CommandFailure(
                localized(
                    "The account was removed, but its password could not be removed from the keyring: {reason}.",
                    ["reason": reason]), status: .failed)
        } catch {
            // Without a keyring, there is no password in it.
        }
    }

    private func notKept(_ error: PasswordStoreError) -> String {
        switch error {
        case .absent: localized("No keyring is available to save the password. The account was not added.")
        case .refused: AccountStrings.notKept(ChatAccount.PasswordReason(error))
        }
    }

    // MARK: - Test

    private func test(_ account: Account) async throws(CommandFailure) {
        let password: String?
        do throws(PasswordStoreError) {
            password = try await KeyringPasswordStore(service: account.kind.service).password(
                of: account.address)
        } catch {
            throw CommandFailure(AccountStrings.text(ChatAccount.PasswordReason(error)), status: .refused)
        }
        guard let password else {
            throw CommandFailure(AccountStrings.text(.noneKept), status: .refused)
        }
        if let problem = await problem(of: account, password) {
            throw CommandFailure(problem, status: .refused)
        }
        print(localized("The account works."))
    }

    /// Signs in as another device, beside a phone that runs; returns what is wrong, or nil.
    private func problem(of account: Account, _ password: String) async -> String? {
        switch account.kind {
        case .sip:
            let engine = SIPComposition.makeEngine(settings)
            guard let own = try? resources.accountSettings(account.id),
                let test = RegistrationTest(account.id, own, password: password, engine: engine)
            else { return SIPAccountStrings.text(.notAnAddress) }
            return await test.run()
        case .jabber:
            guard let own = jabber.settings(of: account.id) else { return nil }
            let memory = GSettingsAccountStore(own, prefix: "")
            let test = SignInTest(
                memory.details, password: password, trusting: memory.trustedCertificate,
                atLeast: memory.signInMethod(of: account.address), clock: MainLoopScheduler())
            guard let test else { return AccountStrings.text(ChatAccount.ValidationError.address) }
            let problem = await test.run()
            MainLoop.run(upTo: 3000) { test.isSettled }
            return problem
        }
    }
}

extension AccountRequest.Kind {
    /// The purpose of the passwords in the keyring.
    fileprivate var service: String { self == .sip ? "sip" : "xmpp" }
}

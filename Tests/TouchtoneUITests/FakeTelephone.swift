// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// SIP accounts in memory; their states are set by the test, and their details are in the settings.
@MainActor
final class FakeTelephone: TelephoneAccounts {
    var isSupported = true { didSet { observers.notify(()) } }
    var accounts: [TelephoneAccount] = [] { didSet { observers.notify(()) } }
    /// The requests so far.
    private(set) var requests: [String] = []
    private let observers = Observers<Void>()

    init(_ accounts: TelephoneAccount...) { self.accounts = accounts }

    /// Changes the state of the first account.
    func become(
        _ state: TelephoneAccount.State, notKept: ChatAccount.PasswordReason? = nil,
        relayProblem: ChatAccount.PasswordReason? = nil, relayFailure: String = "", refused: String = "",
        trusted: String = ""
    ) {
        guard let first = accounts.first else { return }
        accounts[0] = TelephoneAccount(
            id: first.id, address: first.address, state: state, notKept: notKept, relayProblem: relayProblem,
            relayFailure: relayFailure, refusedCertificate: refused, trustedCertificate: trusted)
    }

    /// Changes the number of new messages in the voicemail of the first account.
    func receive(_ newMessages: Int?) { accounts[0].newMessages = newMessages }

    var isDiverting = false { didSet { observers.notify(()) } }
    var canDivert = true { didSet { observers.notify(()) } }
    func setDiverting(_ isOn: Bool) {
        requests.append("divert \(isOn)")
        isDiverting = isOn
    }

    func start() {}
    func wakeUp() {}

    @discardableResult
    func add(_ address: String, password: String) throws(TelephoneAccountError) -> String {
        guard let uri = try? SIPURI(entered: address) else { throw .notAnAddress }
        guard !accounts.contains(where: { $0.address == uri.text }) else { throw .exists }
        requests.append("add \(uri.text) \(password)")
        accounts.append(TelephoneAccount(id: "id-\(accounts.count)", address: uri.text, state: .connecting))
        return accounts[accounts.count - 1].id
    }

    /// The accounts that were added with settings.
    private(set) var setups: [TelephoneSetup] = []

    @discardableResult
    func add(_ setup: TelephoneSetup) throws(TelephoneAccountError) -> String {
        let id = try add(setup.address, password: setup.password)
        setups.append(setup)
        return id
    }

    func setPassword(_ password: String, of id: String) { requests.append("password \(id) \(password)") }
    func setRelayPassword(_ password: String, of id: String) {
        requests.append("relay password \(id) \(password)")
    }
    func test(_ id: String) { requests.append("test \(id)") }
    func trustCertificate(of id: String) { requests.append("trust \(id)") }
    func distrustCertificate(of id: String) { requests.append("distrust \(id)") }
    func remove(_ id: String) { accounts.removeAll { $0.id == id } }

    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge
import SIPMessages
import TouchtoneCore
public import TouchtoneEngine

/// A registration that only shows whether it is possible; calls that come in meanwhile are left to other phones.
@MainActor
public final class RegistrationTest {
    private let engine: CallEngine
    private let account: SIPAccount
    private let domain: String
    private let password: String
    private var waiting: CheckedContinuation<String?, Never>?

    /// Returns a test of the account with those settings; nil if they have no valid address.
    public init?(_ id: String, _ settings: Settings, password: String, engine: CallEngine) {
        let settings = SIPAccountSettings(settings: settings)
        guard let account = settings.account(id), let domain = settings.uri?.host else { return nil }
        (self.engine, self.account, self.domain, self.password) = (engine, account, domain, password)
    }

    /// Registers the account and withdraws it, and returns what is wrong, in sentences for the user; nil if nothing is.
    public func run() async -> String? {
        guard engine.isAvailable else { return SIPAccounts.noEngine }
        engine.observe(by: self) { [weak self] in self?.handle($0) }
        let problem = await withCheckedContinuation {
            waiting = $0
            engine.setNeeded(true, by: self)
        }
        if engine.isReady { engine.send(.removeAccount(id: account.id)) }
        engine.setNeeded(false, by: self)
        return problem
    }

    private func handle(_ change: CallEngine.Change) {
        switch change {
        case .ready: engine.send(.setAccount(account, password: password))
        case .ended: if engine.isFailing { end(SIPAccounts.engineFails) }
        case .event(.registration(account.id, .registered)): end(nil)
        case .event(.registration(account.id, .failed(let failure))): end(failure.text(domain: domain))
        case .event: break
        }
    }

    private func end(_ problem: String?) {
        waiting?.resume(returning: problem)
        waiting = nil
    }
}

extension SIPAccounts {
    static var noEngine: String {
        localized(
            "Calls over SIP need the program touchtone-sip, which is missing or of another version. Install or update it."
        )
    }

    static var engineFails: String {
        localized("The SIP service stopped unexpectedly and is being restarted.")
    }
}

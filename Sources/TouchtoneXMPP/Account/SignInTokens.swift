// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The token of the account, which survives the program only in the keyring.
@MainActor
final class SignInTokens {
    /// The time that a sign-in waits for the keyring, which the user may have to unlock.
    static let patience = Duration.seconds(2)

    /// The keyring; nil if there is none.
    private let store: (any PasswordStore)?
    private let wall: any WallClock
    private let clock: any Scheduler
    private var account = JID.none
    private var token: SignInToken?
    /// The server's offer that is kept with the token; nil if there is none.
    private var plan: SignInPlan?
    /// Whether the server has accepted the token, as it must have if it is from the keyring.
    var hasWorked = true
    /// The number of the last use of the token.
    private var count = 0
    /// The request to the keyring, which is made once for an account; nil if there is none.
    private var request: Task<Void, Never>?
    /// Whether the keyring has answered: one that is absent, or that the user did not unlock, is not asked again.
    private var isKeyringOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(store: (any PasswordStore)?, wall: any WallClock, clock: any Scheduler) {
        (self.store, self.wall, self.clock) = (store, wall, clock)
    }

    /// Asks the keyring for the token of an account, without waiting for the answer.
    func load(for account: XMPPAccount) {
        guard account.jid.bare != self.account else { return }
        replaceToken(nil)
        (self.account, isKeyringOpen, hasWorked) = (account.jid.bare, false, true)
        guard let store else { return }
        let address = self.account.description
        request = Task { [weak self] in
            let answer = await Result.of { () async throws(PasswordStoreError) in
                try await store.password(of: address)
            }
            // The account may be another one by now, or have another token.
            guard let self, !Task.isCancelled else { return }
            if case .success(let text) = answer {
                isKeyringOpen = true
                token = text.flatMap { SignInToken($0) }
                plan = text.flatMap { Self.plan(in: $0) }
            }
            endRequest()
        }
    }

    /// Returns the token with which an account can sign in; nil if there is none for its password.
    func token(for account: XMPPAccount) async -> SignInToken? {
        load(for: account)
        if request != nil {
            let timer = clock.schedule(after: Self.patience) { [weak self] in self?.endWaiting() }
            await withCheckedContinuation { waiting.append($0) }
            timer.cancel()
        }
        return valid(for: account)
    }

    private func valid(for account: XMPPAccount) -> SignInToken? {
        guard account.jid.bare == self.account, let token,
            token.isValid(at: now, password: account.password)
        else { return nil }
        return token
    }

    /// Returns the server's offer from the last sign-in, if the keyring has answered with a token that can be used.
    func plan(for account: XMPPAccount) -> SignInPlan? {
        request == nil && valid(for: account) != nil ? plan : nil
    }

    /// Keeps the server's offer with the token, so that the next start of the program need not wait for it.
    func keep(plan next: SignInPlan?) {
        guard token != nil, next?.stored != plan?.stored else { return }
        plan = next
        keep()
    }

    private func keep() {
        guard let token, isKeyringOpen, let store else { return }
        let (address, words) = (account.description, [token.description, plan?.stored].compactMap { $0 })
        Task { try? await store.keep(words.joined(separator: " "), of: address) }
    }

    /// Reads the offer after a token in the keyring.
    private static func plan(in text: String) -> SignInPlan? {
        let words = text.split(separator: " ").map { String($0) }
        return words.count == 9 ? SignInPlan(host: words[7], features: words[8]) : nil
    }

    /// Returns the number of the next use of the token, which is greater than the last one also after a restart.
    func nextCount(of token: SignInToken) -> Int {
        let seconds = (now.microseconds - token.received.microseconds) / 1_000_000
        count = max(count + 1, Int(clamping: seconds))
        return count
    }

    /// Keeps a token that the server has issued, in place of the last one.
    func keep(
        _ issued: SASL2Success.IssuedToken, for mechanism: TokenMechanism, deviceID: String,
        of account: XMPPAccount
    ) {
        guard account.jid.bare == self.account,
            let token = try? SignInToken(
                issued, for: mechanism, deviceID: deviceID, password: account.password, received: now)
        else { return }
        let plan = plan
        replaceToken(token)
        self.plan = plan
        keep()
    }

    /// Removes the token of an account, here and in the keyring.
    func forget(_ account: JID) {
        if account.bare == self.account { replaceToken(nil) }
        guard let store else { return }
        let address = account.bare.description
        Task { try? await store.forget(address) }
    }

    private func replaceToken(_ token: SignInToken?) {
        request?.cancel()
        endRequest()
        (self.token, plan, count, hasWorked) = (token, nil, 0, false)
    }

    private func endRequest() {
        request = nil
        endWaiting()
    }

    private func endWaiting() {
        for one in waiting { one.resume() }
        waiting = []
    }

    private var now: Timestamp { Timestamp(microseconds: wall.now.milliseconds * 1000) }
}

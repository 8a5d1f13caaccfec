// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

final class Accounts {
    let core: OpaquePointer
    private let codecs: Codecs
    let send: (SIPEvent) -> Void
    /// Whether an account has calls that were answered.
    var isInCall: (Account) -> Bool = { _ in false }
    private(set) var all: [Account] = []
    /// The Call-ID of the last request that began a dialog.
    var lastCallID: String?
    /// The subscriptions of which registrars have to be told that they end.
    var endings = EndingSubscriptions()
    /// The account of the call that is being made; nil if none is.
    private var taken: Account?
    /// The routes of accounts that were removed, which are still unregistered.
    private var formerRoutes: [Route] = []
    /// The accounts that were removed and may still be registered.
    private var removed: [Account] = []
    private var hasNetwork: Bool
    private var keys = 0
    /// The certificates that are not trusted any more, by servers to which there may still be connections.
    private var distrusted: [String: String] = [:]

    init(core: OpaquePointer, codecs: Codecs, hasNetwork: Bool, send: @escaping (SIPEvent) -> Void) {
        (self.core, self.codecs, self.hasNetwork, self.send) = (core, codecs, hasNetwork, send)
    }

    /// Whether an account is being registered, or a server is searched for or checked.
    var isRegistering: Bool {
        all.contains { $0.state == .registering || $0.probe != nil || $0.relayCheck != nil }
    }

    /// Whether accounts that were removed are still registered, or have subscriptions.
    var isUnregistering: Bool { removed.contains(where: \.mayBeRegistered) || !endings.isEmpty }

    /// The addresses of the registrars over UDP; nil if one is registered whose address is unknown.
    var registrarAddresses: Set<SIPAddress>? { registrarAddresses { $0 == .udp } }

    /// The addresses of all registrars, which may make calls; nil if one is registered whose address is unknown.
    var callerAddresses: Set<SIPAddress>? { registrarAddresses { _ in true } }

    private func registrarAddresses(over isUsed: (SIPAccount.Transport) -> Bool) -> Set<SIPAddress>? {
        let used = all.filter { isUsed($0.settings.transport) }
        // The registrar also sends requests while the account is being registered again.
        guard !used.contains(where: { $0.state == .registered && $0.registrarAddresses.isEmpty }) else {
            return nil
        }
        return used.reduce(into: []) { $0.formUnion($1.registrarAddresses) }
    }

    /// The time to the next attempt to register, in milliseconds; nil if none is due.
    var timeToRetry: Int? {
        let times = all.flatMap { account in
            ([account.retryAt, account.ownRetryAt, account.subscription.retryAt]
                + account.watches.map(\.subscription.retryAt)).compactMap(\.self)
        }
        return (times + [endings.nextEnd].compactMap(\.self)).min().map {
            max(0, Instant.now.milliseconds(until: $0))
        }
    }

    /// The longest time in milliseconds by which liblinphone's renewal, after nine tenths of the time, may be
    /// late; nil if no account is registered.
    var renewalTolerance: Int? { all.compactMap(\.grantedExpiry).min().map { max(200, $0 * 1_000 / 20) } }

    func account(_ id: String) -> Account? { all.first { $0.settings.id == id } }

    /// Returns the routes of an identity, that of the call that is being made first.
    func routes(user: String, host: String) -> [Route] {
        ([taken].compactMap { $0?.route } + all.map(\.route) + formerRoutes.reversed()).filter {
            $0.isOf(user: user, host: host)
        }
    }

    /// Lets liblinphone use an account, and its encryption, for calls that it makes by itself, until `releaseTaken()`.
    func take(_ account: Account) {
        taken = account
        linphone_core_set_default_account(core, account.handle)
        linphone_core_set_media_encryption(core, account.mediaEncryption)
        linphone_core_set_media_encryption_mandatory(core, account.settings.encryption == .required ? 1 : 0)
        sipshims_use_default_account(true)
        // Jingle’s far ends expect it; it is read for each description.
        setMultiplexed(account.isLoopback)
    }

    func releaseTaken() {
        guard taken != nil else { return }
        taken = nil
        setMultiplexed(false)
        sipshims_use_default_account(false)
        linphone_core_set_default_account(core, nil)
        setDefaultEncryption()
    }

    /// Lets liblinphone describe sound and its statistics (RTCP) on one way (RFC 5761), or on two.
    private func setMultiplexed(_ isMultiplexed: Bool) {
        linphone_config_set_int(linphone_core_get_config(core), "rtp", "rtcp_mux", isMultiplexed ? 1 : 0)
    }

    /// Returns the account that is called, or one of the same domain, or any: a registrar may call a number
    /// that is not in the account's address, and without its port.
    func account(calledBy call: OpaquePointer) -> Account? {
        let called = linphone_call_get_to_address(call)
        let (user, domain) = (linphone_address_get_username(called), linphone_address_get_domain(called))
        let address = (user: Texts.safe(user), domain: Texts.safe(domain))
        func identity(_ account: Account) -> OpaquePointer? {
            linphone_account_params_get_identity_address(linphone_account_get_params(account.handle))
        }
        func isInDomain(_ account: Account) -> Bool {
            Texts.safe(linphone_address_get_domain(identity(account))) == address.domain
        }
        return all.first { linphone_address_weak_equal(called, identity($0)) != 0 }
            ?? all.first {
                isInDomain($0) && Texts.safe(linphone_address_get_username(identity($0))) == address.user
            } ?? all.first(where: isInDomain) ?? all.first
    }

    /// Adds an account, or replaces the one with its id.
    func set(_ settings: SIPAccount, password: String, relayPassword: String) {
        remove(settings.id)
        keys += 1
        guard
            let account = Account(
                settings, password: password, relayPassword: relayPassword, key: "account-\(keys)", core: core
            )
        else {
            return send(.registration(account: settings.id, .failed(.serverNotFound)))
        }
        all.append(account)
        settingsChanged()
        report(hasNetwork ? .registering : .failed(.noNetwork), of: account)
        if let old = distrusted[account.server], old != settings.trustedCertificate { refresh() }
    }

    /// Unregisters and removes an account.
    func remove(_ id: String) {
        guard let index = all.firstIndex(where: { $0.settings.id == id }) else { return }
        let account = all.remove(at: index)
        formerRoutes = formerRoutes.suffix(31) + [account.route]
        unsubscribe(account)
        unwatch(account)
        account.remove(from: core)
        removed = removed.filter(\.mayBeRegistered) + [account]
        settingsChanged()
        guard !account.settings.trustedCertificate.isEmpty else { return }
        distrusted[account.server] = account.settings.trustedCertificate
        if all.contains(where: { $0.server == account.server }) { refresh() }
    }

    private func settingsChanged() {
        setDefaultEncryption()
        codecs.setResting(all.map(\.settings.codecs))
        let encrypted = all.filter { $0.settings.transport == .tls }
        CertificateChecks.set(
            Dictionary(grouping: encrypted, by: \.server).mapValues {
                Set($0.map(\.settings.trustedCertificate)).subtracting([""])
            })
    }

    /// Sets the encryption that the phone offers in answer to calls without an offer; others may come with
    /// either, and `Calls` refuses those without if the account requires it.
    private func setDefaultEncryption() {
        let offered = Set(all.filter { $0.settings.encryption == .required }.map(\.mediaEncryption))
        // Such a call may come over any of the transports, on which keys of SDES must not be read.
        let isMixed = offered.count > 1 || all.contains { $0.settings.transport != .tls }
        let mixed = PrivateFolder.path == nil ? LinphoneMediaEncryptionNone : LinphoneMediaEncryptionDTLS
        let encryption =
            offered.isEmpty ? LinphoneMediaEncryptionNone : isMixed ? mixed : LinphoneMediaEncryptionSRTP
        linphone_core_set_media_encryption(core, encryption)
        linphone_core_set_media_encryption_mandatory(core, 0)
    }

    func removeAll() {
        formerRoutes += all.map(\.route)
        for account in all {
            unsubscribe(account)
            unwatch(account)
            account.remove(from: core)
        }
        removed += all
        all = []
    }

    func setNetwork(_ isAvailable: Bool) {
        guard hasNetwork != isAvailable else { return }
        hasNetwork = isAvailable
        linphone_core_set_network_reachable(core, isAvailable ? 1 : 0)
        restart(isAvailable ? .registering : .failed(.noNetwork))
    }

    /// Registers all accounts again over new connections, and renews the addresses of calls.
    func refresh() {
        guard hasNetwork else { return }
        distrusted = [:]
        for account in all { account.lastAddress = nil }
        // liblinphone closes its connections, and repairs its calls when the network is back.
        linphone_core_set_network_reachable(core, 0)
        linphone_core_set_network_reachable(core, 1)
        restart(.registering)
    }

    /// Reports the state of accounts that liblinphone registers again, or not without a network.
    private func restart(_ state: SIPRegistration) {
        for account in all where !account.isGivenUp {
            account.retryAt = nil
            account.probe = nil
            account.backoff.reset()
            report(state, of: account)
        }
    }

    /// The milliseconds that liblinphone gets for an attempt of its own after a server's Retry-After: it does
    /// not say when it makes it, and a second REGISTER would take the result of the first.
    private static let ownRetryTime = 10_000
    /// The time by which its timer for that may be late, in milliseconds.
    private static let ownRetryMargin = 100

    /// Makes the attempts to register that are due, and reports what searches have found.
    func retry() {
        for account in all {
            switch account.probe?.result {
            case nil: break
            case .failure(let failure):
                account.probe = nil
                report(.failed(failure), of: account)
            case .otherDomain(let domain):
                account.probe = nil
                account.register(at: domain)
            }
            if let state = account.relayCheck?.result {
                account.relayCheck = nil
                if let state { send(.relay(account: account.settings.id, state)) }
            }
            if let time = account.ownRetryAt, time <= Instant.now { account.ownRetryAt = nil }
            retrySubscription(of: account)
            retryWatches(of: account)
            guard let time = account.retryAt, time <= Instant.now else { continue }
            account.retryAt = nil
            linphone_account_refresh_register(account.handle)
        }
    }

    /// Handles a change that liblinphone reported; `sources` sent the responses that may have caused it.
    func handle(
        _ state: LinphoneRegistrationState, of handle: OpaquePointer, error: RegistrationError,
        sources: Set<SIPAddress>
    ) {
        guard let account = all.first(where: { $0.handle == handle }), !account.isGivenUp else { return }
        switch state {
        case LinphoneRegistrationOk:
            account.registrarAddresses.formUnion(sources)
            if account.correctAddress() { return }
            // The far ends of its calls still send their requests to the connection that has ended.
            if account.noteAddress(), isInCall(account) { return refresh() }
            account.readGrantedExpiry()
            account.backoff.reset()
            account.retryAt = nil
            account.probe = nil
            report(.registered, of: account)
            account.checkRelay()
        case LinphoneRegistrationProgress:
            if account.retryAt == nil { report(.registering, of: account) }
        case LinphoneRegistrationFailed:
            guard hasNetwork else { return report(.failed(.noNetwork), of: account) }
            let failure = RegistrationFailure.reason(of: error, at: account.server)
            if !failure.isPermanent || error.retryAfter > 0 && failure != .wrongPassword {
                let after = min(error.retryAfter, 300) * 1_000
                let delay = account.backoff.next()
                account.retryAt = Instant.now.advanced(by: after > 0 ? after + Self.ownRetryTime : delay)
                if after > 0 { account.ownRetryAt = Instant.now.advanced(by: after + Self.ownRetryMargin) }
            } else {
                account.giveUp()
            }
            if failure == .noAnswer {
                account.startProbe()
            } else {
                report(.failed(failure), of: account)
            }
        default: break
        }
    }

    private func report(_ state: SIPRegistration, of account: Account) {
        guard account.state != state else { return }
        account.state = state
        send(.registration(account: account.settings.id, state))
        guard state == .registered else { return }
        subscribe(account)
        beginWatches(of: account)
    }
}

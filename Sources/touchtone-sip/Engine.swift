// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import HelperMessages
import SIPMessages

/// liblinphone's core with its accounts and calls.
final class Engine {
    private let core: OpaquePointer
    private let events: EngineEvents
    private let codecs: Codecs
    private let accounts: Accounts
    private let calls: Calls
    let acceptsDirectCalls: Bool
    /// Whether liblinphone repairs no calls at present.
    private var isSparing = false
    /// Whether liblinphone is to be stopped as soon as no account is registered.
    private var isToStop = false

    /// Creates an engine; nil if liblinphone does not start.
    init?(configuration: SIPConfiguration, send: @escaping (SIPEvent) -> Void) {
        guard let core = CoreConfiguration.start(configuration) else { return nil }
        self.core = core
        acceptsDirectCalls = configuration.acceptsDirectCalls
        events = EngineEvents(of: core)
        codecs = Codecs(core: core)
        accounts = Accounts(
            core: core, codecs: codecs, hasNetwork: configuration.hasNetwork, send: send)
        calls = Calls(
            core: core, codecs: codecs, accounts: accounts, devices: configuration.devices, send: send)
        calls.setMicrophone(configuration.microphone)
        sipshims_guard_streams()
        let refused = configuration.refusedMessages.map { Int64($0) }
        sipshims_refuse_messages(refused, refused.count)
        MediaSections.takesText = configuration.takesText
        MediaSections.reduceAll()
        calls.beginTargetChecks()
        calls.beginKeyWatch()
        calls.beginIdentityWatch()
        calls.beginRoutes()
        accounts.beginMailboxWatch()
        accounts.beginDialogWatch()
        accounts.isInCall = { [weak calls] in calls?.hasAnswered(of: $0) ?? false }
        events.onCallState = { [calls] in calls.prepareSession(of: $0) }
    }

    var sipPort: UInt16 {
        guard let transports = linphone_core_get_transports_used(core) else { return 0 }
        defer { linphone_transports_unref(transports) }
        return UInt16(clamping: linphone_transports_get_udp_port(transports))
    }

    var hasCalls: Bool { !calls.isEmpty }

    /// Whether liblinphone has to be called often, because a call exists or an account is being registered.
    var isBusy: Bool {
        hasCalls || calls.endpoint.isBusy || !calls.relayChecks.isEmpty || accounts.isRegistering
    }

    var endpoint: JingleEndpoint { calls.endpoint }

    /// The addresses from which requests are accepted: those of registrars, and the far ends of calls; nil for all.
    var trustedAddresses: Set<SIPAddress>? {
        acceptsDirectCalls ? nil : accounts.registrarAddresses?.union(calls.farEndAddresses)
    }

    /// The addresses whose new calls and statements about callers (RFC 3325) are accepted: those of
    /// registrars, not of far ends; nil for all.
    var callerAddresses: Set<SIPAddress>? { accounts.callerAddresses }

    /// Returns the time to the next call of liblinphone while nothing happens, in milliseconds.
    func restingInterval(_ longest: Int) -> Int {
        min(longest, accounts.timeToRetry ?? longest, accounts.renewalTolerance ?? longest)
    }

    /// Lets liblinphone work, after responses to REGISTER by `sources`; returns whether something happened.
    func work(sources: Set<SIPAddress> = []) -> Bool {
        accounts.retry()
        endpoint.work()
        if let account = endpoint.nextAccount {
            codecs.use(account.settings.codecs)
            accounts.take(account)
        }
        linphone_core_iterate(core)
        setRepairs(true)
        calls.redirectedCall = nil
        accounts.endSubscriptions()
        accounts.releaseTaken()
        calls.continueAll()
        codecs.rest()
        if isToStop, !accounts.isUnregistering { stop() }
        let registrars = sources.union(SIPAddress.takeRegistrar().map { [$0] } ?? [])
        let hasChanged = events.handleAll { handle($0, sources: registrars) }
        sipshims_end_messages()
        sipshims_forget_addresses()
        return hasChanged
    }

    /// Executes a command, with the file that goes with it, if any.
    func execute(_ command: SIPCommand, _ file: PassedDescriptor?) {
        switch command {
        case .setAccount(let account, let password, let relayPassword):
            accounts.set(account, password: password, relayPassword: relayPassword)
        case .removeAccount(let id):
            calls.hangUpAll(of: id)
            accounts.remove(id)
        case .setNetwork(let isAvailable):
            setRepairs(false)
            accounts.setNetwork(isAvailable)
        case .refresh:
            setRepairs(false)
            accounts.refresh()
        case .setDevices(let devices): calls.setDevices(devices)
        case .setMicrophone(let microphone): calls.setMicrophone(microphone)
        case .setTakesText(let takesText): MediaSections.takesText = takesText
        case .call(let id, let command): calls.execute(command, file, for: id)
        case .watch(let id, let addresses): accounts.watch(addresses, of: id)
        }
        codecs.rest()
        accounts.releaseTaken()
        _ = events.handleAll { handle($0) }
    }

    /// Lets liblinphone repair calls after a change of the network, or keeps it from that until it has noticed the change.
    ///
    /// It would forget the way of those with the endpoint, and tell nobody but the endpoint of another. Calls of accounts that
    /// register are repaired later, when they have registered.
    private func setRepairs(_ areMade: Bool) {
        guard areMade == isSparing, areMade || !calls.endpointCalls.isEmpty else { return }
        isSparing = !areMade
        linphone_config_set_int(linphone_core_get_config(core), "sip", "repair_broken_calls", areMade ? 1 : 0)
    }

    /// Ends all calls and unregisters all accounts; `work(sources:)` continues, because liblinphone 5.3 sends
    /// nothing more for removed accounts once it stops.
    func beginToStop() {
        calls.hangUpAll()
        accounts.removeAll()
        isToStop = true
    }

    private func stop() {
        isToStop = false
        linphone_core_stop_async(core)
    }

    /// Whether everything has ended after `beginToStop()`.
    var hasStopped: Bool { linphone_core_get_global_state(core) == LinphoneGlobalOff }

    /// Releases the core, even if not everything has ended.
    func release() {
        if isToStop { stop() }
        sipshims_check_targets(nil, nil)
        sipshims_watch_keys(nil, nil)
        sipshims_watch_identities(nil, nil)
        sipshims_set_routes(nil, nil)
        sipshims_watch_summaries(nil, nil)
        sipshims_watch_dialogs(nil, nil)
        events.disconnect()
        linphone_core_unref(core)
    }

    private func handle(_ event: EngineEvent, sources: Set<SIPAddress> = []) {
        switch event {
        case .registration(let account, let state, let error):
            accounts.handle(state, of: account, error: error, sources: sources)
        case .call(let call, let state): calls.handle(state, of: call)
        case .transfer(let call, let state): calls.handleTransfer(state, of: call)
        case .key(let call, let key): calls.handleKey(key, of: call)
        case .subscription(let event, let state): accounts.handle(state, ofSubscription: event)
        }
    }
}

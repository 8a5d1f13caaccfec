// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

final class Account {
    let settings: SIPAccount
    let handle: OpaquePointer
    let route: Route
    /// The name of the server, in lower case, which its certificate must have.
    let server: String
    /// The key under which liblinphone has the account.
    let key: String
    var state: SIPRegistration?
    var backoff = Backoff()
    /// The time of the next attempt; nil if none is due.
    var retryAt: Instant?
    /// The time at which liblinphone has to be called, because it makes the next attempt by itself; nil if it makes none.
    var ownRetryAt: Instant?
    /// The search for the reason of the last failure; nil if the reason is known.
    var probe: Search<ServerProbe.Outcome>?
    /// The check of the TURN server; nil if none is under way.
    var relayCheck: Search<SIPRelayState?>?
    /// The TURN server to check with the next registration; nil if there is none, or if it has been checked.
    private var uncheckedRelay: RelayProbe?
    /// Whether the domain's servers were found by NAPTR records.
    private var usesOtherDomain = false
    /// Whether attempts to register have ended, because none can succeed before the user changes the account.
    private(set) var isGivenUp = false
    /// The time of the last registration, in seconds; nil if it is unknown.
    private(set) var grantedExpiry: Int?
    /// A day, in seconds; a registrar may name any number.
    private static let longestExpiry = 86_400
    /// The addresses of the registrar; empty if unknown.
    var registrarAddresses: Set<SIPAddress> = []
    /// The phone's address in the last registration; nil if there was none, or if another is expected.
    var lastAddress: String?
    /// The subscription to the summary of the mailbox (RFC 3842, section 3).
    var subscription = EventSubscription(
        "message-summary", accepting: "application/simple-message-summary")
    /// The mailbox as the registrar has said it last.
    var mailbox: SIPMailbox?
    /// The extensions that are watched.
    var watches: [ExtensionWatch] = []
    /// Whether it is for one call with the endpoint of this process.
    let isLoopback: Bool
    private let password: OpaquePointer?
    /// Whether the last request to register was to correct the address in the one before.
    private var isCorrecting = false

    /// Adds an account to a core, and registers it; nil if an address is not valid.
    init?(
        _ settings: SIPAccount, password: String, relayPassword: String, key: String, core: OpaquePointer
    ) {
        guard let identity = linphone_factory_create_address(linphone_factory_get(), settings.address) else {
            return nil
        }
        defer { linphone_address_unref(identity) }
        guard let user = linphone_address_get_username(identity),
            let server = Self.server(of: settings, identity: identity)
        else { return nil }
        defer { linphone_address_unref(server) }
        (self.settings, self.key, isLoopback) = (settings, key, false)
        route = Route(identity: identity, server: server)
        uncheckedRelay = RelayProbe(settings, password: relayPassword)
        self.server = Texts.safe(linphone_address_get_domain(server)).lowercased()
        self.password = linphone_auth_info_new(
            user, settings.authenticationName.isEmpty ? nil : settings.authenticationName, password, nil, nil,
            linphone_address_get_domain(identity))
        guard let parameters = linphone_account_params_new(core) else { return nil }
        defer { linphone_account_params_unref(parameters) }
        linphone_account_params_set_identity_address(parameters, identity)
        linphone_account_params_set_server_address(parameters, server)
        linphone_account_params_enable_outbound_proxy(parameters, 1)
        linphone_account_params_enable_register(parameters, 1)
        linphone_account_params_set_expires(parameters, CInt(clamping: min(max(settings.expiry, 30), 86_400)))
        linphone_account_params_set_idkey(parameters, key)
        linphone_account_params_enable_publish(parameters, 0)
        linphone_account_params_set_push_notification_allowed(parameters, 0)
        linphone_account_params_set_avpf_mode(parameters, LinphoneAVPFDisabled)
        Relay.set(settings, password: relayPassword, parameters, core)
        guard let account = linphone_account_new(core, parameters) else { return nil }
        handle = account
        linphone_core_add_auth_info(core, self.password)
        guard linphone_core_add_account(core, account) == 0 else {
            linphone_core_remove_auth_info(core, self.password)
            return nil
        }
    }

    deinit {
        linphone_account_unref(handle)
        if let password { linphone_auth_info_unref(password) }
    }

    /// Adds an account for one call with the endpoint of this process, which is never registered; nil on failure.
    ///
    /// - Parameters:
    ///   - user: The user part of its address, and of the far end’s.
    ///   - port: The port of the endpoint.
    ///   - isEncrypted: Whether the call must be encrypted; it must not be otherwise.
    init?(
        loopback user: String, port: UInt16, servers: [MediaServer], isEncrypted: Bool, core: OpaquePointer
    ) {
        let address = "sip:\(user)@\(Self.loopbackDomain)"
        let factory = linphone_factory_get()
        guard let identity = linphone_factory_create_address(factory, address),
            let server = linphone_factory_create_address(factory, "sip:127.0.0.1:\(port);transport=udp")
        else { return nil }
        defer {
            linphone_address_unref(identity)
            linphone_address_unref(server)
        }
        settings = SIPAccount(
            id: "", address: address, transport: .udp, encryption: isEncrypted ? .required : .off,
            codecs: [.opus, .pcmu, .pcma], dtmf: .rfc4733)
        (key, self.server, isLoopback) = ("loopback-\(user)", "127.0.0.1", true)
        route = Route(identity: identity, server: server)
        let relay = servers.relay
        password = relay.map { linphone_auth_info_new($0.user, nil, $0.password, nil, nil, "turn.invalid") }
        guard let parameters = linphone_account_params_new(core) else { return nil }
        defer { linphone_account_params_unref(parameters) }
        linphone_account_params_set_identity_address(parameters, identity)
        linphone_account_params_set_server_address(parameters, server)
        linphone_account_params_enable_outbound_proxy(parameters, 1)
        linphone_account_params_enable_register(parameters, 0)
        linphone_account_params_set_idkey(parameters, key)
        linphone_account_params_enable_publish(parameters, 0)
        linphone_account_params_set_push_notification_allowed(parameters, 0)
        linphone_account_params_set_avpf_mode(parameters, LinphoneAVPFDisabled)
        if let password { linphone_core_add_auth_info(core, password) }
        Relay.set(servers, parameters, core)
        guard let account = linphone_account_new(core, parameters) else { return nil }
        handle = account
        guard linphone_core_add_account(core, account) == 0 else { return nil }
    }

    /// The domain of those accounts, which nobody can have.
    static let loopbackDomain = "touchtone.invalid"

    /// The address of the user; it ends with the account's parameters.
    var identity: OpaquePointer? {
        linphone_account_params_get_identity_address(linphone_account_get_params(handle))
    }

    /// Starts to search for the reason why the server cannot be reached.
    func startProbe() {
        let server = linphone_account_params_get_server_address(linphone_account_get_params(handle))
        let port = linphone_address_get_port(server)
        let standardPort: CInt = settings.transport == .tls ? 5061 : 5060
        probe = ServerProbe(
            host: self.server, port: UInt16(clamping: port > 0 ? port : standardPort),
            transport: settings.transport,
            usesNAPTR: settings.registrar.isEmpty && port <= 0 && !usesOtherDomain
        ).start()
    }

    /// Starts to check the TURN server, if there is one that was not checked since the account was set.
    func checkRelay() {
        relayCheck = uncheckedRelay?.start() ?? relayCheck
        uncheckedRelay = nil
    }

    /// Registers at the servers of another domain, to which NAPTR records of the account's lead.
    func register(at domain: String) {
        usesOtherDomain = true
        sipshims_use_domain(server, settings.transport.rawValue, domain)
        retryAt = nil
        linphone_account_refresh_register(handle)
    }

    /// Registers once more, and returns true, if the registrar saw another address, as behind a router.
    ///
    /// belle-sip does so for the first connection, and then for every second one only: it takes the next for
    /// one that has another address in each direction. Incoming calls would not find the phone.
    func correctAddress() -> Bool {
        guard !isCorrecting, let own = linphone_account_get_contact_address(handle),
            let seen = SeenAddress(via: Texts.safe(linphone_account_get_custom_header(handle, "Via"))),
            !seen.isAt(
                host: Texts.safe(linphone_address_get_domain(own)), port: Int(linphone_address_get_port(own)))
        else {
            isCorrecting = false
            return false
        }
        isCorrecting = true
        linphone_account_refresh_register(handle)
        return true
    }

    /// Notes the phone's address; returns whether it differs from the last one, which no connection has now.
    func noteAddress() -> Bool {
        guard let own = linphone_account_get_contact_address(handle) else { return false }
        let address = "\(Texts.safe(linphone_address_get_domain(own))):\(linphone_address_get_port(own))"
        defer { lastAddress = address }
        return settings.transport != .udp && lastAddress != nil && lastAddress != address
    }

    /// Reads the time of the registration from the registrar's response, which also has the user's other phones.
    func readGrantedExpiry() {
        guard let own = linphone_account_get_contact_address(handle) else { return grantedExpiry = nil }
        let port = linphone_address_get_port(own)
        let contact = Texts.safe(linphone_account_get_custom_header(handle, "Contact")).split(separator: ",")
            .first { $0.contains(":\(port)") }
        let parameter = contact?.lowercased().split(separator: ";").first { $0.hasPrefix("expires=") }
        let text =
            parameter?.dropFirst("expires=".count)
            ?? Texts.safe(linphone_account_get_custom_header(handle, "Expires"))[...]
        grantedExpiry = Int(text.prefix { $0.isNumber }).map { min($0, Self.longestExpiry) }
    }

    /// Ends the attempts to register; liblinphone would make one every minute, and one after each change of the network.
    func giveUp() {
        guard !isGivenUp, let parameters = linphone_account_params_clone(linphone_account_get_params(handle))
        else { return }
        defer { linphone_account_params_unref(parameters) }
        isGivenUp = true
        linphone_account_params_enable_register(parameters, 0)
        linphone_account_set_params(handle, parameters)
        // With it, liblinphone would repeat the request when another account is added.
        if let password { linphone_core_remove_auth_info(linphone_account_get_core(handle), password) }
    }

    /// Removes the account from a core, which unregisters it.
    func remove(from core: OpaquePointer) {
        // The password of an account is still needed to unregister; the core forgets it with the process.
        if isLoopback, let password { linphone_core_remove_auth_info(core, password) }
        linphone_core_remove_account(core, handle)
    }

    /// Whether the registrar may have the account: it is registered, or an attempt or its end is under way.
    var mayBeRegistered: Bool {
        switch linphone_account_get_state(handle) {
        case LinphoneRegistrationNone, LinphoneRegistrationCleared, LinphoneRegistrationFailed: false
        default: true
        }
    }

    private static func server(of settings: SIPAccount, identity: OpaquePointer) -> OpaquePointer? {
        let text =
            settings.registrar.isEmpty
            ? "sip:" + Texts.safe(linphone_address_get_domain(identity)) : settings.registrar
        guard let server = linphone_factory_create_address(linphone_factory_get(), text) else { return nil }
        if settings.registrar.isEmpty, linphone_address_get_port(identity) != 0 {
            linphone_address_set_port(server, linphone_address_get_port(identity))
        }
        switch settings.transport {
        case .tls: linphone_address_set_transport(server, LinphoneTransportTls)
        case .tcp: linphone_address_set_transport(server, LinphoneTransportTcp)
        case .udp: linphone_address_set_transport(server, LinphoneTransportUdp)
        }
        return server
    }
}

/// The delays between attempts to register: from 1 s to 5 min, doubled each time, with jitter.
struct Backoff {
    private var attempts = 0

    /// Returns the next delay, in milliseconds.
    mutating func next() -> Int {
        let delay = min(1_000 << min(attempts, 9), 300_000)
        attempts += 1
        return Int.random(in: delay * 3 / 4...delay)
    }

    mutating func reset() { attempts = 0 }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import SIPMessages

/// The server that helps an account's calls through address translation (NAT), with ICE (RFC 8445).
enum Relay {
    /// A domain that no account can have: liblinphone finds a TURN server's password by its user alone, but
    /// that of an account by its domain, too.
    private static let passwordDomain = "turn.invalid"

    /// Sets the STUN or TURN server of an account's parameters, before its own password is added: liblinphone
    /// sends TURN servers the first one of the user.
    static func set(
        _ account: SIPAccount, password: String, _ parameters: OpaquePointer, _ core: OpaquePointer
    ) {
        guard !account.stunServer.isEmpty, let policy = linphone_core_create_nat_policy(core) else { return }
        defer { linphone_nat_policy_unref(policy) }
        linphone_nat_policy_enable_ice(policy, 1)
        linphone_nat_policy_enable_stun(policy, 1)
        if !account.relayUser.isEmpty, !password.isEmpty {
            linphone_nat_policy_enable_turn(policy, 1)
            linphone_nat_policy_set_stun_server_username(policy, account.relayUser)
            let info = linphone_auth_info_new(account.relayUser, nil, password, nil, nil, passwordDomain)
            linphone_core_add_auth_info(core, info)
            linphone_auth_info_unref(info)
        }
        // Only now does it look up the server, for which the first call would wait otherwise.
        linphone_nat_policy_set_stun_server(policy, account.stunServer)
        linphone_account_params_set_nat_policy(parameters, policy)
    }

    /// Sets ICE and the best of some servers, which may be none.
    static func set(_ servers: [MediaServer], _ parameters: OpaquePointer, _ core: OpaquePointer) {
        guard let policy = linphone_core_create_nat_policy(core) else { return }
        defer { linphone_nat_policy_unref(policy) }
        linphone_nat_policy_enable_ice(policy, 1)
        let relay = servers.relay
        if let server = relay ?? servers.first {
            linphone_nat_policy_enable_stun(policy, 1)
            if let relay {
                linphone_nat_policy_enable_turn(policy, 1)
                linphone_nat_policy_set_stun_server_username(policy, relay.user)
            }
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            linphone_nat_policy_set_stun_server(policy, "\(host):\(server.port)")
        }
        linphone_account_params_set_nat_policy(parameters, policy)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The line of a Jabber account: it calls people, and numbers through a gateway to telephones.
@MainActor
final class JabberLine: Line {
    let id: String
    /// False: gateways pass no calls to emergency services on.
    let reachesHelp = false
    var onEvent: ((LineEvent) -> Void)?
    /// The calls of the account; nil once it is removed.
    private weak var calls: JabberCalls?
    private let makeRules: @MainActor () -> DialRules
    /// The texts and states that were last told of the line.
    private var told: [String] = []

    init(
        _ id: String, of calls: JabberCalls, makeRules: @escaping @MainActor () -> DialRules
    ) {
        (self.id, self.calls, self.makeRules) = (id, calls, makeRules)
    }

    var address: String { calls?.ownAddress.map { XMPPURI($0.description, .open).text } ?? "" }

    var label: String { state.label(calls?.ownAddress?.local ?? "", or: "JABBER") }

    var state: LineState {
        calls?.lineState ?? .unavailable(reason: localized("The account is turned off."))
    }
    var callsNumbers: Bool { calls?.numbers.gateway != nil }
    var rules: DialRules { makeRules() }

    func dial(_ remote: RemoteParty) -> any LineCall { calls?.dial(remote) ?? LostCall(remote) }

    /// Reports a change of what the line shows, if there is one.
    func update() {
        let now = [address, label, "\(callsNumbers)", "\(state)"]
        guard now != told else { return }
        told = now
        onEvent?(.stateChanged)
    }
}

/// A call on the line of an account that was removed just before.
@MainActor
private final class LostCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures = []
    var onEvent: ((CallEvent) -> Void)?

    init(_ remote: RemoteParty) {
        self.remote = remote
        Task { onEvent?(.ended(.notAvailable)) }
    }

    func answer() {}
    func hangUp() {}
    func hold() {}
    func resume() {}
    func setMuted(_ isMuted: Bool) {}
    func send(_ key: DTMFKey) {}
}

extension RemoteParty {
    /// The Jabber address, without a device; nil if there is none.
    var jid: JID? {
        guard let jid = jabberAddress?.jid, !jid.local.isEmpty else { return nil }
        return jid.bare
    }
}

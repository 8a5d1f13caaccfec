// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The search for a gateway to telephone numbers, once for each account and run, and its result.
struct GatewaySearch {
    /// A gateway that was found, with its rank and its position among those asked; lower ones are better.
    struct Found {
        let jid: JID
        let rank: (Int, Int)
    }

    var found: Found?
    /// The gateway that carries calls.
    private(set) var telephone: Found?
    var task: Task<Void, Never>?
    /// Whether a search has ended with answers or refusals of all that were asked.
    var isDone = false
    /// The number of searches so far: a server must not be able to cause any number of them.
    var count = 0
    var features: [JID: Set<String>] = [:]
    private var assigned: [JID: [DialledNumber: ChatAddress]] = [:]

    /// The greatest number of the servers to ask, in the roster and at the account's server each.
    static let maximumAsked = 20
    static let maximumCount = 10
    static let maximumAssigned = 1000

    mutating func forget() {
        task?.cancel()
        self = GatewaySearch()
    }

    /// Records the answer of a server, and returns whether it is a better gateway than the one before.
    mutating func handle(_ info: DiscoInfo, of jid: JID, position: Int) -> Bool {
        if Gateway.carriesCalls(info), telephone.map({ position < $0.rank.1 }) ?? true {
            telephone = Found(jid: jid, rank: (0, position))
        }
        guard let rank = Gateway.rank(info).map({ ($0, position) }) else { return false }
        features[jid] = info.features
        guard found.map({ rank < $0.rank }) ?? true else { return false }
        found = Found(jid: jid, rank: rank)
        return true
    }

    /// Returns the servers to ask: a client on an account may claim to be a gateway, but only a server can be one.
    static func candidates(roster: [JID], items: [DiscoItem]) -> [JID] {
        var known: Set<JID> = []
        let listed = items.filter { $0.node == nil }.map(\.jid).filter { $0.local.isEmpty && $0.isBare }
        let servers = roster.sorted { $0.domain < $1.domain }
        return (servers.prefix(maximumAsked) + listed.prefix(maximumAsked)).filter {
            known.insert($0).inserted
        }
    }

    /// Returns the address of the server that a text names; nil if it is something else.
    static func gateway(_ text: String) -> ChatAddress? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let jid = JID(String(words[0])), jid.local.isEmpty, jid.isBare else {
            return nil
        }
        return ChatAddress(jid)
    }

    func assigned(_ number: DialledNumber, at gateway: JID) -> ChatAddress? { assigned[gateway]?[number] }

    mutating func assign(_ address: ChatAddress, to number: DialledNumber, at gateway: JID) {
        if assigned.values.reduce(0, { $0 + $1.count }) >= Self.maximumAssigned { assigned = [:] }
        assigned[gateway, default: [:]][number] = address
    }
}

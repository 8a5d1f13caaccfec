// SPDX-License-Identifier: GPL-3.0-or-later

/// The mechanism and binding that are chosen from a server's offer.
struct SASLChoice: Hashable {
    let mechanism: SASLMechanism
    let binding: ChannelBinding?
    /// Whether the server is told that we support channel binding but it did not offer it: the server can then detect
    /// that its offer was altered (RFC 5802 section 6, the flag `y`).
    ///
    /// A server that offers a bound mechanism must refuse this flag, even if we have none of its bindings.
    let tellsOfBinding: Bool

    /// Chooses the strongest mechanism.
    ///
    /// - Parameters:
    ///   - offered: The names of the server's mechanisms.
    ///   - bindings: The names of its channel bindings (XEP-0440); nil if it lists none, as older servers do.
    ///   - available: The bindings that the connection supports.
    ///   - floor: The weakest mechanism to accept: the last one that worked with this account.
    /// - Throws: `SASLError.noMechanism` or `SASLError.downgraded`.
    init(
        offered: [String], bindings: [String]?, available: Set<ChannelBinding>, floor: SASLMechanism?
    ) throws(SASLError) {
        let known = offered.compactMap { SASLMechanism(rawValue: $0) }
        let binding = ChannelBinding.allCases.last { candidate in
            available.contains(candidate) && Self.hasBinding(candidate, listed: bindings, floor)
        }
        let usable = known.filter { !$0.isBound || binding != nil }
        guard let best = usable.max() else { throw .noMechanism(offered: offered.sorted()) }
        if let floor, best < floor { throw .downgraded(from: floor, to: best) }
        mechanism = best
        self.binding = best.isBound ? binding : nil
        tellsOfBinding = !available.isEmpty && !offered.contains { $0.hasSuffix("-PLUS") }
    }

    /// Returns whether the server has a binding: whether it is in its list or, without a list, is assumed.
    ///
    /// RFC 5802 requires `tls-unique`, which TLS 1.3 does not have. ejabberd before 23.04 offers bound mechanisms there
    /// and can check no binding. If the account has signed in with a binding before, a list is missing because someone
    /// removed it, or was never there: the binding is still required.
    static func hasBinding(_ binding: ChannelBinding, listed: [String]?, _ floor: SASLMechanism?) -> Bool {
        if let listed { return listed.contains(binding.rawValue) }
        return switch binding {
        case .unique: true
        case .exporter: floor?.isBound == true
        case .serverEndPoint: false
        }
    }

    /// The strongest supported mechanism without a binding; nil if there is none.
    static func unbound(_ offered: [String]) -> SASLMechanism? {
        offered.compactMap { SASLMechanism(rawValue: $0) }.filter { !$0.isBound }.max()
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The supported SASL mechanisms, the strongest last (RFC 5802, 7677, 4616).
///
/// Those bound to the TLS channel are stronger than all others: only they detect an interceptor that has a certificate
/// for the server's name. PLAIN sends the password itself, and is the last resort.
public enum SASLMechanism: String, Sendable, CaseIterable, Comparable {
    /// The password in the clear, inside TLS.
    case plain = "PLAIN"
    case scramSHA1 = "SCRAM-SHA-1"
    case scramSHA256 = "SCRAM-SHA-256"
    case scramSHA512 = "SCRAM-SHA-512"
    case scramSHA1Plus = "SCRAM-SHA-1-PLUS"
    case scramSHA256Plus = "SCRAM-SHA-256-PLUS"
    case scramSHA512Plus = "SCRAM-SHA-512-PLUS"

    public var isBound: Bool { self >= .scramSHA1Plus }

    /// The hash function of SCRAM; nil for PLAIN.
    public var hash: SCRAMHash? {
        switch self {
        case .plain: nil
        case .scramSHA1, .scramSHA1Plus: .sha1
        case .scramSHA256, .scramSHA256Plus: .sha256
        case .scramSHA512, .scramSHA512Plus: .sha512
        }
    }

    public static func < (one: SASLMechanism, other: SASLMechanism) -> Bool { one.strength < other.strength }

    private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A TLS channel binding (RFC 5929, RFC 9266), the best last.
public enum ChannelBinding: String, Sendable, CaseIterable {
    /// The server's certificate; for any version of TLS.
    case serverEndPoint = "tls-server-end-point"
    /// The first Finished message of the handshake; for TLS 1.2 and older.
    case unique = "tls-unique"
    /// A key exported from the connection; for TLS 1.3.
    case exporter = "tls-exporter"
}

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
            available.contains(candidate)
                && (bindings?.contains(candidate.rawValue) ?? Self.isAssumed(candidate, floor))
        }
        let usable = known.filter { !$0.isBound || binding != nil }
        guard let best = usable.max() else { throw .noMechanism(offered: offered.sorted()) }
        if let floor, best < floor { throw .downgraded(from: floor, to: best) }
        mechanism = best
        self.binding = best.isBound ? binding : nil
        tellsOfBinding = !available.isEmpty && !offered.contains { $0.hasSuffix("-PLUS") }
    }

    /// Returns whether a server that does not list its bindings is assumed to have this one.
    ///
    /// RFC 5802 requires `tls-unique`, which TLS 1.3 does not have. ejabberd before 23.04 offers bound mechanisms there
    /// and can check no binding. If the account has signed in with a binding before, a list is missing because someone
    /// removed it, or was never there: the binding is still required.
    private static func isAssumed(_ binding: ChannelBinding, _ floor: SASLMechanism?) -> Bool {
        switch binding {
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

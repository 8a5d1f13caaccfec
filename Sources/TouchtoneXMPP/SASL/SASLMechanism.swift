// SPDX-License-Identifier: GPL-3.0-or-later

/// The ways of proving a password that are used here, the strongest last (RFC 5802, 7677, 4616).
///
/// Those bound to the TLS channel are stronger than any that is not: they alone see someone in between who holds a
/// certificate for the server's name. PLAIN tells the password itself, and is the last resort.
public enum SASLMechanism: String, Sendable, CaseIterable, Comparable {
    /// The password as it is.
    case plain = "PLAIN"
    /// SCRAM.
    case scramSHA1 = "SCRAM-SHA-1"
    /// SCRAM.
    case scramSHA256 = "SCRAM-SHA-256"
    /// SCRAM.
    case scramSHA512 = "SCRAM-SHA-512"
    /// SCRAM, bound to the channel.
    case scramSHA1Plus = "SCRAM-SHA-1-PLUS"
    /// SCRAM, bound to the channel.
    case scramSHA256Plus = "SCRAM-SHA-256-PLUS"
    /// SCRAM, bound to the channel.
    case scramSHA512Plus = "SCRAM-SHA-512-PLUS"

    /// Whether it is bound to the TLS channel.
    public var isBound: Bool { self >= .scramSHA1Plus }

    /// The hash of SCRAM; nil for PLAIN.
    public var hash: SCRAMHash? {
        switch self {
        case .plain: nil
        case .scramSHA1, .scramSHA1Plus: .sha1
        case .scramSHA256, .scramSHA256Plus: .sha256
        case .scramSHA512, .scramSHA512Plus: .sha512
        }
    }

    /// Whether it is the weaker one.
    public static func < (one: SASLMechanism, other: SASLMechanism) -> Bool { one.strength < other.strength }

    private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A way of naming the TLS channel (RFC 5929, RFC 9266), the best last.
public enum ChannelBinding: String, Sendable, CaseIterable {
    /// The server's certificate. Any version of TLS.
    case serverEndPoint = "tls-server-end-point"
    /// The first message of the handshake that was checked. TLS 1.2 and older.
    case unique = "tls-unique"
    /// A key exported from the connection. TLS 1.3.
    case exporter = "tls-exporter"
}

/// What is chosen from a server's offer.
struct SASLChoice: Hashable {
    let mechanism: SASLMechanism
    let binding: ChannelBinding?
    /// Whether the server is told that it could have had channel binding, if it had offered it: it can then see that
    /// its offer was tampered with (RFC 5802 section 6, the flag `y`).
    let tellsOfBinding: Bool

    /// Chooses the strongest.
    ///
    /// - Parameters:
    ///   - offered: the names of the server's mechanisms.
    ///   - bindings: the names of its bindings (XEP-0440); nil where it does not say, as servers did before.
    ///   - available: the bindings that this connection has.
    ///   - floor: the weakest that is accepted: what worked before with this account.
    init(
        offered: [String], bindings: [String]?, available: Set<ChannelBinding>, floor: SASLMechanism?
    ) throws(SASLError) {
        let known = offered.compactMap { SASLMechanism(rawValue: $0) }
        let binding = ChannelBinding.allCases.last { candidate in
            guard available.contains(candidate) else { return false }
            // Without a list it is the one that the version of TLS has for its own.
            return bindings?.contains(candidate.rawValue) ?? (candidate != .serverEndPoint)
        }
        let usable = known.filter { !$0.isBound || binding != nil }
        guard let best = usable.max() else { throw .noMechanism(offered: offered.sorted()) }
        if let floor, best < floor { throw .downgraded(from: floor, to: best) }
        mechanism = best
        self.binding = best.isBound ? binding : nil
        tellsOfBinding = !available.isEmpty && !offered.contains { $0.hasSuffix("-PLUS") }
    }
}

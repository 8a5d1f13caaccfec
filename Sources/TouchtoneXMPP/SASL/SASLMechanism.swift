// SPDX-License-Identifier: GPL-3.0-or-later

/// The supported SASL mechanisms, the strongest last (RFC 5802, 7677, 4616).
///
/// Those bound to the TLS channel are stronger than all others: only they detect an interceptor that has a certificate
/// for the server's name. PLAIN sends the password itself, and is the last resort.
enum SASLMechanism: String, Sendable, CaseIterable, Comparable {
    /// The password in the clear, inside TLS.
    case plain = "PLAIN"
    case scramSHA1 = "SCRAM-SHA-1"
    case scramSHA256 = "SCRAM-SHA-256"
    case scramSHA512 = "SCRAM-SHA-512"
    case scramSHA1Plus = "SCRAM-SHA-1-PLUS"
    case scramSHA256Plus = "SCRAM-SHA-256-PLUS"
    case scramSHA512Plus = "SCRAM-SHA-512-PLUS"

    var isBound: Bool { self >= .scramSHA1Plus }

    /// The hash function of SCRAM; nil for PLAIN.
    var hash: SCRAMHash? {
        switch self {
        case .plain: nil
        case .scramSHA1, .scramSHA1Plus: .sha1
        case .scramSHA256, .scramSHA256Plus: .sha256
        case .scramSHA512, .scramSHA512Plus: .sha512
        }
    }

    static func < (one: SASLMechanism, other: SASLMechanism) -> Bool { one.strength < other.strength }

    private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A TLS channel binding (RFC 5929, RFC 9266), the best last.
enum ChannelBinding: String, Sendable, CaseIterable {
    /// The server's certificate; for any version of TLS.
    case serverEndPoint = "tls-server-end-point"
    /// The first Finished message of the handshake; for TLS 1.2 and older.
    case unique = "tls-unique"
    /// A key exported from the connection; for TLS 1.3.
    case exporter = "tls-exporter"
}

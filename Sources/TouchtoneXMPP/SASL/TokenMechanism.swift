// SPDX-License-Identifier: GPL-3.0-or-later

/// A SASL mechanism for tokens (draft-schmaus-kitten-sasl-ht), the best last.
enum TokenMechanism: String, Sendable, CaseIterable {
    case unbound = "HT-SHA-256-NONE"
    case serverEndPoint = "HT-SHA-256-ENDP"
    case unique = "HT-SHA-256-UNIQ"
    case exporter = "HT-SHA-256-EXPR"

    var binding: ChannelBinding? {
        switch self {
        case .unbound: nil
        case .serverEndPoint: .serverEndPoint
        case .unique: .unique
        case .exporter: .exporter
        }
    }

    /// Returns the best mechanism; nil if there is none.
    ///
    /// - Parameters:
    ///   - offered: The names of the server's mechanisms for tokens.
    ///   - bindings: The names of the server's channel bindings (XEP-0440); nil if it lists none.
    ///   - available: The bindings that the connection supports.
    ///   - floor: The weakest mechanism to accept for the password.
    static func best(
        of offered: [String], bindings: [String]?, available: Set<ChannelBinding>, floor: SASLMechanism?
    ) -> TokenMechanism? {
        allCases.last { mechanism in
            guard offered.contains(mechanism.rawValue) else { return false }
            // Whoever intercepts the connection could use an unbound token.
            guard let binding = mechanism.binding else { return floor?.isBound != true }
            return available.contains(binding) && SASLChoice.hasBinding(binding, listed: bindings, floor)
        }
    }
}

/// A sign-in with a token, in one message and its answer.
struct TokenProof {
    let mechanism: TokenMechanism
    /// The message to send: the name, and the proof of the token.
    let message: [UInt8]
    private let expected: [UInt8]

    /// - Parameter bindingData: The data of the mechanism's channel binding; empty if it has none.
    init(_ mechanism: TokenMechanism, name: String, token: String, bindingData: [UInt8]) throws(SASLError) {
        self.mechanism = mechanism
        let key = Array(token.utf8)
        let proof = { (role: String) throws(SASLError) in
            try SCRAMHash.sha256.hmac(key: key, Array(role.utf8) + bindingData)
        }
        message = Array(name.utf8) + [0] + (try proof("Initiator"))
        expected = try proof("Responder")
    }

    /// Verifies that the server has the token, too.
    func verify(_ answer: [UInt8]?) throws(SASLError) {
        guard let answer, Secret.areEqual(answer, expected) else { throw .notProven }
    }
}

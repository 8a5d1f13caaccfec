// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// A token by which this device signs in instead of the password (XEP-0484), as it is in the keyring.
struct SignInToken: Hashable, Sendable {
    static let maximumLength = 1024

    let text: String
    /// The mechanism for which the server issued it.
    let mechanism: TokenMechanism
    let expiry: Timestamp
    /// The time at which it arrived, from which its uses are numbered.
    let received: Timestamp
    /// The id of this device, to which the server issued it.
    let deviceID: String
    /// A hash of the password with which the token was requested: another password is to be tried itself.
    private let passwordHash: String

    init(
        _ issued: SASL2Success.IssuedToken, for mechanism: TokenMechanism, deviceID: String,
        password: String, received: Timestamp
    ) throws(SASLError) {
        (text, expiry) = (issued.text, issued.expiry)
        (self.mechanism, self.deviceID, self.received) = (mechanism, deviceID, received)
        passwordHash = try Self.hash(password, text)
    }

    /// Returns whether a text can be a token: whether it is printable ASCII without spaces, and short.
    static func isUsable(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    func isValid(at now: Timestamp, password: String) -> Bool {
        guard now < expiry, let hash = try? Self.hash(password, text) else { return false }
        return Secret.areEqual(Array(hash.utf8), Array(passwordHash.utf8))
    }

    /// The token keyed hash: without the token, nobody can try passwords against it.
    private static func hash(_ password: String, _ token: String) throws(SASLError) -> String {
        Base64.encode(try SCRAMHash.sha256.hmac(key: Array(token.utf8), Array(password.utf8)))
    }

    // MARK: - The keyring

    /// The version of `description`.
    private static let version = "1"

    /// Reads what `description` wrote, whatever follows it; returns nil if it is something else.
    init?(_ stored: String) {
        let parts = stored.split(separator: " ").map { String($0) }
        guard parts.count >= 7, parts[0] == Self.version, let mechanism = TokenMechanism(rawValue: parts[1]),
            Self.isUsable(parts[2]), let expiry = Timestamp(parts[3]), let received = Timestamp(parts[4])
        else { return nil }
        (self.mechanism, text, self.expiry, self.received) = (mechanism, parts[2], expiry, received)
        (deviceID, passwordHash) = (parts[5], parts[6])
    }
}

extension SignInToken: CustomStringConvertible {
    /// The text for the keyring.
    var description: String {
        [
            Self.version, mechanism.rawValue, text, expiry.description, received.description, deviceID,
            passwordHash,
        ]
        .joined(separator: " ")
    }
}

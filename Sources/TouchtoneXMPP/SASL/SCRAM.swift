// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The client's side of a SCRAM exchange (RFC 5802), as a value.
///
///     let scram = try SCRAM(hash: .sha256, name: "user", password: "pencil", binding: .none, nonce: nonce)
///     // send scram.firstMessage, receive the challenge
///     let challenge = try scram.challenge(text)
///     let key = try await SaltedPassword.derived(for: challenge, from: scram)
///     let answer = try scram.answer(to: challenge, with: key)
///     // send answer.message, receive the server's last message
///     try answer.verify(last)
struct SCRAM: Sendable {
    enum Binding: Hashable, Sendable {
        /// None, because the connection does not support it.
        case none
        /// None, because the server did not offer it.
        case notOffered
        /// A binding of that kind, with its data.
        case bound(ChannelBinding, [UInt8])
    }

    /// The fewest iterations: with less, the password would be too easy to guess (RFC 7677 section 4).
    static let fewestRounds = 4096
    /// The greatest iteration count to accept, which takes some seconds.
    static let maximumRounds = 2_000_000

    let hash: SCRAMHash
    let password: String
    private let bare: String
    private let header: String
    private let bindingData: [UInt8]
    private let nonce: String

    /// - Parameter nonce: 24 or more random printable characters without a comma, never used before.
    /// - Throws: `SASLError.unusablePassword` if the name or password is empty, or has forbidden characters.
    init(hash: SCRAMHash, name: String, password: String, binding: Binding, nonce: String)
        throws(SASLError)
    {
        guard let name = StringPreparation.sasl.apply(name), !name.isEmpty,
            let password = StringPreparation.sasl.apply(password), !password.isEmpty
        else { throw .unusablePassword }
        self.hash = hash
        self.password = password
        self.nonce = nonce
        bare = "n=\(Self.escaped(name)),r=\(nonce)"
        switch binding {
        case .none: (header, bindingData) = ("n,,", [])
        case .notOffered: (header, bindingData) = ("y,,", [])
        case .bound(let kind, let data): (header, bindingData) = ("p=\(kind.rawValue),,", data)
        }
    }

    var firstMessage: String { header + bare }

    /// The fields of the server's first message.
    struct Challenge: Hashable, Sendable {
        let message: String
        let nonce: String
        let salt: [UInt8]
        /// The iteration count of PBKDF2.
        let rounds: Int
        /// The hashes of the server's offer (XEP-0474), at most one from a sound server.
        let offerHashes: [String]
        /// The versions of TLS at the server's end (XEP-0515), at most one from a sound server.
        let versions: [String]
    }

    /// - Throws: `SASLError.implausible`, also for an iteration count outside `fewestRounds...maximumRounds`.
    func challenge(_ message: String) throws(SASLError) -> Challenge {
        let fields = message.split(separator: ",", omittingEmptySubsequences: false)
        // Fields after the first three are optional; `m=` before them would be a mandatory extension, which is not
        // supported.
        guard fields.count >= 3, fields[0].hasPrefix("r="), fields[1].hasPrefix("s="),
            fields[2].hasPrefix("i=")
        else { throw .implausible(localized("the challenge")) }
        let nonce = String(fields[0].dropFirst(2))
        guard nonce.hasPrefix(self.nonce), nonce.utf8.count > self.nonce.utf8.count,
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .implausible(localized("the nonce")) }
        guard let salt = Base64.decode(String(fields[1].dropFirst(2))), (1...1024).contains(salt.count) else {
            throw .implausible(localized("the salt"))
        }
        let digits = fields[2].dropFirst(2)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let rounds = Int(digits),
            (Self.fewestRounds...Self.maximumRounds).contains(rounds)
        else { throw .implausible(localized("the number of rounds")) }
        func values(_ prefix: String) -> [String] {
            fields.dropFirst(3).filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        return Challenge(
            message: message, nonce: nonce, salt: salt, rounds: rounds, offerHashes: values("h="),
            versions: values("t="))
    }

    /// The client's second message, and the expected response.
    struct Answer: Sendable {
        let message: String
        private let signature: [UInt8]

        init(message: String, signature: [UInt8]) {
            self.message = message
            self.signature = signature
        }

        /// Verifies the server's last message, which proves that it knows the password.
        func verify(_ last: String) throws(SASLError) {
            if last.hasPrefix("e=") {
                throw .refused(
                    condition: "not-authorized", text: PlainText.line(String(last.dropFirst(2))))
            }
            guard let field = last.split(separator: ",").first, field.hasPrefix("v="),
                let proof = Base64.decode(String(field.dropFirst(2))), Secret.areEqual(proof, signature)
            else { throw .notProven }
        }
    }

    func answer(to challenge: Challenge, with key: SaltedPassword) throws(SASLError) -> Answer {
        let channel = Base64.encode(Array(header.utf8) + bindingData)
        let withoutProof = "c=\(channel),r=\(challenge.nonce)"
        let whole = Array("\(bare),\(challenge.message),\(withoutProof)".utf8)
        let clientKey = try hash.hmac(key: key.bytes, Array("Client Key".utf8))
        let signature = try hash.hmac(key: hash.hash(clientKey), whole)
        let proof = zip(clientKey, signature).map { $0 ^ $1 }
        let serverKey = try hash.hmac(key: key.bytes, Array("Server Key".utf8))
        return Answer(
            message: "\(withoutProof),p=\(Base64.encode(proof))",
            signature: try hash.hmac(key: serverKey, whole))
    }

    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { $0 += $1 == "=" ? "=3D" : $1 == "," ? "=2C" : String($1) }
    }
}

/// A password after PBKDF2, with its parameters: it can be used again while the server sends the same ones.
struct SaltedPassword: Sendable {
    let bytes: [UInt8]
    private let hash: SCRAMHash
    private let salt: [UInt8]
    private let rounds: Int

    func fits(_ challenge: SCRAM.Challenge, hash: SCRAMHash) -> Bool {
        self.hash == hash && salt == challenge.salt && rounds == challenge.rounds
    }

    /// Derives the salted password, off the main thread.
    nonisolated(nonsending) static func derived(
        for challenge: SCRAM.Challenge, from scram: SCRAM
    ) async throws(SASLError) -> SaltedPassword {
        let result = await BackgroundThread("touchtone-work").run {
            Result { () throws(SASLError) in
                try scram.hash.pbkdf2(
                    password: scram.password, salt: challenge.salt, rounds: challenge.rounds)
            }
        }
        let bytes = try result.get()
        return SaltedPassword(bytes: bytes, hash: scram.hash, salt: challenge.salt, rounds: challenge.rounds)
    }
}

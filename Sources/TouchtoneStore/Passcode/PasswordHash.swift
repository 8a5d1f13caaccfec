// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSodium
internal import Glibc

/// A hash that takes long to compute, so that guessing takes long too.
protocol PasswordHash: Sendable {
    /// Returns a new hash of a password with its own salt, or nil if there is not enough memory.
    func make(_ password: [CChar]) -> String?

    /// Returns whether a hash belongs to the password, or nil if there is not enough memory.
    ///
    /// It is computed once and takes the same time for either answer.
    func matches(_ hash: String, _ password: [CChar]) -> Bool?
}

/// Argon2id by libsodium, with its limits for interactive use: 64 MiB, two passes.
struct Argon2id: PasswordHash {
    func make(_ password: [CChar]) -> String? {
        guard sodium_init() >= 0 else { return nil }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
        let failed = crypto_pwhash_str(
            &text, password, UInt64(password.count), UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive())
        guard failed == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func matches(_ hash: String, _ password: [CChar]) -> Bool? {
        guard sodium_init() >= 0 else { return nil }
        errno = 0
        let failed = crypto_pwhash_str_verify(hash, password, UInt64(password.count))
        return failed != 0 && errno == ENOMEM ? nil : failed == 0
    }
}

/// The cost of computing a hash, as stated in the hash itself.
struct HashCost: Hashable {
    /// The memory, in KiB.
    let memory: Int
    let passes: Int

    /// Creates the cost from one of libsodium's hashes, or returns nil for any other text.
    init?(of hash: String) {
        let parts = hash.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19" else {
            return nil
        }
        let costs = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3, costs[0].hasPrefix("m="), costs[1].hasPrefix("t="), costs[2] == "p=1",
            let memory = Int(costs[0].dropFirst(2)), let passes = Int(costs[1].dropFirst(2))
        else { return nil }
        self.memory = memory
        self.passes = passes
    }

    /// Whether the cost is at least that of new hashes, and not so high that it would exhaust the machine.
    var isBearable: Bool { (65_536...1_048_576).contains(memory) && (2...16).contains(passes) }
}

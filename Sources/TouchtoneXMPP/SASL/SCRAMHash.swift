// SPDX-License-Identifier: GPL-3.0-or-later

import CGcrypt
import CGio
import CSodium

/// A hash function of SCRAM, with the functions based on it, from libgcrypt.
enum SCRAMHash: String, Sendable, CaseIterable {
    /// RFC 5802.
    case sha1 = "SHA-1"
    /// RFC 7677.
    case sha256 = "SHA-256"
    /// Used by ejabberd and others, by analogy with RFC 7677.
    case sha512 = "SHA-512"

    private static let initialized: Void = touchtone_gcrypt_initialize()

    private var algorithm: Int32 {
        let algorithm =
            switch self {
            case .sha1: GCRY_MD_SHA1
            case .sha256: GCRY_MD_SHA256
            case .sha512: GCRY_MD_SHA512
            }
        return Int32(algorithm.rawValue)
    }

    /// The length of a hash, in bytes.
    var length: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    func hash(_ bytes: [UInt8]) throws(SASLError) -> [UInt8] {
        try compute([bytes], flags: 0)
    }

    /// Returns a hash in lower-case hex; nil if the system’s policy forbids the function.
    func hex(of bytes: [UInt8]) -> String? {
        let digits = Array("0123456789abcdef")
        return (try? hash(bytes)).map { hash in
            String(hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }
    }

    /// Computes the HMAC of bytes (RFC 2104).
    func hmac(key: [UInt8], _ bytes: [UInt8]) throws(SASLError) -> [UInt8] {
        try compute([key, bytes], flags: GCRY_MD_FLAG_HMAC.rawValue)
    }

    /// Computes PBKDF2 (RFC 8018), which takes milliseconds per ten thousand iterations: call it off the main thread.
    func pbkdf2(password: String, salt: [UInt8], rounds: Int) throws(SASLError) -> [UInt8] {
        Self.initialized
        let password = Array(password.utf8)
        var output = [UInt8](repeating: 0, count: length)
        try Self.check(
            gcry_kdf_derive(
                password, password.count, Int32(GCRY_KDF_PBKDF2.rawValue), algorithm, salt, salt.count,
                UInt(rounds), output.count, &output))
        return output
    }

    /// Computes the hash of parts, or their HMAC, with the key as the first part.
    private func compute(_ parts: [[UInt8]], flags: UInt32) throws(SASLError) -> [UInt8] {
        Self.initialized
        var output = [UInt8](repeating: 0, count: length)
        var bytes = parts.flatMap { $0 }
        let status = bytes.withUnsafeMutableBytes { bytes in
            var offset = 0
            let buffers = parts.map { part in
                defer { offset += part.count }
                return gcry_buffer_t(size: 0, off: offset, len: part.count, data: bytes.baseAddress)
            }
            return gcry_md_hash_buffers(algorithm, flags, &output, buffers, Int32(buffers.count))
        }
        try Self.check(status)
        return output
    }

    /// Throws an error for a failed call: the system's policy may forbid SHA-1, for example.
    private static func check(_ status: gcry_error_t) throws(SASLError) {
        guard status == 0 else { throw .unavailable(String(cString: gcry_strerror(status))) }
    }
}

/// The comparison of secrets in constant time.
enum Secret {
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }
}

/// Base64 (RFC 4648 section 4), with GLib's functions and strict decoding.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        guard let text = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Returns the decoded bytes; nil if the text is not exactly their encoding, unlike GLib's decoder.
    static func decode(_ text: String) -> [UInt8]? {
        var count: gsize = 0
        guard !text.utf8.contains(0), let data = g_base64_decode(text, &count) else { return nil }
        defer { g_free(data) }
        let bytes = Array(UnsafeBufferPointer(start: data, count: Int(count)))
        return encode(bytes) == text ? bytes : nil
    }
}

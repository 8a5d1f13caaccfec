// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import CGnuTLS

/// A hash function of SCRAM, with the functions based on it, from GnuTLS.
public enum SCRAMHash: String, Sendable, CaseIterable {
    /// RFC 5802.
    case sha1 = "SHA-1"
    /// RFC 7677.
    case sha256 = "SHA-256"
    /// Used by ejabberd and others, by analogy with RFC 7677.
    case sha512 = "SHA-512"

    private var digest: gnutls_digest_algorithm_t {
        switch self {
        case .sha1: GNUTLS_DIG_SHA1
        case .sha256: GNUTLS_DIG_SHA256
        case .sha512: GNUTLS_DIG_SHA512
        }
    }

    private var mac: gnutls_mac_algorithm_t {
        switch self {
        case .sha1: GNUTLS_MAC_SHA1
        case .sha256: GNUTLS_MAC_SHA256
        case .sha512: GNUTLS_MAC_SHA512
        }
    }

    /// The length of a hash, in bytes.
    var length: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// Computes the hash of bytes.
    func hash(_ bytes: [UInt8]) throws(SASLError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: length)
        try Self.check(gnutls_hash_fast(digest, bytes, bytes.count, &output))
        return output
    }

    /// Computes the HMAC of bytes (RFC 2104).
    func hmac(key: [UInt8], _ bytes: [UInt8]) throws(SASLError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: length)
        try Self.check(gnutls_hmac_fast(mac, key, key.count, bytes, bytes.count, &output))
        return output
    }

    /// Computes PBKDF2 (RFC 8018), which takes milliseconds per ten thousand iterations: call it off the main thread.
    func pbkdf2(password: String, salt: [UInt8], rounds: Int) throws(SASLError) -> [UInt8] {
        var password = Array(password.utf8)
        var salt = salt
        var output = [UInt8](repeating: 0, count: length)
        let size = UInt32(password.count)
        let saltSize = UInt32(salt.count)
        let status = password.withUnsafeMutableBufferPointer { password in
            salt.withUnsafeMutableBufferPointer { salt in
                var key = gnutls_datum_t(data: password.baseAddress, size: size)
                var saltDatum = gnutls_datum_t(data: salt.baseAddress, size: saltSize)
                return gnutls_pbkdf2(mac, &key, &saltDatum, UInt32(rounds), &output, output.count)
            }
        }
        try Self.check(status)
        return output
    }

    /// Throws an error for a failed call: the system's policy may forbid SHA-1, for example.
    private static func check(_ status: Int32) throws(SASLError) {
        guard status == 0 else {
            throw .unavailable(gnutls_strerror(status).map { String(cString: $0) } ?? "GnuTLS \(status)")
        }
    }
}

/// The comparison of secrets in constant time.
enum Secret {
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && gnutls_memcmp(one, other, one.count) == 0
    }
}

/// Base64 (RFC 4648 section 4), with GLib's functions and strict decoding.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        guard let text = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Returns the decoded bytes; nil if the text is not exactly their encoding.
    ///
    /// GLib's decoder ignores invalid characters.
    static func decode(_ text: String) -> [UInt8]? {
        var count: gsize = 0
        guard !text.utf8.contains(0), let data = g_base64_decode(text, &count) else { return nil }
        defer { g_free(data) }
        let bytes = Array(UnsafeBufferPointer(start: data, count: Int(count)))
        return encode(bytes) == text ? bytes : nil
    }
}

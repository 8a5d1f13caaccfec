// SPDX-License-Identifier: GPL-3.0-or-later

import CGcrypt

/// AES in Galois/Counter Mode (NIST SP 800-38D) with one key and IV, for pieces of any length.
final class GCM {
    static let tagLength = 16

    private let handle: gcry_cipher_hd_t

    init(key: [UInt8], iv: [UInt8]) throws(SessionError) {
        touchtone_gcrypt_initialize()
        let algorithm = key.count == 16 ? GCRY_CIPHER_AES : GCRY_CIPHER_AES256
        var handle: gcry_cipher_hd_t?
        guard
            gcry_cipher_open(&handle, Int32(algorithm.rawValue), Int32(GCRY_CIPHER_MODE_GCM.rawValue), 0)
                == 0, let handle
        else { throw .unavailable }
        self.handle = handle
        guard gcry_cipher_setkey(handle, key, key.count) == 0, gcry_cipher_setiv(handle, iv, iv.count) == 0
        else { throw .malformed }
    }

    deinit { gcry_cipher_close(handle) }

    func encrypt(_ bytes: inout [UInt8]) throws(SessionError) {
        guard gcry_cipher_encrypt(handle, &bytes, bytes.count, nil, 0) == 0 else { throw .unavailable }
    }

    func decrypt(_ bytes: inout [UInt8]) throws(SessionError) {
        guard gcry_cipher_decrypt(handle, &bytes, bytes.count, nil, 0) == 0 else { throw .unavailable }
    }

    /// Returns the tag of all pieces.
    func tag() throws(SessionError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        guard gcry_cipher_gettag(handle, &tag, tag.count) == 0 else { throw .unavailable }
        return tag
    }

    /// Tells, in constant time, whether a tag is that of all pieces.
    func matches(_ tag: [UInt8]) -> Bool {
        tag.count == Self.tagLength && gcry_cipher_checktag(handle, tag, tag.count) == 0
    }

    /// Tells whether an IV has one of the two lengths in use: 12 bytes, and 16 of older clients.
    static func isIV(_ bytes: [UInt8]) -> Bool { bytes.count == 12 || bytes.count == 16 }
}

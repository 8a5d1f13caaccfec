// SPDX-License-Identifier: GPL-3.0-or-later

import CGcrypt
import COMEMO

/// The functions of libgcrypt that libomemo-c calls.
enum SignalCrypto {
    static var provider: signal_crypto_provider {
        signal_crypto_provider(
            random_func: { bytes, count, _ in
                gcry_randomize(bytes, count, GCRY_STRONG_RANDOM)
                return SG_SUCCESS
            },
            hmac_sha256_init_func: { context, key, count, _ in
                var mac: gcry_mac_hd_t?
                guard gcry_mac_open(&mac, Int32(GCRY_MAC_HMAC_SHA256.rawValue), 0, nil) == 0 else {
                    return SG_ERR_UNKNOWN
                }
                guard gcry_mac_setkey(mac, key, count) == 0 else {
                    gcry_mac_close(mac)
                    return SG_ERR_UNKNOWN
                }
                context?.pointee = UnsafeMutableRawPointer(mac)
                return SG_SUCCESS
            },
            hmac_sha256_update_func: { context, bytes, count, _ in
                gcry_mac_write(OpaquePointer(context), bytes, count) == 0 ? SG_SUCCESS : SG_ERR_UNKNOWN
            },
            hmac_sha256_final_func: { context, output, _ in
                var hash = [UInt8](repeating: 0, count: 32)
                var count = hash.count
                guard gcry_mac_read(OpaquePointer(context), &hash, &count) == 0 else { return SG_ERR_UNKNOWN }
                return SignalCrypto.give(hash, to: output)
            },
            hmac_sha256_cleanup_func: { context, _ in gcry_mac_close(OpaquePointer(context)) },
            sha512_digest_init_func: { context, _ in
                var digest: gcry_md_hd_t?
                guard gcry_md_open(&digest, Int32(GCRY_MD_SHA512.rawValue), 0) == 0 else {
                    return SG_ERR_UNKNOWN
                }
                context?.pointee = UnsafeMutableRawPointer(digest)
                return SG_SUCCESS
            },
            sha512_digest_update_func: { context, bytes, count, _ in
                gcry_md_write(SignalCrypto.handle(context), bytes, count)
                return SG_SUCCESS
            },
            sha512_digest_final_func: { context, output, _ in
                let digest = SignalCrypto.handle(context)
                guard let hash = gcry_md_read(digest, Int32(GCRY_MD_SHA512.rawValue)) else {
                    return SG_ERR_UNKNOWN
                }
                defer { gcry_md_reset(digest) }
                return SignalCrypto.give(Array(UnsafeBufferPointer(start: hash, count: 64)), to: output)
            },
            sha512_digest_cleanup_func: { context, _ in gcry_md_close(SignalCrypto.handle(context)) },
            encrypt_func: { output, cipher, key, keyCount, iv, ivCount, bytes, count, _ in
                var bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
                if cipher == SG_CIPHER_AES_CBC_PKCS5 {
                    let padding = 16 - bytes.count % 16
                    bytes += repeatElement(UInt8(padding), count: padding)
                }
                let isDone = SignalCrypto.withCipher(cipher, key: (key, keyCount), iv: (iv, ivCount)) {
                    handle in
                    gcry_cipher_encrypt(handle, &bytes, bytes.count, nil, 0)
                }
                return isDone ? SignalCrypto.give(bytes, to: output) : SG_ERR_UNKNOWN
            },
            decrypt_func: { output, cipher, key, keyCount, iv, ivCount, bytes, count, _ in
                var bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
                let isPadded = cipher == SG_CIPHER_AES_CBC_PKCS5
                guard !isPadded || (!bytes.isEmpty && bytes.count % 16 == 0) else { return SG_ERR_INVAL }
                let isDone = SignalCrypto.withCipher(cipher, key: (key, keyCount), iv: (iv, ivCount)) {
                    handle in
                    gcry_cipher_decrypt(handle, &bytes, bytes.count, nil, 0)
                }
                guard isDone else { return SG_ERR_UNKNOWN }
                if isPadded {
                    let padding = bytes.last.map(Int.init) ?? 0
                    guard (1...16).contains(padding), bytes.suffix(padding).allSatisfy({ $0 == padding })
                    else {
                        return SG_ERR_INVAL
                    }
                    bytes.removeLast(padding)
                }
                return SignalCrypto.give(bytes, to: output)
            },
            user_data: nil)
    }

    /// Gives the library a copy of bytes, which it frees.
    static func give(_ bytes: [UInt8], to output: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
        guard let output, let buffer = signal_buffer_create(bytes, bytes.count) else { return SG_ERR_NOMEM }
        output.pointee = buffer
        return SG_SUCCESS
    }

    private static func handle(_ context: UnsafeMutableRawPointer?) -> gcry_md_hd_t? {
        context?.assumingMemoryBound(to: gcry_md_handle.self)
    }

    /// Calls a closure with a cipher that has its key and IV, and tells whether all succeeded.
    private static func withCipher(
        _ cipher: Int32, key: (UnsafePointer<UInt8>?, Int), iv: (UnsafePointer<UInt8>?, Int),
        _ body: (gcry_cipher_hd_t) -> gcry_error_t
    ) -> Bool {
        let algorithm =
            switch key.1 {
            case 16: GCRY_CIPHER_AES
            case 24: GCRY_CIPHER_AES192
            default: GCRY_CIPHER_AES256
            }
        let isCBC = cipher == SG_CIPHER_AES_CBC_PKCS5
        let mode = isCBC ? GCRY_CIPHER_MODE_CBC : GCRY_CIPHER_MODE_CTR
        var handle: gcry_cipher_hd_t?
        guard gcry_cipher_open(&handle, Int32(algorithm.rawValue), Int32(mode.rawValue), 0) == 0,
            let handle
        else { return false }
        defer { gcry_cipher_close(handle) }
        return gcry_cipher_setkey(handle, key.0, key.1) == 0
            && (isCBC ? gcry_cipher_setiv(handle, iv.0, iv.1) : gcry_cipher_setctr(handle, iv.0, iv.1)) == 0
            && body(handle) == 0
    }
}

/// Random bytes from libgcrypt.
enum RandomBytes {
    static func make(_ count: Int) -> [UInt8] {
        touchtone_gcrypt_initialize()
        var bytes = [UInt8](repeating: 0, count: count)
        gcry_randomize(&bytes, count, GCRY_STRONG_RANDOM)
        return bytes
    }
}

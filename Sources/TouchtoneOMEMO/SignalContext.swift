// SPDX-License-Identifier: GPL-3.0-or-later

import CGcrypt
import COMEMO

/// The library's global state, without locks: it stays on one thread.
final class SignalContext {
    let pointer: OpaquePointer

    init() {
        touchtone_gcrypt_initialize()
        var context: OpaquePointer?
        var provider = SignalCrypto.provider
        guard signal_context_create(&context, nil) == SG_SUCCESS, let context,
            signal_context_set_crypto_provider(context, &provider) == SG_SUCCESS
        else { preconditionFailure("out of memory") }
        pointer = context
    }

    deinit { signal_context_destroy(pointer) }

    /// Returns an object of the library, which a function of the library makes; call `signal_type_unref` for it.
    func make(_ body: (inout OpaquePointer?, OpaquePointer) -> Int32) throws(SessionError) -> OpaquePointer {
        var object: OpaquePointer?
        let code = body(&object, pointer)
        guard code >= 0, let object else { throw SessionError(code: code < 0 ? code : SG_ERR_NOMEM) }
        return object
    }

    func publicKey(_ bytes: [UInt8]) throws(SessionError) -> OpaquePointer {
        try make { curve_decode_point(&$0, bytes, bytes.count, $1) }
    }

    /// Returns the bytes that a function of the library makes.
    static func bytes(_ body: (inout OpaquePointer?) -> Int32) throws(SessionError) -> [UInt8] {
        var buffer: OpaquePointer?
        let code = body(&buffer)
        guard code >= 0, let buffer else { throw SessionError(code: code < 0 ? code : SG_ERR_NOMEM) }
        defer { signal_buffer_bzero_free(buffer) }
        return copy(buffer)
    }

    /// Returns a copy of the bytes of a buffer that the library keeps.
    static func copy(_ buffer: OpaquePointer) -> [UInt8] {
        Array(UnsafeBufferPointer(start: signal_buffer_const_data(buffer), count: signal_buffer_len(buffer)))
    }
}

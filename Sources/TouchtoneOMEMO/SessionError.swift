// SPDX-License-Identifier: GPL-3.0-or-later

import COMEMO
public import TouchtoneCore

public enum SessionError: Error, Equatable {
    /// The message was decrypted before.
    case duplicate
    /// The message begins a session with a prekey that was used, or a signed prekey that is no longer kept.
    case preKeyGone
    case noSession
    /// No session with the device has the key of the message, or the bytes were changed.
    case wrongKey
    /// More messages are missing before this one than the library looks ahead.
    case tooFarAhead
    /// A known device has another identity key.
    case identityChanged
    case malformed
    case store(StoreError)
    /// The system does not do this: in FIPS mode, libgcrypt refuses to encrypt with a chosen IV.
    case unavailable

    /// Creates the error for a code of the library, which is negative.
    init(code: Int32) {
        self =
            switch code {
            case SG_ERR_DUPLICATE_MESSAGE: .duplicate
            case SG_ERR_INVALID_KEY_ID: .preKeyGone
            case SG_ERR_NO_SESSION: .noSession
            case SG_ERR_INVALID_MAC, SG_ERR_INVALID_MESSAGE: .wrongKey
            case SG_ERR_UNTRUSTED_IDENTITY: .identityChanged
            case SG_ERR_NOMEM, SG_ERR_UNKNOWN: .unavailable
            default: .malformed
            }
    }
}

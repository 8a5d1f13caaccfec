// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What the system or ALSA, which uses the same numbers, refused with.
struct SystemError: Error, Hashable {
    /// The number of `errno.h`, positive.
    let code: Int32

    /// The result of a call of ALSA's, negative for an error.
    static func check(_ result: Int32) throws(SystemError) {
        guard result < 0 else { return }
        throw SystemError(code: -result)
    }

    /// The result of a call of ALSA's that counts frames, negative for an error.
    static func count(_ result: Int) throws(SystemError) -> Int {
        guard result < 0 else { return result }
        throw SystemError(code: Int32(-result))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// An error of the system or of ALSA, which uses the same numbers.
struct ALSAError: Error, Hashable {
    /// The error number of `errno.h`, positive.
    let code: Int32

    static func check(_ result: Int32) throws(ALSAError) {
        guard result < 0 else { return }
        throw ALSAError(code: -result)
    }

    static func count(_ result: Int) throws(ALSAError) -> Int {
        guard result < 0 else { return result }
        throw ALSAError(code: Int32(-result))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// An error of the system or of ALSA, which uses the same numbers.
struct SystemError: Error, Hashable {
    /// The error number of `errno.h`, positive.
    let code: Int32

    /// Throws an error if the result of an ALSA call is negative.
    static func check(_ result: Int32) throws(SystemError) {
        guard result < 0 else { return }
        throw SystemError(code: -result)
    }

    /// Returns the frame count of an ALSA call, or throws an error if it is negative.
    static func count(_ result: Int) throws(SystemError) -> Int {
        guard result < 0 else { return result }
        throw SystemError(code: Int32(-result))
    }
}

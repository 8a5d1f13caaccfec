// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// A system call's failure, with the number that `errno` had.
struct SystemCallError: Error, Hashable {
    let number: Int32

    /// Keeps `errno`; to be made right after the call.
    init() { number = errno }

    /// One that is known without a call.
    init(number: Int32) { self.number = number }

    /// The reason in the system's words.
    var reason: String { String(cString: strerror(number)) }

    /// Calls again while a signal interrupts, and throws where the result is negative.
    @discardableResult
    static func check<Result: SignedInteger>(_ call: () -> Result) throws(SystemCallError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = SystemCallError()
            guard error.number == EINTR else { throw error }
        }
    }
}

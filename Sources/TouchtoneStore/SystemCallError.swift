// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The failure of a system call, with its `errno`.
struct SystemCallError: Error, Hashable {
    let number: Int32

    /// Creates an error from `errno`, immediately after the system call.
    init() { number = errno }

    init(number: Int32) { self.number = number }

    var reason: String { String(cString: strerror(number)) }

    /// Repeats a call that a signal interrupts, and throws if the result is negative.
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

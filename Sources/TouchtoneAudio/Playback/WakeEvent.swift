// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import Glibc

/// An eventfd(2): any thread wakes the one that polls it, at the cost of one system call.
struct WakeEvent: Sendable {
    /// What to poll for `POLLIN`; -1 if the process has no descriptor left, which no poll ever finds readable.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    /// Makes the descriptor readable.
    func signal() { _ = eventfd_write(descriptor, 1) }

    /// Makes the descriptor unreadable until the next signal.
    func clear() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// Closes the descriptor; no thread may use the event any more.
    func close() { _ = Glibc.close(descriptor) }
}

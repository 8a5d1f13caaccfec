// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import Glibc

/// An eventfd(2) with which any thread wakes the polling thread, in one system call.
struct WakeEvent: Sendable {
    /// The descriptor to poll for `POLLIN`, or -1, which is never readable, if the process is out of descriptors.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    func signal() { _ = eventfd_write(descriptor, 1) }

    func clear() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// Closes the descriptor; no thread may use the event afterwards.
    func close() { _ = Glibc.close(descriptor) }
}

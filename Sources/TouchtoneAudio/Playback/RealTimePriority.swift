// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The calling thread's right to run before all ordinary ones.
enum RealTimePriority {
    /// Above ordinary threads, below the sound server's own and the kernel's.
    private static let priority: Int32 = 10

    /// Asks for SCHED_FIFO; granted to those whom RLIMIT_RTPRIO or CAP_SYS_NICE allows it.
    ///
    /// To be called before a device is opened: threads that ALSA's plugins start inherit the priority, and the
    /// PulseAudio plugin's thread carries the samples to the server.
    static func acquire() -> Bool {
        var parameters = sched_param()
        parameters.sched_priority = priority
        return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
    }
}

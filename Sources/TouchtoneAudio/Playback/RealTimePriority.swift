// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import GLibBridge
import Glibc
import Synchronization

/// The real-time priority of the audio thread, by its source.
enum RealTimePriority: UInt8, AtomicRepresentable {
    case none
    /// The process may raise it (RLIMIT_RTPRIO or CAP_SYS_NICE). Threads that the thread starts inherit it.
    case taken
    /// RealtimeKit granted it. Threads that the thread starts do not inherit it.
    case granted

    /// The priority: above ordinary threads, below those of the sound server and the kernel.
    static let level: Int32 = 10

    /// The name of the thread in PulseAudio's library that sends samples to the server.
    private static let pluginThread = "threaded-ml"

    /// Raises the calling audio thread to SCHED_FIFO, or asks RealtimeKit, which responds later or never;
    /// call it before opening a device, so that threads of ALSA's plugins inherit the priority.
    static func acquire(for state: EngineState) {
        var parameters = sched_param()
        parameters.sched_priority = level
        if state.configuration.takesPriority,
            pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
        {
            state.priority.store(.taken, ordering: .releasing)
            return
        }
        let thread = caudio_thread_id()
        // A bus that does not respond would delay the first tone.
        BackgroundThread.start("touchtone-rtkit") {
            guard RealtimeKit.raise([thread], to: level) else { return }
            state.priority.store(.granted, ordering: .releasing)
            // Reopen a device that was opened meanwhile, with shorter periods.
            state.wake.signal()
        }
    }

    /// Asks RealtimeKit to also raise the threads that an opened device has started; returns at once.
    static func extendToPlugins(for state: EngineState) {
        guard state.priority.load(ordering: .acquiring) == .granted else { return }
        BackgroundThread.start("touchtone-rtkit") {
            let threads = ProcessThreads.named(pluginThread).filter { sched_getscheduler($0) == SCHED_OTHER }
            if !threads.isEmpty { _ = RealtimeKit.raise(threads, to: level) }
        }
    }
}

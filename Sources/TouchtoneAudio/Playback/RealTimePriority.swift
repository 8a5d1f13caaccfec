// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import Glibc
import Synchronization

/// The audio thread's right to run before all ordinary ones, and how it came by it.
enum RealTimePriority: UInt8, AtomicRepresentable {
    /// It has none.
    case none
    /// By its own right: RLIMIT_RTPRIO or CAP_SYS_NICE. Threads that it starts inherit the priority.
    case taken
    /// From RealtimeKit. Threads that it starts are ordinary ones.
    case granted

    /// Above ordinary threads, below the sound server's own and the kernel's.
    static let level: Int32 = 10

    /// The thread of PulseAudio's library that carries the samples from ALSA's plugin to the server.
    private static let pluginThread = "threaded-ml"

    /// Takes SCHED_FIFO for the calling audio thread, or asks RealtimeKit for it, which answers later or never.
    ///
    /// To be called before a device is opened: threads that ALSA's plugins start inherit a priority that was taken.
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
        // A bus that does not answer would hold the first tone up.
        DetachedThread.run("touchtone-rtkit") {
            guard RealtimeKit.raise([thread], to: level) else { return }
            state.priority.store(.granted, ordering: .releasing)
            // A device that was opened meanwhile is opened again, with shorter periods.
            state.wake.signal()
        }
    }

    /// Has RealtimeKit raise the threads too that a device brought along, which it does not by itself.
    ///
    /// To be called when a device was opened; returns at once.
    static func extendToPlugins(for state: EngineState) {
        guard state.priority.load(ordering: .acquiring) == .granted else { return }
        DetachedThread.run("touchtone-rtkit") {
            let threads = ProcessThreads.named(pluginThread).filter { sched_getscheduler($0) == SCHED_OTHER }
            if !threads.isEmpty { _ = RealtimeKit.raise(threads, to: level) }
        }
    }
}

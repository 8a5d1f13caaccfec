// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// What the engine's callers, its audio thread and its loader share.
///
/// The audio thread never waits for any of it.
final class EngineState: Sendable {
    /// What to open, and how.
    let configuration: AudioEngine.Configuration
    /// Tells the user, through the engine's owner.
    let notify: @Sendable (ToneNotice) -> Void
    /// Wakes the audio thread.
    let wake = WakeEvent()
    /// The presses and releases that wait to be sounded.
    // One thread writes and another reads, as the ring provides for.
    nonisolated(unsafe) let commands = KeyCommandRing()
    /// The tone set that sounds.
    let toneSet = ToneSetSlot()

    /// The bits of the amplitude that was set, a `Double`.
    let amplitude: Atomic<UInt64>
    /// Whether a press can be expected.
    let isReady = Atomic(false)
    /// How often somebody said that a press can be expected; every time, the device is kept for a while longer.
    let readyCalls = Atomic(0)
    /// Whether the audio thread is to end.
    let isOver = Atomic(false)
    /// How often the device ran out of samples.
    let underruns = Atomic(0)
    /// How the audio thread came by its priority, if it has any.
    let priority = Atomic(RealTimePriority.none)
    /// The frames in a period of the device that is open, 0 while none is.
    let periodFrames = Atomic(0)

    init(configuration: AudioEngine.Configuration, notify: @escaping @Sendable (ToneNotice) -> Void) {
        self.configuration = configuration
        self.notify = notify
        amplitude = Atomic(Level.standard.amplitude.bitPattern)
    }

    deinit {
        commands.deallocate()
        wake.close()
    }
}

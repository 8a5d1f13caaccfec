// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// The state shared by callers and the audio thread, which waits for it only to read the device's name.
final class EngineState: Sendable {
    let configuration: AudioEngine.Configuration
    let reports: AudioCallbacks
    let outlet: AudioRoute
    let wake = WakeEvent()
    // One thread writes and another reads, which the ring allows.
    nonisolated(unsafe) let commands = KeyCommandRing()
    // A slot belongs to one thread at a time.
    nonisolated(unsafe) let sounds = VoicePool()
    /// The buffers that the audio thread may read, by the numbers of their sounds.
    let buffers = Mutex<[(number: UInt64, owner: any AnyObject & Sendable)]>([])
    let toneSet = ToneSetSlot()

    /// The bit patterns of the amplitudes of keys and ringing, as `Double`.
    let amplitude = Atomic(Level.standard.amplitude.bitPattern)
    let ringAmplitude = Atomic(Level.standard.amplitude.bitPattern)
    let isPulsed = Atomic(false)
    /// The name of the ALSA device, and the number of its changes.
    let device: Mutex<String>
    let deviceChoices = Atomic(0)
    let isReady = Atomic(false)
    /// The number of announcements of presses; each one keeps the device open for longer.
    let readyCalls = Atomic(0)
    let isOver = Atomic(false)
    let underruns = Atomic(0)
    let priority = Atomic(RealTimePriority.none)
    /// The frames in a period of the open device, or 0 if none is open.
    let periodFrames = Atomic(0)

    init(
        _ outlet: AudioRoute, device: String, configuration: AudioEngine.Configuration,
        reports: AudioCallbacks
    ) {
        self.outlet = outlet
        self.device = Mutex(device)
        self.configuration = configuration
        self.reports = reports
    }

    deinit {
        commands.deallocate()
        sounds.deallocate()
        wake.close()
    }
}

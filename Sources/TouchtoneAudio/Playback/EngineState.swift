// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// What an outlet's callers and its audio thread share.
///
/// The audio thread waits for none of it, but for the device's name when it opens one.
final class EngineState: Sendable {
    /// How to open a device, and how long to keep it.
    let configuration: AudioEngine.Configuration
    /// What to tell of, through the engine's owner.
    let reports: AudioReports
    /// Which outlet it is.
    let outlet: SoundOutlet
    /// Wakes the audio thread.
    let wake = WakeEvent()
    /// The presses and releases that wait to be sounded.
    // One thread writes and another reads, as the ring provides for.
    nonisolated(unsafe) let commands = KeyCommandRing()
    /// The sounds beside the key tones.
    // Likewise: a slot belongs to one thread at a time.
    nonisolated(unsafe) let sounds = SoundSlots()
    /// The echoes whose lines the audio thread may read.
    let echoes = Mutex<[EchoLoop]>([])
    /// The tone set that sounds.
    let toneSet = ToneSetSlot()

    /// The bits of the amplitudes that were set for the keys and for ringing, each a `Double`.
    let amplitude = Atomic(Level.standard.amplitude.bitPattern)
    let ringAmplitude = Atomic(Level.standard.amplitude.bitPattern)
    /// Whether the keys dial by pulses.
    let isPulsed = Atomic(false)
    /// The ALSA device's name, and how often another one was chosen.
    let device: Mutex<String>
    let deviceChoices = Atomic(0)
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

    init(
        _ outlet: SoundOutlet, device: String, configuration: AudioEngine.Configuration, reports: AudioReports
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

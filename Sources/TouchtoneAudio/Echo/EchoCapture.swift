// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The capture side of an echo, which lives as long as its thread or the audio thread uses the buffer.
final class EchoCapture: Echo {
    // One thread writes and another reads, which the buffer allows.
    nonisolated(unsafe) let line: EchoRingBuffer
    /// The identifier of the echo's voice.
    let number: UInt64

    private let microphone: Microphone
    private let keeper: EchoKeeper
    private let stopped: @Sendable (UInt64) -> Void

    /// `capacity` and `delay`, the time from the microphone to the loudspeaker, are in samples.
    init(
        number: UInt64, rate: Int, capacity: Int, delay: Int, gain: MicrophoneGain,
        stopped: @escaping @Sendable (UInt64) -> Void
    ) {
        self.number = number
        // The buffer adds no delay.
        microphone = Microphone(
            rate: rate, shape: BufferConfiguration(period: 10_000, periods: 8, reserve: 0), gain: gain)
        line = EchoRingBuffer(capacity: capacity)
        keeper = EchoKeeper(rate: rate, delay: delay)
        self.stopped = stopped
    }

    deinit { line.deallocate() }

    func setMuted(_ isMuted: Bool) { microphone.setMuted(isMuted) }

    func watch(_ heard: (@Sendable (Double) -> Void)?) { microphone.watch(heard) }

    func setKept(_ isKept: Bool) { keeper.setKept(isKept) }

    func take(_ count: Int) -> EchoSound { keeper.take(count) }

    func stop() {
        if microphone.stop() { stopped(number) }
    }

    /// Opens the first of the ALSA `devices` that can be opened; calls `failed` once if there is none.
    func start(_ devices: [String], failed: @escaping @Sendable () -> Void) {
        microphone.start(devices) { [self] in
            line.write($0)
            keeper.add($0, on: line)
        } ended: { isLost in
            if isLost { failed() }
        }
    }
}

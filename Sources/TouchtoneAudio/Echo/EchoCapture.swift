// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The capture side of an echo: the microphone, recorded into a ring buffer.
///
/// It exists as long as its thread or the audio thread uses the buffer.
final class EchoCapture: Echo {
    /// The buffer for the samples.
    // One thread writes and another reads, which the buffer allows.
    nonisolated(unsafe) let line: EchoRingBuffer
    /// The identifier of the echo's voice.
    let number: UInt64

    private let microphone: Microphone
    private let stopped: @Sendable (UInt64) -> Void

    /// - Parameters:
    ///   - capacity: The capacity of the buffer in samples.
    ///   - stopped: Called when the echo stops.
    init(number: UInt64, rate: Int, capacity: Int, stopped: @escaping @Sendable (UInt64) -> Void) {
        self.number = number
        // The buffer adds no delay.
        microphone = Microphone(
            rate: rate, shape: BufferConfiguration(period: 10_000, periods: 8, reserve: 0))
        line = EchoRingBuffer(capacity: capacity)
        self.stopped = stopped
    }

    deinit { line.deallocate() }

    func setMuted(_ isMuted: Bool) { microphone.setMuted(isMuted) }

    func stop() {
        if microphone.stop() { stopped(number) }
    }

    /// Opens the microphone.
    ///
    /// - Parameters:
    ///   - devices: ALSA device names; the first one that can be opened is used.
    ///   - failed: Called once if there is no microphone.
    func start(_ devices: [String], failed: @escaping @Sendable () -> Void) {
        microphone.start(devices) { [self] in
            line.write($0)
        } ended: { isLost in
            if isLost { failed() }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import RecordedSound
import Synchronization
import TouchtoneCore

/// A voice message that is recorded: the microphone's thread compresses its samples.
final class VoiceCapture: VoiceRecording {
    /// The greatest length in samples: ten minutes.
    static let longest = 600 * OpusWriter.rate

    private struct State {
        var writer: OpusWriter?
        var hasEnded = false
        var waiting: CheckedContinuation<[UInt8]?, Never>?
    }

    private let microphone: Microphone
    private let state: Mutex<State>

    init(gain: MicrophoneGain) {
        // Half a second, because compression may be late on a busy machine.
        microphone = Microphone(
            rate: OpusWriter.rate, shape: BufferConfiguration(period: 20_000, periods: 25, reserve: 0),
            gain: gain)
        state = Mutex(State())
    }

    /// Opens the first usable of the ALSA `devices`; calls `failed` once if there is none, or it is lost.
    func start(_ devices: [String], failed: @escaping @Sendable () -> Void) {
        microphone.start(devices) { [self] heard in
            let samples = [Int16](heard)
            state.withLock { state in
                if state.writer == nil { state.writer = OpusWriter() }
                if (state.writer?.count ?? 0) < Self.longest { state.writer?.write(samples) }
            }
        } ended: { [self] isLost in
            end()
            if isLost { failed() }
        }
    }

    func finish() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting = continuation }
                return state.hasEnded
            }
            microphone.stop()
            if hasEnded { continuation.resume(returning: nil) }
        }
    }

    func discard() { microphone.stop() }

    /// Passes the recording on, if it is wanted.
    private func end() {
        let (waiting, bytes) = state.withLock { state in
            state.hasEnded = true
            let bytes = state.waiting == nil ? nil : state.writer?.finish()
            defer { (state.writer, state.waiting) = (nil, nil) }
            return (state.waiting, bytes)
        }
        waiting?.resume(returning: bytes)
    }
}

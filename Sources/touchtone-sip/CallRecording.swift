// SPDX-License-Identifier: GPL-3.0-or-later

import HelperMessages
import RecordedSound
import Synchronization

/// The recording of both sides of a call, of which a tone tells them.
final class CallRecording: SoundListener {
    private struct State {
        /// The tones for both sides; nil for none.
        var tones: (sent: RecordingTone, received: RecordingTone)?
        var isPaused = false
        var isMuted = false
    }

    private let state: Mutex<State>
    private let recorder: Recorder

    init?(file: PassedDescriptor, withTone: Bool) {
        guard let recorder = Recorder(descriptor: file.number, isStereo: true) else { return nil }
        self.recorder = recorder
        state = Mutex(State(tones: withTone ? (RecordingTone(), RecordingTone()) : nil))
    }

    deinit { recorder.finish() }

    /// Whether the file cannot be written any further.
    var hasFailed: Bool { recorder.hasFailed }

    /// Pauses the recording, or goes on; a muted user is not recorded.
    func set(isPaused: Bool, isMuted: Bool) {
        state.withLock { ($0.isPaused, $0.isMuted) = (isPaused, isMuted) }
    }

    /// Ends the recording; returns who knows what becomes of it.
    func finish() -> Recorder {
        recorder.finish()
        return recorder
    }

    func send(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
        let isPaused = state.withLock { state in
            if state.isPaused { return true }
            if state.isMuted { samples.update(repeating: 0) }
            state.tones?.sent.add(to: samples, rate: rate)
            return false
        }
        if !isPaused { recorder.add(UnsafeBufferPointer(samples), of: .near, rate: rate) }
    }

    func receive(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
        let isPaused = state.withLock { state in
            if !state.isPaused { state.tones?.received.add(to: samples, rate: rate) }
            return state.isPaused
        }
        if !isPaused { recorder.add(UnsafeBufferPointer(samples), of: .far, rate: rate) }
    }
}

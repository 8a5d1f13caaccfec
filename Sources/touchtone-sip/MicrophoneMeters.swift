// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import RecordedSound
import SIPMessages
import Synchronization

/// The meters of the microphone in the calls that the phone watches: they measure what the far end gets to hear.
final class MicrophoneMeters {
    /// A meter at the sound of a call.
    private final class Meter: SoundListener {
        private let state = Mutex<(meter: LevelMeter, level: Double?)>((LevelMeter(), nil))

        func send(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
            state.withLock { state in
                state.level = state.meter.level(of: UnsafeBufferPointer(samples), rate: rate) ?? state.level
            }
        }

        func receive(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {}

        /// Returns the last level, once.
        func take() -> Double? { state.withLock { $0.level.take() } }
    }

    private var meters: [SIPCallID: (meter: Meter, tap: SoundTap)] = [:]

    /// Begins to measure a call, or ends that.
    func set(_ isWatched: Bool, _ id: SIPCallID) {
        guard isWatched else { return meters[id] = nil }
        guard meters[id] == nil else { return }
        let meter = Meter()
        meters[id] = (meter, SoundTap(meter))
    }

    /// Follows the streams of the calls, and returns what was measured.
    func levels(of call: (SIPCallID) -> Call?) -> [(id: SIPCallID, level: Double)] {
        meters.compactMap { id, entry in
            guard let call = call(id) else {
                meters[id] = nil
                return nil
            }
            entry.tap.follow(call)
            return entry.meter.take().map { (id, call.isMuted ? LevelMeter.silence : $0) }
        }
    }
}

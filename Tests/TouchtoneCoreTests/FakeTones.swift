// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// A tone player that records its requests.
final class FakeTones: ToneOutput, SoundOutput {
    private enum Call {
        case told(String)
        /// Formatted only on request, because a cadence has a long description.
        case played(PhoneSound)
    }
    private let log = Mutex<[Call]>([])
    private let sounds = Mutex<(begun: UInt64, playing: [UInt64: PhoneSound])>((0, [:]))
    private let lastStopped = Mutex<UInt64>(0)

    /// The sounds that play and have no end of their own.
    var playing: [PhoneSound] { sounds.withLock { $0.playing.sorted { $0.key < $1.key }.map(\.value) } }

    /// The calls so far: the character of a key for its start, `.` for a stop, other sounds by name.
    var calls: String {
        let calls = log.withLock { $0 }
        return calls.map { call in
            switch call {
            case .told(let text): text
            case .played(let sound): "<\(sound)>"
            }
        }.joined()
    }

    func start(_ key: DTMFKey) { log.withLock { $0.append(.told(String(key.character))) } }
    func stop() { log.withLock { $0.append(.told(".")) } }
    func setReady(_ ready: Bool) {}

    @discardableResult
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound {
        log.withLock { $0.append(.played(sound)) }
        return sounds.withLock { state in
            state.begun += 1
            if sound.isEndless { state.playing[state.begun] = sound }
            return PlayedSound(number: state.begun)
        }
    }
    func stop(_ sound: PlayedSound) {
        sounds.withLock { $0.playing[sound.number] = nil }
        lastStopped.withLock { $0 = sound.number }
    }

    /// Whether the sound that began last was stopped.
    var isLastStopped: Bool { lastStopped.withLock { $0 } == sounds.withLock { $0.begun } }

    func setSpeaker(_ device: String?) {
        log.withLock { $0.append(.told("<on \(device ?? "tones")>")) }
    }
}

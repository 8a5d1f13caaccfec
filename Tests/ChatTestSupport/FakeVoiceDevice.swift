// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import TouchtoneCore

/// A microphone and a loudspeaker that only record their calls.
public final class FakeVoiceDevice: VoiceDevice {
    private struct State {
        var log = ""
        var hasMicrophone = true
        var recorded: [UInt8]? = [1, 2, 3]
        var length: Duration? = .seconds(3)
        var played: [String] = []
        var failed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Creates a device with a microphone.
    public init() {}

    /// The calls so far: `(` and `)` around a recording that is finished, `(` and `x` around a discarded one, `>` for the
    /// begin of a playback, `.` for its stop.
    public var log: String { state.withLock { $0.log } }

    /// The paths of the files played so far.
    public var played: [String] { state.withLock { $0.played } }

    /// Sets what recordings return.
    public func setRecorded(_ bytes: [UInt8]?) { state.withLock { $0.recorded = bytes } }

    /// Sets the length of all files; nil if they cannot be read.
    public func setLength(_ length: Duration?) { state.withLock { $0.length = length } }

    /// Removes the microphone, also from the recording in progress.
    public func loseMicrophone() {
        let failed = state.withLock { state in
            state.hasMicrophone = false
            return state.failed
        }
        failed?()
    }

    /// Begins a recording, which fails at once without a microphone.
    public func record(failed: @escaping @Sendable () -> Void) -> any VoiceRecording {
        let isMissing = state.withLock { state in
            state.log += "("
            state.failed = failed
            return !state.hasMicrophone
        }
        if isMissing { failed() }
        return Recording(self)
    }

    /// Plays any file.
    public func play(file path: String) async throws(VoiceError) -> VoiceSound {
        let length = state.withLock { state in
            state.log += ">"
            state.played.append(path)
            return state.length
        }
        guard let length else { throw .unreadable }
        return VoiceSound(sound: PlayedSound(number: 1), length: length)
    }

    /// Records the stop.
    public func stop(_ sound: PlayedSound) { state.withLock { $0.log += "." } }

    private final class Recording: VoiceRecording {
        private let owner: FakeVoiceDevice

        init(_ owner: FakeVoiceDevice) { self.owner = owner }

        func finish() async -> [UInt8]? {
            owner.state.withLock { state in
                state.log += ")"
                return state.recorded
            }
        }

        func discard() { owner.state.withLock { $0.log += "x" } }
    }
}

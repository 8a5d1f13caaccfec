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
        var searches = false
        var failed: (@Sendable () -> Void)?
        var ended: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Creates a device with a microphone.
    public init() {}

    /// The calls so far: `(` and `)` around a recording that is finished, `(` and `x` around a discarded one, `>` for the
    /// begin of a playback, with the second if it is not the first one, `.` for its stop,
    /// `!` for a search for its place that was given up.
    public var log: String { state.withLock { $0.log } }

    /// The paths of the files played so far.
    public var played: [String] { state.withLock { $0.played } }

    /// Sets what recordings return.
    public func setRecorded(_ bytes: [UInt8]?) { state.withLock { $0.recorded = bytes } }

    /// Sets the length of all files; nil if they cannot be read.
    public func setLength(_ length: Duration?) { state.withLock { $0.length = length } }

    /// Sets whether the places of files that are played from now on are searched for until that is given up.
    public func setSearches(_ searches: Bool) { state.withLock { $0.searches = searches } }

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

    /// Measures any file.
    public func overview(of path: String) async throws(VoiceError) -> SoundOverview {
        guard let length = state.withLock({ $0.length }) else { throw .unreadable }
        let levels = (0..<SoundOverview.parts).map { UInt8($0 * 37 % 256) }
        return SoundOverview(length: length, levels: levels)
    }

    /// Plays any file.
    public func play(
        file path: String, from start: Duration, ended: @escaping @Sendable () -> Void
    ) async throws(VoiceError) -> VoiceSound {
        let (length, searches) = state.withLock { state in
            state.log += start == .zero ? ">" : ">\(start.components.seconds)"
            state.played.append(path)
            state.ended = ended
            return (state.length, state.searches)
        }
        if searches {
            // It ends when the task is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            state.withLock { $0.log += "!" }
            throw .unreadable
        }
        guard let length else { throw .unreadable }
        return VoiceSound(playback: Playback(self), length: length)
    }

    /// Says that the sound is at its end.
    public func end() { takeEnd()?() }

    /// Returns what says that the sound is at its end.
    public func takeEnd() -> (@Sendable () -> Void)? { state.withLock { $0.ended } }

    private final class Playback: VoicePlayback {
        private let owner: FakeVoiceDevice

        init(_ owner: FakeVoiceDevice) { self.owner = owner }

        func stop() { owner.state.withLock { $0.log += "." } }
    }

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

// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
public import TouchtoneCore

extension AudioEngine: VoiceDevice {
    /// Begins to record the microphone of the device for tones, or of ALSA's `default` if that device has none.
    public func record(failed: @escaping @Sendable () -> Void) -> any VoiceRecording {
        let capture = VoiceCapture(gain: microphoneGain)
        capture.start(microphones, failed: failed)
        return capture
    }

    /// Decodes a sound file in a process of its own, up to ten minutes of it.
    public func overview(of path: String) async throws(VoiceError) -> SoundOverview {
        let overview = await BackgroundThread("touchtone-voice").run { try? SoundScan.overview(of: path) }
        guard let overview else { throw .unreadable }
        return overview
    }

    /// Plays a sound file on the device for tones, at its level, while a process decodes it.
    ///
    /// The task that waits for it may be cancelled, which ends the search for the place to begin at.
    public func play(
        file path: String, from start: Duration, ended: @escaping @Sendable () -> Void
    ) async throws(VoiceError) -> VoiceSound {
        let rate = state.configuration.rate
        let stream = SoundStream(rate: rate)
        let seconds = max(0, start / .seconds(1))
        let length = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                stream.begin(path, from: seconds, ready: { continuation.resume(returning: $0) }, ended: ended)
            }
        } onCancel: {
            stream.cancel()
        }
        guard let length else { throw .unreadable }
        let number = nextSoundNumber()
        let voice = SoundVoice(QueueSource(stream.queue), rate: rate)
        guard tones.play(voice, number: number, isEndless: false, reading: stream) else {
            stream.cancel()
            throw .busy
        }
        let playback = StreamPlayback(stream) { [weak self] in self?.stop(PlayedSound(number: number)) }
        return VoiceSound(playback: playback, length: .milliseconds(Int(min(length, 1e9) * 1000)))
    }
}

/// A sound file that plays.
private final class StreamPlayback: VoicePlayback {
    private let stream: SoundStream
    private let silence: @Sendable () -> Void

    init(_ stream: SoundStream, silence: @escaping @Sendable () -> Void) {
        (self.stream, self.silence) = (stream, silence)
    }

    deinit { stop() }

    func stop() {
        stream.cancel()
        silence()
    }
}

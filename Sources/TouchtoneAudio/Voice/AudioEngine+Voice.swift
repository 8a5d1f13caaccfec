// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
public import TouchtoneCore

extension AudioEngine: VoiceDevice {
    /// Begins to record the microphone of the device for tones, or of ALSA's `default` if that device has none.
    public func record(failed: @escaping @Sendable () -> Void) -> any VoiceRecording {
        let capture = VoiceCapture()
        capture.start(microphones, failed: failed)
        return capture
    }

    /// Reads a sound file on a thread of its own, and plays it on the device for tones, at its level.
    public func play(file path: String) async throws(VoiceError) -> VoiceSound {
        let rate = state.configuration.rate
        let samples = await BackgroundThread("touchtone-voice").run {
            (try? SoundFile.read(path, limits: .voice)).map {
                RecordedSamples(Resampler(from: $0.rate, to: rate).resample($0.frames))
            }
        }
        guard let samples else { throw .unreadable }
        let number = nextSoundNumber()
        let voice = SoundVoice(RecordingSource(samples), rate: rate)
        guard tones.play(voice, number: number, isEndless: false, reading: samples) else { throw .busy }
        return VoiceSound(
            sound: PlayedSound(number: number),
            length: .milliseconds(samples.frames.count * 1000 / rate))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Reads the recordings in the folder of a tone set, and prepares them for playback.
///
/// A recording plays once while its key is held, followed by silence; a release ends it early. Its peak is normalized
/// to the level of the keys, with a gain of at most 20 dB, since more would amplify noise.
struct ToneSetReader {
    /// The recordings, and the keys without a usable one.
    struct Reading {
        var recordings: [DTMFKey: [Float]] = [:]
        var missing: [DTMFKey] = []
    }

    private static let greatestGain: Float = 10

    private let rate: Int

    /// Creates a reader for playback at `rate` hertz.
    init(rate: Int) { self.rate = rate }

    /// Reads a folder.
    ///
    /// `missing` has the keys whose files are missing or broken.
    func read(_ folder: String) -> Reading {
        var reading = Reading()
        for key in DTMFKey.allCases {
            do {
                let sound = try SoundFile.read("\(folder)/\(key.fileName)")
                reading.recordings[key] = ready(sound)
            } catch {
                reading.missing.append(key)
            }
        }
        return reading
    }

    private func ready(_ sound: SoundFile.Sound) -> [Float] {
        var frames = Resampler(from: sound.rate, to: rate).resample(sound.frames)
        let peak = frames.reduce(0) { max($0, abs($1)) }
        let gain = peak > 0 ? min(1 / peak, Self.greatestGain) : 1
        var fade = Envelope(rate: Double(rate))
        let fadeStart = max(0, frames.count - fade.rampFrames)
        fade.fall()
        for index in frames.indices {
            frames[index] *= gain
            if index >= fadeStart { frames[index] *= Float(fade.next()) }
        }
        return frames
    }
}

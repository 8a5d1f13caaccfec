// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Reads the recordings of a tone set's folder, and makes them ready to be played.
///
/// A recording plays once while its key is held, and is silent after its end; a release ends it early. Its loudest
/// sample is brought to the level that is set, but nothing is made more than 20 dB louder, for that would be noise.
struct ToneSetReader {
    /// What was read, and the keys for which there was nothing that could be.
    struct Reading {
        var recordings: [DTMFKey: [Float]] = [:]
        var missing: [DTMFKey] = []
    }

    private static let greatestGain: Float = 10

    private let rate: Int

    /// Reads for playing at `rate` hertz.
    init(rate: Int) { self.rate = rate }

    /// Reads what the folder has; a key whose file is missing or broken is in `missing`.
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

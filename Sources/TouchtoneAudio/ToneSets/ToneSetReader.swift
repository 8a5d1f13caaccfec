// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import RecordedSound
import TouchtoneCore

/// Reads the recordings in the folder of a tone set, and prepares them for playback.
///
/// A recording plays once while its key is held, followed by silence; a release ends it early. Its peak is normalized
/// to the level of the keys, with a gain of at most 20 dB, since more would amplify noise.
struct ToneSetReader {
    struct Reading {
        var recordings: [DTMFKey: [Float]] = [:]
        var missing: [DTMFKey] = []
    }

    private static let greatestGain: Float = 10

    private let rate: Int

    init(rate: Int) { self.rate = rate }

    /// Reads a folder.
    ///
    /// File names match in any case, because cameras, old file systems and other programs write `.WAV`. `missing` has
    /// the keys whose files are missing or broken; A to D, which the phone has no keys for, may be missing.
    func read(_ folder: String) -> Reading {
        var reading = Reading()
        let names = Self.fileNames(in: folder)
        for key in DTMFKey.allCases {
            let name = names[key.fileName.lowercased()]
            if name == nil, !key.isOnKeypad { continue }
            do {
                let sound = try SoundFile.read("\(folder)/\(name ?? key.fileName)")
                reading.recordings[key] = ready(sound)
            } catch {
                reading.missing.append(key)
            }
        }
        return reading
    }

    /// Returns the names of a folder's files by their lower-case form; of several, that of `DTMFKey.fileName`.
    private static func fileNames(in folder: String) -> [String: String] {
        let known = Set(DTMFKey.allCases.map(\.fileName))
        let wanted = Set(known.map { $0.lowercased() })
        var names: [String: String] = [:]
        for name in Files.names(in: folder) {
            let form = name.lowercased()
            guard wanted.contains(form) else { continue }
            // The choice among several must not depend on the order in the folder.
            if let other = names[form], known.contains(other) || !known.contains(name) && other < name {
                continue
            }
            names[form] = name
        }
        return names
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

// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import RecordedSound
import TouchtoneCore

/// Measures a sound file: its length, and how loud its parts are.
enum SoundScan {
    /// The length of a measured part, in seconds.
    private static let part = 0.05
    /// The level that counts as silence, in dBFS.
    private static let floor = -48.0
    /// The greatest length that is believed, in seconds: a day.
    private static let longest = 86_400

    /// Decodes a file; what is after ten minutes counts for nothing but the length that it claims.
    static func overview(of path: String) throws(SoundFile.Failure) -> SoundOverview {
        let limits = SoundFile.Limits.voice
        let reader = try SoundDecoder(path, maximumBytes: limits.bytes)
        let limit = min(limits.frames, limits.seconds * reader.rate)
        let size = max(1, Int(Double(reader.rate) * part))
        var (frames, filled, energy) = (0, 0, Float(0))
        var powers: [Float] = []
        while frames < limit {
            let block = reader.next()
            guard !block.isEmpty else { break }
            frames += block.count
            for sample in block {
                energy += sample * sample
                filled += 1
                guard filled == size else { continue }
                powers.append(energy / Float(size))
                (filled, energy) = (0, 0)
            }
        }
        guard frames > 0, reader.isIntact else { throw .broken }
        if powers.isEmpty { powers = [energy / Float(max(1, filled))] }
        let claimed = min(reader.claimedLength, longest * reader.rate)
        let length = frames < limit ? frames : max(frames, claimed)
        return SoundOverview(
            length: .milliseconds(length * 1000 / reader.rate), levels: levels(powers))
    }

    /// Returns the levels of equal parts of the sound: the loudest of the powers in each.
    private static func levels(_ powers: [Float]) -> [UInt8] {
        let count = SoundOverview.parts
        return (0..<count).map { index in
            let first = index * powers.count / count
            let last = max(first + 1, (index + 1) * powers.count / count)
            let power = powers[first..<min(last, powers.count)].max() ?? 0
            let decibels = power > 0 ? 10 * log10(Double(power)) : floor
            return UInt8((max(0, min(1, 1 - decibels / floor)) * 255).rounded())
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneAudio
import TouchtoneCore
import XCTest

/// Ten thousand keys at the fastest possible pace, none of which may be misdetected, in silence or in noise.
final class RandomDigitsTests: SoundTestCase {
    private static let rate = 8000
    private static let seed: UInt64 = 5_558_675_309

    func testTenThousandKeysAreDecoded() throws {
        try assertDecoded(Self.samples, Self.text)
    }

    func testTenThousandKeysAreDecodedInWhiteNoiseAtFifteenDecibels() throws {
        try assertDecoded(noisy(Self.samples, ratio: 15), Self.text)
    }

    func testStrongNoiseMakesDecodersFail() throws {
        let samples = noisy(Array(Self.samples[..<80_000]), ratio: -3)
        let begin = String(Self.text.prefix(90))
        XCTAssertFalse(try peer { try Decoders.multimon(samples, rate: Self.rate) }.hasPrefix(begin))
        XCTAssertFalse(try peer { try Decoders.spandsp(samples, rate: Self.rate) }.hasPrefix(begin))
    }

    /// The keys, the same ones every time.
    private static let keys: [DTMFKey] = {
        var random = SplitMix64(seed: seed)
        return (0..<10_000).compactMap { _ in DTMFKey.allCases.randomElement(using: &random) }
    }()

    private static let text = String(keys.map(\.character))

    /// 50 ms from the middle of the attack to that of the release, 50 ms of silence; and silence in which the last key
    /// ends.
    private static let samples: [Int16] = {
        var score = KeyToneScore(keys)
        score.tone = 0.050
        score.pause = 0.050
        return score.samples(rate: rate) + [Int16](repeating: 0, count: 1600)
    }()

    /// Adds white noise so that a tone's power is `ratio` decibels above that of the noise, in the whole band to 4 kHz.
    private func noisy(_ samples: [Int16], ratio: Double) -> [Int16] {
        // The pair's power relative to its peak: the amplitudes are as 1 to 10^(2/20).
        let low = Level.standard.amplitude / (1 + pow(10, 0.1))
        let power = low * low * (1 + pow(10, 0.2)) / 2
        let deviation = 32767 * (power / pow(10, ratio / 10)).squareRoot()
        var random = SplitMix64(seed: Self.seed)
        return samples.map { sample in
            // The sum of four independent numbers of 16 bits is close enough to a normal distribution.
            let bits = random.next()
            let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
            let noise = (Double(sum) / 65536 - 2) * 3.0.squareRoot() * deviation
            return Int16(clamping: Int((Double(sample) + noise).rounded()))
        }
    }

    private func assertDecoded(_ samples: [Int16], _ keys: String, line: UInt = #line) throws {
        let heard = [
            "multimon-ng": try peer { try Decoders.multimon(samples, rate: Self.rate) },
            "spandsp": try peer { try Decoders.spandsp(samples, rate: Self.rate) },
        ]
        for (decoder, text) in heard where text != keys {
            let first = zip(text, keys).enumerated().first { $1.0 != $1.1 }?.offset
            XCTFail(
                "\(decoder) hears \(text.count) keys, wrong from \(first ?? min(text.count, keys.count))",
                line: line)
        }
    }
}

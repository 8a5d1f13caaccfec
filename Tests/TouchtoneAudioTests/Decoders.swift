// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneAudio

/// Programs that decode and measure tones, none of which shares code with the synthesizer.
enum Decoders {
    /// Returns the keys that multimon-ng detects.
    static func multimon(_ samples: [Int16], rate: Int = 48_000) throws -> String {
        try TemporaryFolder.with { try multimon(file: try $0.write(WAVFile(samples: samples, rate: rate))) }
    }

    /// Returns the keys that multimon-ng detects in a WAV file.
    static func multimon(file: String) throws -> String {
        try Peer.require("multimon-ng", package: "multimon-ng")
        try Peer.require("sox", package: "sox")
        let text = try output(of: ["multimon-ng", "-q", "-a", "DTMF", "-t", "wav", file])
        let prefix = "DTMF: "
        return text.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
            .joined()
    }

    /// Returns the keys that spandsp's receiver detects.
    static func spandsp(_ samples: [Int16], rate: Int = 48_000) throws -> String {
        try Peer.require("sox", package: "sox")
        let decoder = try spandspDecoder.get()
        return try TemporaryFolder.with { folder in
            let file = try folder.write(WAVFile(samples: samples, rate: rate))
            let raw = [
                "sox", "-D", file, "-t", "raw", "-r", "8000", "-e", "signed", "-b", "16", "-c", "1", "-",
            ]
            let text = try output(
                of: ["sh", "-c", "decoder=$1; shift; \"$@\" | \"$decoder\"", "sh", decoder] + raw)
            return text.trimmingCharacters(in: .newlines)
        }
    }

    /// The results of Tests/Tools/measure_tone.py.
    struct Measurement: Decodable {
        /// The deviation, relative to the nominal frequency.
        let low_error: Double
        let high_error: Double
        /// The peak of the pair, dBFS.
        let level: Double
        /// The level of the high tone relative to the low one, dB.
        let twist: Double
        /// The strongest other component, relative to the weaker tone, dB.
        let spurious: Double
        /// The time from 10 to 90 % of the amplitude, ms.
        let rise: Double
        let fall: Double
        /// The time from the first sample to the last, ms.
        let length: Double
    }

    /// Measures tones, each with its key's character, in one run of the tool.
    static func measure(_ tones: [(samples: [Int16], key: Character)], rate: Int) throws -> [Measurement] {
        guard (try? output(of: ["/usr/bin/python3", "-c", "import numpy"])) != nil else {
            throw MissingPeer(name: "numpy", package: "python3-numpy")
        }
        return try TemporaryFolder.with { folder in
            var arguments: [String] = []
            for (index, tone) in tones.enumerated() {
                arguments.append(try folder.write(WAVFile(samples: tone.samples, rate: rate), "\(index).wav"))
                arguments.append(String(tone.key))
            }
            let text = try output(
                of: ["/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/measure_tone.py"] + arguments)
            return try JSONDecoder().decode([Measurement].self, from: Data(text.utf8))
        }
    }

    /// The decoder, built once; its folder remains in /tmp only if the tests crash.
    private static let spandspDecoder = Result<String, any Error> {
        try Peer.require("cc", package: "gcc")
        let folder = TemporaryFolder()
        let program = "\(folder.path)/spandsp_dtmf"
        let source = "\(Checkout.folder)/Tests/Tools/spandsp_dtmf.c"
        do {
            _ = try output(of: ["cc", "-o", program, source, "-lspandsp", "-lm"])
        } catch {
            throw MissingPeer(name: "spandsp", package: "libspandsp-dev")
        }
        return program
    }
}

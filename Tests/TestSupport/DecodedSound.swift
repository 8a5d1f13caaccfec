// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// What opusdec makes of a file, which shares no code with the phone, or what somebody heard.
public struct DecodedSound: Sendable {
    /// The samples of each channel, from -1 to 1.
    public let channels: [[Double]]
    /// The sample rate in hertz.
    public let rate: Int

    public init(channels: [[Double]], rate: Int) { (self.channels, self.rate) = (channels, rate) }

    /// Decodes an Ogg Opus file.
    ///
    /// - Throws: `MissingPeer` without opusdec, `ProgramFailure` if the file is broken.
    public init(opus path: String) throws {
        rate = 48_000
        try Peer.require("opusdec", package: "opus-tools")
        let wave = "\(path).\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: wave) }
        _ = try output(of: ["opusdec", "--quiet", "--rate", "\(rate)", path, wave])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: wave)))
        let count = Int(bytes[22])
        let samples = stride(from: 44, to: bytes.count - 1, by: 2).map {
            Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
        }
        channels = (0..<count).map { channel in
            stride(from: channel, to: samples.count, by: count).map { samples[$0] }
        }
    }

    /// The length in seconds.
    public var length: Double { Double(channels[0].count) / Double(rate) }

    /// Returns the amplitude of a frequency in a part, from 0 to 1.
    public func amplitude(of frequency: Double, from start: Double, for length: Double, channel: Int = 0)
        -> Double
    {
        let all = channels[channel]
        let first = min(all.count, Int(start * Double(rate)))
        let part = all[first..<min(all.count, first + Int(length * Double(rate)))]
        guard !part.isEmpty else { return 0 }
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in part.enumerated() {
            let angle = 2 * .pi * frequency * Double(index) / Double(rate)
            real += sample * cos(angle)
            imaginary += sample * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(part.count)
    }

    /// Returns the parts of a channel in which a frequency is loud, to a fiftieth of a second.
    public func parts(with frequency: Double, above level: Double = 0.03, channel: Int = 0) -> [Range<Double>]
    {
        let step = 0.02
        var parts: [Range<Double>] = []
        for index in 0..<Int(length / step) {
            let start = Double(index) * step
            guard amplitude(of: frequency, from: start, for: step, channel: channel) > level else { continue }
            if let last = parts.last, start - last.upperBound < step / 2 {
                parts[parts.count - 1] = last.lowerBound..<start + step
            } else {
                parts.append(start..<start + step)
            }
        }
        return parts
    }
}

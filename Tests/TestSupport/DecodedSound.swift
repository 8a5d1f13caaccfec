// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A sound that opusdec has decoded, which shares no code with the phone, or that somebody heard.
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

    /// The length of the windows in which frequencies are measured, in seconds; those of the tests are multiples of 50 Hz, with
    /// 100 Hz or more between them.
    private static let window = 0.02

    /// Returns the mean amplitude of a frequency in a part, from 0 to 1, whatever gaps a busy machine leaves in a tone.
    public func level(
        of frequency: Double, from start: Double = 0, for length: Double? = nil, channel: Int = 0
    )
        -> Double
    {
        let first = Int(start / Self.window)
        let end = min(Int((start + (length ?? self.length)) / Self.window), Int(self.length / Self.window))
        guard first >= 0, first < end else { return 0 }
        let levels = (first..<end).map { level(of: frequency, window: $0, channel) }
        return levels.reduce(0, +) / Double(levels.count)
    }

    /// Returns the parts of a channel in which a frequency is loud, to a fiftieth of a second; shorter ones than a tenth of a
    /// second are gaps of another sound, and shorter gaps belong to the tone.
    public func parts(with frequency: Double, above level: Double = 0.03, channel: Int = 0) -> [Range<Double>]
    {
        let step = Self.window
        var parts: [Range<Double>] = []
        for index in 0..<Int(length / step) where self.level(of: frequency, window: index, channel) > level {
            let start = Double(index) * step
            if let last = parts.last, start - last.upperBound < 0.1 {
                parts[parts.count - 1] = last.lowerBound..<start + step
            } else {
                parts.append(start..<start + step)
            }
        }
        return parts.filter { $0.upperBound - $0.lowerBound > 0.1 }
    }

    /// Returns the amplitude of a frequency in a window (Hann).
    private func level(of frequency: Double, window index: Int, _ channel: Int) -> Double {
        let count = Int(Self.window * Double(rate))
        let part = channels[channel][index * count..<(index + 1) * count]
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in part.enumerated() {
            let angle = 2 * .pi * Double(index) / Double(count)
            let weighted = sample * (1 - cos(angle))
            let phase = frequency * Self.window * angle
            real += weighted * cos(phase)
            imaginary += weighted * sin(phase)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
    }
}

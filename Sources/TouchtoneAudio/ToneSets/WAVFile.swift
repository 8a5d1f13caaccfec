// SPDX-License-Identifier: GPL-3.0-or-later

/// A WAV file (RIFF, PCM, 16 bits, mono), whose bytes depend only on the samples and the rate.
public struct WAVFile: Sendable {
    private static let headerSize: UInt32 = 44
    private static let bytesPerSample: UInt32 = 2

    public var samples: [Int16]
    /// The sample rate, in hertz.
    public var rate: Int

    public init(samples: [Int16], rate: Int) {
        self.samples = samples
        self.rate = rate
    }

    public var bytes: [UInt8] {
        let dataSize = UInt32(samples.count) * Self.bytesPerSample
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(Self.headerSize + dataSize))
        bytes += "RIFF".utf8
        Self.append(Self.headerSize - 8 + dataSize, to: &bytes)
        bytes += "WAVEfmt ".utf8
        Self.append(UInt32(16), to: &bytes)
        Self.append(UInt16(1), to: &bytes)  // PCM
        Self.append(UInt16(1), to: &bytes)  // channels
        Self.append(UInt32(rate), to: &bytes)
        Self.append(UInt32(rate) * Self.bytesPerSample, to: &bytes)
        Self.append(UInt16(Self.bytesPerSample), to: &bytes)
        Self.append(UInt16(8 * Self.bytesPerSample), to: &bytes)
        bytes += "data".utf8
        Self.append(dataSize, to: &bytes)
        for sample in samples { Self.append(sample, to: &bytes) }
        return bytes
    }

    /// Appends a number in little-endian order.
    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

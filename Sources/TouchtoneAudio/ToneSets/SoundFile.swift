// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a recording from an untrusted sound file in any format that libsndfile supports.
enum SoundFile {
    struct Limits {
        /// The maximum length in seconds; the rest of a longer file is not read.
        let seconds: Int
        /// The maximum number of frames, which bounds the memory at high sample rates.
        let frames: Int
        /// The maximum file size in bytes.
        let bytes: Int

        /// For the tones of keys: ten seconds at the highest rate, in stereo and double precision.
        static let tone = Limits(seconds: 10, frames: 10 * 192_000, bytes: 32 << 20)
        /// For the level picture of a voice message: ten minutes at 48 kHz, in stereo and 16 bits.
        static let voice = Limits(seconds: 600, frames: 600 * 48_000, bytes: 128 << 20)
    }

    /// The supported sample rates, in hertz.
    static let rates = 4000...192_000

    enum Failure: Error { case unreadable, notSupported, broken }

    /// A mono recording; stereo is mixed down.
    struct Sound {
        var frames: [Float]
        /// The sample rate in hertz.
        var rate: Int
    }

    /// Reads a file up to its limits.
    static func read(_ path: String, limits: Limits = .tone) throws(Failure) -> Sound {
        let reader = try SoundFileReader(path, maximumBytes: limits.bytes)
        let limit = min(limits.frames, limits.seconds * reader.rate)
        var frames: [Float] = []
        while frames.count < limit {
            let block = try reader.next()
            guard !block.isEmpty else { break }
            frames += block.prefix(limit - frames.count)
        }
        guard !frames.isEmpty, reader.isIntact else { throw .broken }
        return Sound(frames: frames, rate: reader.rate)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Reads a recording from an untrusted sound file in any format that libsndfile supports.
public enum SoundFile {
    public struct Limits: Sendable {
        /// The maximum length in seconds; the rest of a longer file is not read.
        public let seconds: Int
        /// The maximum number of frames, which bounds the memory at high sample rates.
        public let frames: Int
        /// The maximum file size in bytes.
        public let bytes: Int

        /// For the tones of keys: ten seconds at the highest rate, in stereo and double precision.
        public static let tone = Limits(seconds: 10, frames: 10 * 192_000, bytes: 32 << 20)
        /// For the level picture of a voice message: ten minutes at 48 kHz, in stereo and 16 bits.
        public static let voice = Limits(seconds: 600, frames: 600 * 48_000, bytes: 128 << 20)
        /// For greetings of the answering machine: one minute.
        public static let greeting = Limits(seconds: 60, frames: 60 * 192_000, bytes: 32 << 20)
    }

    /// The supported sample rates, in hertz.
    public static let rates = 4000...192_000

    public enum Failure: Error { case unreadable, notSupported, broken }

    /// A mono recording; stereo is mixed down.
    public struct Sound: Sendable {
        public var frames: [Float]
        /// The sample rate in hertz.
        public var rate: Int

        public init(frames: [Float], rate: Int) { (self.frames, self.rate) = (frames, rate) }
    }

    /// Reads a file up to its limits.
    public static func read(_ path: String, limits: Limits = .tone) throws(Failure) -> Sound {
        try read(try SoundFileReader(path, maximumBytes: limits.bytes), limits)
    }

    /// Reads an open file from its start up to its limits; its own position stays.
    public static func read(descriptor: Int32, limits: Limits) throws(Failure) -> Sound {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return try read(try SoundFileReader(owning: copy, maximumBytes: limits.bytes), limits)
    }

    private static func read(_ reader: SoundFileReader, _ limits: Limits) throws(Failure) -> Sound {
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

// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

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
        /// For voice messages: ten minutes at 48 kHz, in stereo and 16 bits.
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

    /// Reads a file without seeking: libsndfile 1.2 searches endlessly for the end of a cut-off Ogg file.
    static func read(_ path: String, limits: Limits = .tone) throws(Failure) -> Sound {
        // Without O_NONBLOCK, a FIFO would block the thread forever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limits.bytes
        else { throw .unreadable }
        guard let library = try? SoundFileLibrary.functions() else { throw .notSupported }
        var info = SF_INFO()
        // Open the checked file by a path, so that the library has its own descriptor: sf_open_fd() closes a borrowed
        // one twice for a broken file, when its number may belong to another thread.
        guard let file = library.open("/proc/self/fd/\(descriptor)", Int32(SFM_READ), &info) else {
            throw .broken
        }
        defer { _ = library.close(file) }
        guard rates.contains(Int(info.samplerate)), (1...2).contains(info.channels) else {
            throw .notSupported
        }
        let limit = min(limits.frames, limits.seconds * Int(info.samplerate))
        let frames = try read(file, of: library, channels: Int(info.channels), limit: limit)
        return Sound(frames: frames, rate: Int(info.samplerate))
    }

    /// Reads blocks until the file ends, whatever length its header claims.
    private static func read(
        _ file: OpaquePointer, of library: SoundFileLibrary.Functions, channels: Int, limit: Int
    ) throws(Failure) -> [Float] {
        var frames: [Float] = []
        var block = [Float](repeating: 0, count: 4096 * channels)
        while frames.count < limit {
            let count = Int(library.readFramesFloat(file, &block, 4096))
            guard count > 0 else { break }
            for frame in 0..<min(count, limit - frames.count) {
                let sum = block[frame * channels..<(frame + 1) * channels].reduce(0, +)
                guard sum.isFinite else { throw .broken }
                frames.append(sum / Float(channels))
            }
        }
        guard !frames.isEmpty, library.error(file) == Int32(SF_ERR_NO_ERROR) else { throw .broken }
        return frames
    }
}

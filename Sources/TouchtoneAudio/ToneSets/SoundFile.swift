// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

/// Reads a recording from a sound file of any format of libsndfile's, which may be hostile.
enum SoundFile {
    /// The longest recording that is used, in seconds; the rest of a longer file is not read.
    static let longest = 10
    /// The sample rates that are read, in hertz.
    static let rates = 4000...192_000
    /// The largest file, in bytes: ten seconds of the most that is read, in stereo and double precision.
    private static let largest = 32 << 20

    /// Why a file is not used.
    enum Failure: Error { case unreadable, notSupported, broken }

    /// A recording, mono; stereo is mixed.
    struct Sound {
        var frames: [Float]
        /// In hertz.
        var rate: Int
    }

    /// Reads the file, and closes it again.
    static func read(_ path: String) throws(Failure) -> Sound {
        // O_NONBLOCK: a FIFO of that name would otherwise hold the thread for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= largest
        else { throw .unreadable }
        var info = SF_INFO()
        // By a path to what was just looked at, for a descriptor of the library's own: sf_open_fd() closes the one it
        // is lent where a file is broken, which may by then be another thread's.
        guard let file = sf_open("/proc/self/fd/\(descriptor)", Int32(SFM_READ), &info) else { throw .broken }
        defer { sf_close(file) }
        guard rates.contains(Int(info.samplerate)), (1...2).contains(info.channels) else {
            throw .notSupported
        }
        let frames = try read(file, channels: Int(info.channels), limit: longest * Int(info.samplerate))
        return Sound(frames: frames, rate: Int(info.samplerate))
    }

    /// Reads by blocks until the file ends, whatever its header says of its length.
    private static func read(_ file: OpaquePointer, channels: Int, limit: Int) throws(Failure) -> [Float] {
        var frames: [Float] = []
        var block = [Float](repeating: 0, count: 4096 * channels)
        while frames.count < limit {
            let count = Int(sf_readf_float(file, &block, 4096))
            guard count > 0 else { break }
            for frame in 0..<min(count, limit - frames.count) {
                let sum = block[frame * channels..<(frame + 1) * channels].reduce(0, +)
                guard sum.isFinite else { throw .broken }
                frames.append(sum / Float(channels))
            }
        }
        guard !frames.isEmpty, sf_error(file) == Int32(SF_ERR_NO_ERROR) else { throw .broken }
        return frames
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

/// Reads an untrusted sound file in any format that libsndfile supports, block by block and mixed down to mono.
///
/// It never seeks: libsndfile 1.2 searches endlessly for the end of a cut-off Ogg file. One thread uses it.
final class SoundFileReader {
    /// The maximum length of a block, in frames.
    static let block = 4096

    /// The sample rate in hertz.
    let rate: Int
    /// The length in frames that the file claims; strangers choose it.
    let claimedLength: Int

    private let library: SoundFileLibrary.Functions
    private let file: OpaquePointer
    private let channels: Int
    private var samples: [Float]

    /// Opens a regular file of at most `maximumBytes`.
    init(_ path: String, maximumBytes: Int) throws(SoundFile.Failure) {
        // Without O_NONBLOCK, a FIFO would block the thread forever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= maximumBytes
        else { throw .unreadable }
        guard let library = try? SoundFileLibrary.functions() else { throw .notSupported }
        var info = SF_INFO()
        // Open the checked file by a path, so that the library has its own descriptor: sf_open_fd() closes a borrowed
        // one twice for a broken file, when its number may belong to another thread.
        guard let file = library.open("/proc/self/fd/\(descriptor)", Int32(SFM_READ), &info) else {
            throw .broken
        }
        (self.library, self.file) = (library, file)
        (rate, channels) = (Int(info.samplerate), Int(info.channels))
        claimedLength = max(0, Int(info.frames))
        samples = [Float](repeating: 0, count: Self.block * max(1, min(channels, 2)))
        guard SoundFile.rates.contains(rate), (1...2).contains(channels) else { throw .notSupported }
    }

    deinit { _ = library.close(file) }

    /// Returns the next frames, at most `block`; empty at the end, whatever length the header claims.
    func next() throws(SoundFile.Failure) -> [Float] {
        let count = min(Self.block, Int(library.readFramesFloat(file, &samples, Int64(Self.block))))
        guard count > 0 else { return [] }
        var frames: [Float] = []
        frames.reserveCapacity(count)
        for frame in 0..<count {
            let sum = samples[frame * channels..<(frame + 1) * channels].reduce(0, +)
            guard sum.isFinite else { throw .broken }
            frames.append(sum / Float(channels))
        }
        return frames
    }

    /// Whether all that was read so far is as the file has it.
    var isIntact: Bool { library.error(file) == Int32(SF_ERR_NO_ERROR) }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

/// Reads an untrusted sound file in any format that libsndfile supports, block by block and mixed down to mono.
///
/// One thread uses it.
public final class SoundFileReader {
    /// The maximum length of a block, in frames.
    public static let block = 4096

    /// The sample rate in hertz.
    public let rate: Int
    /// The length in frames that the file claims; strangers choose it.
    public let claimedLength: Int

    private let source: ReadFile
    private let library: SoundFileLibrary.Functions
    private let file: OpaquePointer
    private let channels: Int
    private var samples: [Float]

    /// Opens a regular file of at most `maximumBytes`.
    public convenience init(_ path: String, maximumBytes: Int) throws(SoundFile.Failure) {
        // Without O_NONBLOCK, a FIFO would block the thread forever.
        try self.init(owning: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), maximumBytes: maximumBytes)
    }

    /// Takes an open file of at most `maximumBytes`, which it closes.
    public init(owning descriptor: Int32, maximumBytes: Int) throws(SoundFile.Failure) {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw .unreadable }
        source = ReadFile(owning: descriptor, length: Int(status.st_size))
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes else { throw .unreadable }
        guard let library = try? SoundFileLibrary.functions() else { throw .notSupported }
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { Int64(ReadFile.at($0).length) },
            seek: { ReadFile.at($2).seek(by: Int($0), from: $1) },
            read: { ReadFile.at($2).read($0, Int($1)) },
            // A file that is read is not written.
            write: { _, _, _ in 0 },
            tell: { Int64(ReadFile.at($0).position) })
        var info = SF_INFO()
        let context = Unmanaged.passUnretained(source).toOpaque()
        guard let file = library.openVirtual(&callbacks, Int32(SFM_READ), &info, context) else {
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
    public func next() throws(SoundFile.Failure) -> [Float] {
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
    public var isIntact: Bool { library.error(file) == Int32(SF_ERR_NO_ERROR) }
}

/// The file from which libsndfile reads.
///
/// libsndfile 1.2 searches endlessly for the end of a cut-off Ogg file: nothing more comes when it has read too much.
private final class ReadFile {
    let length: Int
    private(set) var position = 0
    private let descriptor: Int32
    /// The bytes and the reads that are left.
    private var rest: (bytes: Int, reads: Int)

    init(owning descriptor: Int32, length: Int) {
        (self.descriptor, self.length) = (descriptor, length)
        rest = (4 * length + 1 << 20, length + 1 << 16)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    static func at(_ context: UnsafeMutableRawPointer?) -> ReadFile {
        context.map { Unmanaged<ReadFile>.fromOpaque($0).takeUnretainedValue() }
            ?? ReadFile(owning: -1, length: 0)
    }

    func seek(by offset: Int, from origin: Int32) -> Int64 {
        let start =
            switch origin {
            case SEEK_CUR: position
            case SEEK_END: length
            default: 0
            }
        let (place, isTooFar) = start.addingReportingOverflow(offset)
        guard !isTooFar, place >= 0 else { return -1 }
        position = place
        return Int64(position)
    }

    func read(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int64 {
        rest.reads -= 1
        guard let buffer, count > 0, rest.reads > 0, rest.bytes > 0 else { return 0 }
        var done = 0
        while done < count {
            let read = pread(descriptor, buffer + done, count - done, off_t(position + done))
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { break }
            done += read
        }
        position += done
        rest.bytes -= done
        return Int64(done)
    }
}

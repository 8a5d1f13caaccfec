// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA  // poll.h, which Swift attributes to the first module that includes it
import GLibBridge
import Glibc
import RecordedSound

/// The decoder of a stranger's sound file: `touchtone-sounds`, which goes on block by block, as fast as they are read.
///
/// A file that breaks a codec ends that process, and this sound. One thread uses the decoder, which blocks it.
final class SoundDecoder {
    /// The sample rate in hertz.
    let rate: Int
    /// The length in frames that the file claims, a year at most; strangers choose it.
    let claimedLength: Int
    /// Whether all that was read so far is as the file has it.
    private(set) var isIntact = true

    /// The time in which the process has to decode a block, in milliseconds.
    private static let patience: Int32 = 10_000
    private static let longest = SoundFile.rates.upperBound * 86_400 * 365
    private static let program = InstalledProgram.path(of: "touchtone-sounds")

    private let process: DecoderProcess
    private let output: Int32
    /// The descriptor that is readable when nobody waits for the sound any more; -1 if there is none.
    private let stop: Int32
    private var isOver = false

    /// Opens a regular file of at most `maximumBytes`.
    ///
    /// - Parameter stop: A descriptor, open for as long as the decoder: once it is readable, the sound is at its end.
    init(_ path: String, maximumBytes: Int, stop: Int32 = -1) throws(SoundFile.Failure) {
        guard let program = Self.program else {
            DebugLog.write("sound: touchtone-sounds is not installed")
            throw .notSupported
        }
        // Without O_NONBLOCK, a FIFO would block the thread forever.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable }
        defer { close(file) }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .unreadable }
        let process = DecoderProcess(
            program, [String(maximumBytes)], input: file, output: ends[1], variables: ["LD_LIBRARY_PATH"])
        close(ends[1])
        guard let process else {
            close(ends[0])
            throw .unreadable
        }
        (self.process, output, self.stop) = (process, ends[0], stop)
        let header = Self.numbers(2, from: output, stop)
        (rate, claimedLength) = header.map { ($0[0], min($0[1], Self.longest)) } ?? (0, 0)
        guard SoundFile.rates.contains(rate) else { throw .broken }
    }

    deinit {
        process.end()
        close(output)
        process.wait()
    }

    /// Returns the next frames, at most `SoundFileReader.block`; empty at the end, or where the decoder breaks.
    func next() -> [Float] {
        guard !isOver, let count = numbers(1)?[0], count <= SoundFileReader.block else {
            return end(isIntact: isOver && isIntact)
        }
        guard count > 0 else { return end(isIntact: numbers(1)?[0] == 1) }
        var frames = [Float](repeating: 0, count: count)
        let isWhole = frames.withUnsafeMutableBytes { Self.read($0, from: output, stop) }
        guard isWhole, frames.allSatisfy(\.isFinite) else { return end(isIntact: false) }
        return frames
    }

    private func end(isIntact: Bool) -> [Float] {
        (isOver, self.isIntact) = (true, isIntact)
        return []
    }

    /// Reads as many numbers, of eight bytes each and none of them negative.
    private func numbers(_ count: Int) -> [Int]? { Self.numbers(count, from: output, stop) }

    private static func numbers(_ count: Int, from output: Int32, _ stop: Int32) -> [Int]? {
        var numbers = [Int](repeating: 0, count: count)
        let isWhole = numbers.withUnsafeMutableBytes { read($0, from: output, stop) }
        return isWhole && numbers.allSatisfy { $0 >= 0 } ? numbers : nil
    }

    /// Fills a buffer; returns false at the end of the output, if nothing comes, or if nobody waits for it any more.
    private static func read(
        _ buffer: UnsafeMutableRawBufferPointer, from output: Int32, _ stop: Int32
    ) -> Bool {
        var done = 0
        while done < buffer.count {
            guard isReadable(output, stop) else { return false }
            let count = Glibc.read(output, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Waits until more has come; returns false if nothing comes, or if nobody waits for it any more.
    private static func isReadable(_ output: Int32, _ stop: Int32) -> Bool {
        var states = [output, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var ready = poll(&states, 2, patience)
        while ready < 0, errno == EINTR { ready = poll(&states, 2, patience) }
        return ready > 0 && states[1].revents == 0
    }
}

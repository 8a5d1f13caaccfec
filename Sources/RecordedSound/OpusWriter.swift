// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

/// Writes samples as Ogg Opus (RFC 7845), to memory or to a file.
///
/// A file has a page for each half second, which is complete as soon as it is written: what was written stays readable if the
/// process is killed. No part of it is written twice.
public final class OpusWriter {
    /// The sample rate in hertz: the one of Opus.
    public static let rate = 48_000
    /// libsndfile's scale of 0 to 1 between 256 and 6 kbit/s for a channel: 32 kbit/s, at which speech has no flaws.
    private static let compression = 0.896
    /// The greatest length of a page, in milliseconds.
    private static let page = 500.0

    private let target: OpusTarget
    private let library: SoundFileLibrary.Functions
    private let channels: Int
    private var file: OpaquePointer?
    /// The number of samples of each channel that were written.
    public private(set) var count = 0

    /// Begins in memory; nil if libsndfile is missing, or lacks the format.
    public convenience init?(channels: Int = 1) { self.init(OpusTarget(descriptor: nil), channels: channels) }

    /// Begins an empty file, whose descriptor has to stay open until the end; nil as above, or if it cannot be written.
    public convenience init?(descriptor: Int32, channels: Int = 1) {
        self.init(OpusTarget(descriptor: descriptor), channels: channels)
    }

    private init?(_ target: OpusTarget, channels: Int) {
        guard let library = try? SoundFileLibrary.functions() else { return nil }
        (self.library, self.target, self.channels) = (library, target, channels)
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { Int64(OpusTarget.at($0).length) },
            seek: { OpusTarget.at($2).seek(by: Int($0), from: $1) },
            // A file that is written is not read.
            read: { _, _, _ in 0 },
            write: { OpusTarget.at($2).write($0, Int($1)) },
            tell: { Int64(OpusTarget.at($0).position) })
        var info = SF_INFO()
        info.samplerate = Int32(Self.rate)
        info.channels = Int32(channels)
        info.format = Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
        let context = Unmanaged.passUnretained(target).toOpaque()
        guard let file = library.openVirtual(&callbacks, Int32(SFM_WRITE), &info, context) else { return nil }
        self.file = file
        for (command, value) in [
            (SFC_SET_COMPRESSION_LEVEL, Self.compression), (SFC_SET_OGG_PAGE_LATENCY_MS, Self.page),
        ] {
            var value = value
            _ = library.command(file, Int32(command), &value, Int32(MemoryLayout<Double>.size))
        }
    }

    deinit { close() }

    /// Whether the file could not be written any further, such as on a full disk; it ends with its last whole page.
    public var hasFailed: Bool { target.hasFailed }

    /// Writes samples, those of two channels in turn; returns false if that fails, and for all that follow.
    @discardableResult
    public func write(_ samples: [Int16]) -> Bool {
        guard let file, !hasFailed else { return false }
        count += Int(library.writeShort(file, samples, Int64(samples.count))) / channels
        return !hasFailed
    }

    /// Ends the file; returns what is in memory.
    @discardableResult
    public func finish() -> [UInt8] {
        close()
        return target.bytes
    }

    private func close() {
        if let file { _ = library.close(file) }
        file = nil
    }
}

/// The memory or file to which libsndfile writes.
private final class OpusTarget {
    private(set) var bytes: [UInt8] = []
    private(set) var position = 0
    private(set) var length = 0
    private(set) var hasFailed = false
    private let descriptor: Int32?
    /// The start of the page that is being written.
    private var pageStart = 0

    private static let pageMark = Array("OggS".utf8)

    init(descriptor: Int32?) { self.descriptor = descriptor }

    static func at(_ context: UnsafeMutableRawPointer?) -> OpusTarget {
        context.map { Unmanaged<OpusTarget>.fromOpaque($0).takeUnretainedValue() }
            ?? OpusTarget(descriptor: nil)
    }

    func seek(by offset: Int, from origin: Int32) -> Int64 {
        let start =
            switch origin {
            case SEEK_CUR: position
            case SEEK_END: length
            default: 0
            }
        position = min(max(0, start + offset), length)
        return Int64(position)
    }

    func write(_ buffer: UnsafeRawPointer?, _ count: Int) -> Int64 {
        guard let buffer, count > 0, !hasFailed else { return 0 }
        let new = UnsafeRawBufferPointer(start: buffer, count: count)
        if new.starts(with: Self.pageMark) { pageStart = position }
        if let descriptor {
            guard Self.write(new, to: descriptor, at: position) else {
                hasFailed = true
                // A page that is not whole is not read.
                _ = ftruncate(descriptor, off_t(pageStart))
                return 0
            }
        } else {
            bytes.replaceSubrange(position..<min(position + count, bytes.count), with: new)
        }
        position += count
        length = max(length, position)
        return Int64(count)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at place: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(place + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile

/// Writes samples in mono as Ogg Opus (RFC 7845) to memory.
final class OpusWriter {
    /// The sample rate in hertz: the one of Opus.
    static let rate = 48_000
    /// libsndfile's scale of 0 to 1 between 256 and 6 kbit/s for a channel: 32 kbit/s, at which speech has no flaws.
    private static let compression = 0.896

    private final class Memory {
        var bytes: [UInt8] = []
        var position = 0
    }

    private let memory = Memory()
    private let library: SoundFileLibrary.Functions
    private var file: OpaquePointer?
    private(set) var count = 0

    /// Creates an empty file; nil if libsndfile is missing, or lacks the format.
    init?() {
        guard let library = try? SoundFileLibrary.functions() else { return nil }
        self.library = library
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { Int64(OpusWriter.memory($0).bytes.count) },
            seek: { OpusWriter.seek($2, by: $0, from: $1) },
            // A file that is written is not read.
            read: { _, _, _ in 0 },
            write: { OpusWriter.write($2, $0, $1) },
            tell: { Int64(OpusWriter.memory($0).position) })
        var info = SF_INFO()
        info.samplerate = Int32(Self.rate)
        info.channels = 1
        info.format = Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
        let target = Unmanaged.passUnretained(memory).toOpaque()
        guard let file = library.openVirtual(&callbacks, Int32(SFM_WRITE), &info, target) else { return nil }
        self.file = file
        var compression = Self.compression
        _ = library.command(
            file, Int32(SFC_SET_COMPRESSION_LEVEL), &compression, Int32(MemoryLayout<Double>.size))
    }

    deinit { close() }

    func write(_ samples: [Int16]) {
        if let file { count += Int(library.writeShort(file, samples, Int64(samples.count))) }
    }

    func finish() -> [UInt8] {
        close()
        return memory.bytes
    }

    private func close() {
        if let file { _ = library.close(file) }
        file = nil
    }

    // MARK: - Callbacks of libsndfile

    private static func memory(_ target: UnsafeMutableRawPointer?) -> Memory {
        target.map { Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue() } ?? Memory()
    }

    private static func seek(_ target: UnsafeMutableRawPointer?, by offset: Int64, from origin: Int32)
        -> Int64
    {
        let memory = memory(target)
        let start =
            switch origin {
            case SEEK_CUR: memory.position
            case SEEK_END: memory.bytes.count
            default: 0
            }
        memory.position = min(max(0, start + Int(offset)), memory.bytes.count)
        return Int64(memory.position)
    }

    private static func write(
        _ target: UnsafeMutableRawPointer?, _ buffer: UnsafeRawPointer?, _ count: Int64
    ) -> Int64 {
        guard let buffer, count > 0 else { return 0 }
        let memory = memory(target)
        let new = UnsafeRawBufferPointer(start: buffer, count: Int(count))
        let end = min(memory.position + new.count, memory.bytes.count)
        memory.bytes.replaceSubrange(memory.position..<end, with: new)
        memory.position += new.count
        return count
    }
}

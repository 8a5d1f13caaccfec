// SPDX-License-Identifier: GPL-3.0-or-later

internal import DecoderSupport
internal import Glibc
internal import RecordedSound

/// The program that decodes one untrusted sound file, and ends.
///
/// The phone starts it with the greatest size of the file in bytes as the argument and the file as standard input, and reads
/// its standard output as fast as the sound plays: the sample rate and the length in frames that the file claims, then each
/// block as the number of its frames and as many samples (32-bit floating point, mono), then 0, and 1 if the file is
/// intact or 0 if not. Numbers have eight bytes, in the order of the processor.
///
/// A file that takes too much memory or time, or breaks the decoder, ends only this process.
@main
enum Main {
    /// For the libraries, and the buffers of any codec, in bytes.
    private static let memory = 512 << 20
    /// Decoding a day of Opus takes half of it, in seconds.
    private static let processorTime = 900

    static func main() {
        guard CommandLine.arguments.count == 2, let size = Int(CommandLine.arguments[1]) else { exit(2) }
        DecoderLimits.closeInheritedFiles()
        DecoderLimits.set(memory: memory, processorTime: processorTime)
        guard SoundFileLibrary.isAvailable else { exit(3) }
        // The library has been opened, so nothing else needs to be.
        DecoderLimits.confine()
        guard let reader = try? SoundFileReader(owning: 0, maximumBytes: size), write(reader) else { exit(1) }
    }

    /// Writes all of a file; returns false if the phone has gone.
    private static func write(_ reader: SoundFileReader) -> Bool {
        guard DecoderOutput.write(UInt64(reader.rate)), DecoderOutput.write(UInt64(reader.claimedLength))
        else { return false }
        while let block = try? reader.next() {
            let isWritten =
                DecoderOutput.write(UInt64(block.count)) && block.withUnsafeBytes { DecoderOutput.write($0) }
            guard isWritten else { return false }
            if block.isEmpty { return DecoderOutput.write(UInt64(reader.isIntact ? 1 : 0)) }
        }
        return false
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The standard output of a process that decodes a file, at which the phone reads.
public enum DecoderOutput {
    /// Writes all bytes, waiting while the phone does not read; returns false if it has gone.
    public static func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(1, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Writes a number as its bytes in memory.
    public static func write(_ number: some FixedWidthInteger) -> Bool {
        withUnsafeBytes(of: number) { write($0) }
    }
}

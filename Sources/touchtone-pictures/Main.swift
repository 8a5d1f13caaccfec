// SPDX-License-Identifier: GPL-3.0-or-later

internal import CPixbuf
internal import Glibc

/// The program that decodes one untrusted picture, and ends.
///
/// The phone starts it for each picture with `DecodingRequest`'s arguments, the file as standard input, and reads the
/// pixels, the new file or the texts of codes from its standard output. A file that takes too much memory or time, or breaks the decoder,
/// ends only this process.
@main
enum Main {
    static func main() {
        guard let request = DecodingRequest(CommandLine.arguments.dropFirst()) else { exit(2) }
        Limits.closeInheritedFiles()
        Limits.set(pixels: request.width * request.height)
        guard let loader = gdk_pixbuf_loader_new_with_type(request.format, nil) else { exit(3) }
        let finder = request.result == .codes ? CodeFinder() : nil
        // The loader of the format has been opened, so nothing else needs to be.
        Limits.forbidFilesAndSockets()
        guard let pixels = Decoding.pixels(loader, request),
            let result = Decoding.result(pixels, request, finder), Output.write(result)
        else { exit(1) }
    }
}

enum Limits {
    /// The memory for the libraries and buffers, in bytes.
    private static let base = 160 << 20
    /// The copies of the pixels that decoding, turning and scaling take at once, four bytes a pixel.
    private static let copies = 3

    /// Closes what the phone had open when it started this process.
    static func closeInheritedFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(4) }
        for file in 3..<Int32(clamping: min(limit.rlim_cur, 1 << 16)) { close(file) }
    }

    /// Bounds memory, processor time and time, and forbids writing to files.
    static func set(pixels: Int) {
        set(RLIMIT_AS, rlim_t(base + pixels * 4 * copies))
        set(RLIMIT_CPU, 10)
        // A warning of a library must not end the process where the error output is a file.
        signal(SIGXFSZ, SIG_IGN)
        set(RLIMIT_FSIZE, 0)
        set(RLIMIT_CORE, 0)
        alarm(20)
    }

    /// Forbids opening anything, and starting processes.
    static func forbidFilesAndSockets() {
        set(RLIMIT_NOFILE, 0)
        set(__RLIMIT_NPROC, 0)
    }

    private static func set(_ kind: __rlimit_resource, _ value: rlim_t) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        // Without its bounds, the process must not see the file.
        guard setrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 else { exit(4) }
    }
}

enum Output {
    /// Writes all bytes; returns false if the phone has gone.
    static func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(1, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}

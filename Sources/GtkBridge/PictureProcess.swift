// SPDX-License-Identifier: GPL-3.0-or-later

private import Glibc

/// The process that decodes one picture, and may be broken by it.
enum PictureProcess {
    /// The time after which the process is ended, in seconds; it ends itself earlier unless it is broken.
    private static let timeout = 30

    /// Blocks the calling thread; nil if the process does not start, fails, or writes over `maximum` bytes.
    static func run(_ arguments: [String], input: [UInt8], maximum: Int) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard let program, socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            DebugLog.write("pictures: touchtone-pictures cannot be started")
            return nil
        }
        defer { close(ends[0]) }
        let process = DecoderProcess(
            program, arguments, input: ends[1], output: ends[1], variables: variables)
        close(ends[1])
        guard let process else { return nil }
        let deadline = g_get_monotonic_time() + gint64(timeout) * 1_000_000
        let output =
            send(input, to: ends[0], before: deadline)
            ? read(ends[0], maximum: maximum, before: deadline) : nil
        if output == nil { process.end() }
        return process.wait() ? output : nil
    }

    private static let program = InstalledProgram.path(of: "touchtone-pictures")

    /// The variables that the process needs to find its libraries.
    private static let variables = ["GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "LD_LIBRARY_PATH"]

    /// Waits until a socket is ready; returns false at the deadline.
    private static func wait(for events: Int32, _ socket: Int32, before deadline: gint64) -> Bool {
        let left = (deadline - g_get_monotonic_time()) / 1000
        return left > 0 && DecoderProcess.wait(for: events, of: socket, milliseconds: Int32(left))
    }

    /// Sends all bytes and the end; returns false if the process has gone or does not read them.
    private static func send(_ bytes: [UInt8], to socket: Int32, before deadline: gint64) -> Bool {
        let isSent = bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                guard wait(for: POLLOUT, socket, before: deadline) else { return false }
                let count = Glibc.send(
                    socket, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        return isSent && shutdown(socket, Int32(SHUT_WR)) == 0
    }

    /// Reads to the end; returns nil if there is more than the maximum, or it takes too long.
    private static func read(_ socket: Int32, maximum: Int, before deadline: gint64) -> [UInt8]? {
        var (output, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 18))
        while wait(for: POLLIN, socket, before: deadline) {
            let count = Glibc.read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return output }
            guard output.count + count <= maximum else { return nil }
            output += buffer[..<count]
        }
        return nil
    }
}

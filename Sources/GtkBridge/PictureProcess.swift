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
        let process = start(program, arguments, on: ends[1])
        close(ends[1])
        guard let process else { return nil }
        let deadline = g_get_monotonic_time() + gint64(timeout) * 1_000_000
        let output =
            send(input, to: ends[0], before: deadline)
            ? read(ends[0], maximum: maximum, before: deadline) : nil
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? output : nil
    }

    private static let program = InstalledProgram.path(of: "touchtone-pictures")

    /// The variables that the process needs to find its libraries.
    private static let variables = ["GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "LD_LIBRARY_PATH"]

    // MARK: - The process

    /// Starts a program with a socket as its standard input and output; it closes whatever else it inherits.
    private static func start(_ program: String, _ arguments: [String], on socket: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for file: Int32 in [0, 1] { posix_spawn_file_actions_adddup2(&actions, socket, file) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The bounds on time are signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let environment = variables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        var process: pid_t = 0
        let status = withCStrings([program] + arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawn(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        return status == 0 ? process : nil
    }

    /// Waits until a socket is ready; returns false at the deadline.
    private static func wait(for events: Int32, _ socket: Int32, before deadline: gint64) -> Bool {
        while true {
            let left = (deadline - g_get_monotonic_time()) / 1000
            guard left > 0 else { return false }
            var state = pollfd(fd: socket, events: Int16(events), revents: 0)
            let ready = poll(&state, 1, Int32(left))
            if ready > 0 { return true }
            guard ready < 0, errno == EINTR else { return false }
        }
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

// SPDX-License-Identifier: GPL-3.0-or-later

private import Glibc

/// A process that decodes one file of a stranger, and may be broken by it.
///
/// Its owner must call `wait` once.
public struct DecoderProcess: Sendable {
    private let id: pid_t

    /// Starts a program with these descriptors as its standard input and output; it closes whatever else it inherits.
    ///
    /// - Parameter variables: The names of the environment variables that it gets.
    /// - Returns: Nil if the system cannot start it.
    public init?(
        _ program: String, _ arguments: [String], input: Int32, output: Int32, variables: [String]
    ) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The bounds on time are signals, as is the end of the reader.
        var (none, pipe) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let environment = variables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        var process: pid_t = 0
        let status = withCStrings([program] + arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawn(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        guard status == 0 else { return nil }
        id = process
    }

    /// Ends the process at once.
    public func end() { kill(id, SIGKILL) }

    /// Waits for the end of the process, on the calling thread.
    ///
    /// - Returns: Whether it has succeeded.
    @discardableResult public func wait() -> Bool {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 { guard errno == EINTR else { return false } }
        return status == 0
    }

    /// Waits until a descriptor is ready for `events` of poll(2), on the calling thread.
    ///
    /// - Returns: False after `milliseconds`.
    public static func wait(for events: Int32, of descriptor: Int32, milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        var ready = poll(&state, 1, milliseconds)
        while ready < 0, errno == EINTR { ready = poll(&state, 1, milliseconds) }
        return ready > 0
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import Glibc
import TouchtoneCore
import TouchtoneUI

/// The phone that runs in this session, as a program on the bus asks it.
@MainActor
struct RunningPhone {
    private let bus: DBusConnection

    private static let name = Resources.applicationID
    private static let path = "/io/github/touchtone/Touchtone"

    /// Finds the running phone; nil if none runs.
    static func find() async throws(GLibError) -> RunningPhone? {
        let bus = try await DBusConnection.connect(to: .session)
        guard await bus.isRunning(name) else { return nil }
        let phone = RunningPhone(bus: bus)
        try await phone.waitUntilStarted()
        return phone
    }

    /// Finds the running phone, or starts one.
    static func findOrStart() async throws(GLibError) -> RunningPhone {
        if let phone = try await find() { return phone }
        let phone = RunningPhone(bus: try await DBusConnection.connect(to: .session))
        try await phone.start()
        try await phone.waitUntilStarted()
        return phone
    }

    /// Asks the phone for something, and returns the results as a tuple.
    func ask(_ method: String, _ arguments: [Variant] = []) async throws(GLibError) -> Variant {
        try await bus.call(
            DBusObject(Self.name, path: Self.path, interface: Self.name + ".Phone1"), method, arguments,
            startsService: false)
    }

    /// Starts the phone in a session of its own, so that it goes on when the terminal closes.
    private func start() async throws(GLibError) {
        var heard: CheckedContinuation<Bool, Never>?
        func end(_ isThere: Bool) {
            heard?.resume(returning: isThere)
            heard = nil
        }
        let watch = bus.watchOwner(of: Self.name) { end(true) }
        let program = try DetachedProgram.start()
        DetachedProgram.watchEnd(of: program) { end(false) }
        let limit = MainLoop.after(milliseconds: 30_000) { end(false) }
        let isThere = await withCheckedContinuation { heard = $0 }
        limit.cancel()
        withExtendedLifetime(watch) {}
        guard isThere else {
            throw GLibError(
                domain: "touchtone",
                message: localized("The phone could not be started. Run “touchtone” to see why."))
        }
    }

    /// Waits until the phone answers: it has its name before it has made its parts, and answers after that.
    private func waitUntilStarted() async throws(GLibError) {
        _ = try await bus.call(
            DBusObject(Self.name, path: Self.path, interface: "org.gtk.Actions"), "List",
            startsService: false)
    }
}

/// Another process of this program, which outlives this one.
@MainActor
enum DetachedProgram {
    /// The flag POSIX_SPAWN_SETSID, which glibc’s headers show to GNU programs only.
    private static let newSession: Int16 = 0x80

    /// Starts the program with neither input nor output.
    static func start() throws(GLibError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        posix_spawnattr_setflags(&attributes, newSession)
        var process: pid_t = 0
        let arguments = [strdup("touchtone"), nil]
        defer { arguments.forEach { free($0) } }
        let program = InstalledProgram.path(of: "touchtone") ?? "/proc/self/exe"
        let status = posix_spawn(&process, program, &actions, &attributes, arguments, environ)
        guard status == 0 else {
            throw GLibError(domain: "touchtone", message: String(cString: strerror(status)))
        }
        return process
    }

    /// Calls `ended` once when the process ends.
    static func watchEnd(of process: pid_t, _ ended: @escaping @MainActor () -> Void) {
        g_child_watch_add_full(
            G_PRIORITY_DEFAULT, process,
            { _, _, data in Box<@MainActor () -> Void>.call(data) { $0() } }, Box(ended).retained,
            { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
    }
}

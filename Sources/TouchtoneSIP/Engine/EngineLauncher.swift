// SPDX-License-Identifier: GPL-3.0-or-later

private import CGio
public import GLibBridge
private import Glibc

/// A starter of the engine's process: the system's in the program, a fake in tests.
@MainActor
public protocol EngineLauncher: AnyObject {
    /// Whether the engine is installed.
    var isAvailable: Bool { get }

    /// Starts the engine.
    ///
    /// - Throws: `GLibError` if the process cannot be started.
    func launch() throws(GLibError) -> LaunchedEngine
}

/// The engine's process, as its launcher returns it.
public struct LaunchedEngine {
    /// The phone's end of a socket pair, which the caller closes: the process then ends by itself.
    let socket: Int32
    /// Kills the process.
    let kill: @MainActor () -> Void
    /// Returns the fingerprint of the message that the process is handling, or was when it died; nil if there is none.
    let handledMessage: @MainActor () -> Int?
}

/// The program `touchtone-sip`, with one end of a socket pair as its standard input.
public final class ProgramLauncher: EngineLauncher {
    private let path: String?

    /// Finds the program beside this one or in the libexec folder of its prefix.
    public init() {
        path = Self.candidates.first { g_file_test($0, G_FILE_TEST_IS_EXECUTABLE) != 0 }
    }

    /// Whether the program was found.
    public var isAvailable: Bool { path != nil }

    /// Starts the program, without arguments.
    public func launch() throws(GLibError) -> LaunchedEngine {
        guard let path else { throw GLibError(domain: "sip", message: "touchtone-sip is not installed") }
        let (own, other) = try Self.socketPair()
        let note = MemoryFile("touchtone-sip-message")
        let launcher = GObjectRef(
            taking: UnsafeMutableRawPointer(g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_NONE)))
        g_subprocess_launcher_take_stdin_fd(launcher.opaque, other)
        if let copy = note?.copy() {
            g_subprocess_launcher_take_fd(launcher.opaque, copy, 3)
            g_subprocess_launcher_setenv(launcher.opaque, "TOUCHTONE_SIP_NOTE", "3", 1)
        }
        for name in Self.strangers { g_subprocess_launcher_unsetenv(launcher.opaque, name) }
        do throws(GLibError) {
            let process = try GLibError.unwrap { error in
                path.withCString { path in
                    var arguments: [UnsafePointer<CChar>?] = [path, nil]
                    return g_subprocess_launcher_spawnv(launcher.opaque, &arguments, error)
                }
            }
            let reference = GObjectRef(taking: UnsafeMutableRawPointer(process))
            return LaunchedEngine(
                socket: own, kill: { g_subprocess_force_exit(reference.opaque) },
                handledMessage: { note?.readNumber().flatMap { $0 > 0 ? Int($0) : nil } })
        } catch {
            close(own)
            throw error
        }
    }

    /// The variables that lead to what the engine must not use, and cannot: the buses, the screen, and the user's agents.
    private static let strangers = [
        "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "DISPLAY",
        "WAYLAND_DISPLAY",
        "WAYLAND_SOCKET", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "SSH_AUTH_SOCK", "GPG_AGENT_INFO",
        "NOTIFY_SOCKET", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
    ]

    private static func socketPair() throws(GLibError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw GLibError(domain: "sip", message: String(cString: strerror(errno)))
        }
        return (ends[0], ends[1])
    }

    private static var candidates: [String] {
        guard let link = g_file_read_link("/proc/self/exe", nil) else { return [] }
        defer { g_free(link) }
        let program = String(cString: link)
        guard let end = program.lastIndex(of: "/") else { return [] }
        let folder = program[..<end]
        return [
            "\(folder)/touchtone-sip", "\(folder)/../libexec/touchtone-sip",
            "\(folder)/../libexec/touchtone/touchtone-sip", "\(folder)/../lib/touchtone/touchtone-sip",
        ]
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

private import CGio
public import GLibBridge
private import Glibc
private import HelperMessages

/// A starter of a helper's process: the system's in the program, a fake in tests.
@MainActor
public protocol HelperLauncher: AnyObject {
    var isAvailable: Bool { get }

    /// Starts the helper; throws `GLibError` if the process cannot be started.
    func launch() throws(GLibError) -> LaunchedHelper
}

/// A helper's process, as its launcher returns it.
public struct LaunchedHelper {
    /// The phone's end of a socket pair, which the caller closes: the process then ends by itself.
    let socket: Int32
    let kill: @MainActor () -> Void
    /// Returns the number of what the process is handling, or was when it died; nil if it has noted nothing.
    let note: @MainActor () -> Int?
}

/// A program that is installed with this one, with one end of a socket pair as its standard input.
public final class ProgramLauncher: HelperLauncher {
    private let name: String
    private let path: String?

    public init(_ name: String) { (self.name, path) = (name, InstalledProgram.path(of: name)) }

    public var isAvailable: Bool { path != nil }

    public func launch() throws(GLibError) -> LaunchedHelper {
        guard let path else { throw GLibError(domain: name, message: "it is not installed") }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw GLibError(domain: name, message: String(cString: strerror(errno)))
        }
        let note = MemoryFile("\(name)-note")
        let launcher = GObjectRef(
            taking: UnsafeMutableRawPointer(g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_NONE)))
        g_subprocess_launcher_take_stdin_fd(launcher.opaque, ends[1])
        if let copy = note?.copy() {
            g_subprocess_launcher_take_fd(launcher.opaque, copy, 3)
            g_subprocess_launcher_setenv(launcher.opaque, helperNoteVariable, "3", 1)
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
            return LaunchedHelper(
                socket: ends[0], kill: { g_subprocess_force_exit(reference.opaque) },
                note: { note?.readNumber().flatMap { $0 > 0 ? Int($0) : nil } })
        } catch {
            close(ends[0])
            throw error
        }
    }

    /// The variables that lead to what helpers must not use, and cannot: the buses, the screen, and the user's agents.
    private static let strangers = [
        "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "DISPLAY",
        "WAYLAND_DISPLAY",
        "WAYLAND_SOCKET", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "SSH_AUTH_SOCK", "GPG_AGENT_INFO",
        "NOTIFY_SOCKET", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
    ]
}

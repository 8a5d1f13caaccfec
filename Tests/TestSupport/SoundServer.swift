// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A virtual sound card for tests: a PulseAudio server that plays into a null device, which can be recorded.
///
/// It ends with the test process, even if that crashes. ALSA's `default` is this server for every process that has its
/// `environment`.
public final class SoundServer {
    /// The sample rate of the card, in hertz.
    public let rate: Int
    private let folder: String
    private var child: Child?
    private var processID: pid_t = 0

    /// Starts a server, and returns when it responds.
    ///
    /// - Throws: `MissingPeer` if PulseAudio or ALSA's plugin for it is not installed.
    public init(rate: Int = 48_000) throws {
        try Peer.require("pulseaudio", package: "pulseaudio")
        try Peer.require("parec", package: "pulseaudio-utils")
        self.rate = rate
        var template = Array("/tmp/touchtone-sound-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try start()
    }

    deinit { end() }

    /// The variables that make this server the `default` device of a process.
    public var environment: [String: String] {
        [
            "PULSE_SERVER": "unix:\(socket)", "PULSE_COOKIE": "\(folder)/cookie",
            "PULSE_RUNTIME_PATH": folder,
        ]
    }

    /// Makes this server the test process's; must be called before the process has other threads that use ALSA.
    public func use() {
        for (name, value) in environment { setenv(name, value, 1) }
    }

    /// Starts the server again at the same address after `kill()`.
    public func start() throws {
        let child = try Child(
            ["bash", "-c", Self.script, "bash", folder, "\(rate)"],
            environment: [
                "HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_RUNTIME_PATH": folder,
                "PULSE_CONFIG": "\(Checkout.folder)/Tests/Peers/pulse.conf",
                // The next server would take over its name on a bus.
                "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            ])
        self.child = child
        processID = child.readLine().flatMap { pid_t($0) } ?? 0
        guard processID > 0, child.readLine() != nil else {
            let log = try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)
            throw SoundServerFailure(log: log ?? "")
        }
        // The server gives real-time priority to the thread of its card, but not to the one that serves programs.
        RealTime.raise(processID)
    }

    /// Whether the server is running.
    public var isRunning: Bool { child != nil }

    /// Loads modules into the server, such as `module-null-sink sink_name=headset`.
    public func load(_ modules: [String]) throws {
        for module in modules {
            _ = try output(
                of: ["pactl", "load-module"] + module.components(separatedBy: " "), environment: environment)
        }
    }

    /// Adds a microphone that hears a tone all the time.
    ///
    /// PulseAudio's own source of a tone has it in parts of two seconds.
    public func addMicrophone(_ name: String, frequency: Int) throws {
        try load([
            "module-null-sink sink_name=\(name)-mouth norewinds=1",
            "module-remap-source source_name=\(name) master=\(name)-mouth.monitor",
            "module-sine sink=\(name)-mouth frequency=\(frequency)",
        ])
    }

    /// Returns the number of streams that play through the server.
    public func streams() throws -> Int {
        let list = try output(of: ["pactl", "list", "short", "sink-inputs"], environment: environment)
        return list.split(separator: "\n").count
    }

    /// Returns the number of connections of this process to the server, with or without streams.
    public func connections() throws -> Int {
        let list = try output(of: ["pactl", "list", "clients"], environment: environment)
        let mark = "application.process.id = \"\(getpid())\""
        return list.split(separator: "\n").count { $0.contains(mark) }
    }

    /// Kills the server at once, like a crash.
    public func kill() {
        _ = FileManager.default.createFile(atPath: "\(folder)/kept", contents: nil)
        Foundation.kill(processID, SIGKILL)
        child?.end()
        child = nil
    }

    /// Ends the server and removes its files.
    public func end() {
        child?.end()
        child = nil
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts recording the server's output.
    public func record() throws -> SoundRecorder { try SoundRecorder(environment: environment, rate: rate) }

    private var socket: String { "\(folder)/native" }

    // The server leaves no file behind, however the tests end, and reports when it is ready. norewinds: without it the
    // monitor lacks some of each onset.
    private static let script = """
        trap 'kill "$server" 2>/dev/null; wait "$server"; [ -e "$1/kept" ] || rm -rf "$1"' TERM
        rm -f "$1/kept"
        pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --log-level=info --log-target=stderr \
            -L "module-null-sink sink_name=phone rate=$2 channels=1 channel_map=mono format=s16le norewinds=1" \
            -L "module-native-protocol-unix auth-anonymous=1 socket=$1/native" \
            2> >(sed -u -n -e "w $1/log" -e 's/.*\\(Daemon startup complete\\).*/\\1/p') &
        server=$!
        echo "$server"
        wait "$server"
        """
}

/// A sound server that ended while starting.
struct SoundServerFailure: Error {
    /// The server's log.
    let log: String
}

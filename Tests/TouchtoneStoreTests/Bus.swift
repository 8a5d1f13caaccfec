// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// A session bus for tests, which replaces the user's in this process and starts nothing automatically.
///
/// There is only one, and it stays, because GLib connects to the session bus once and ends the process with it.
final class Bus {
    private static let variable = "DBUS_SESSION_BUS_ADDRESS"
    // Only its constants are used, on any thread of the tests.
    nonisolated(unsafe) private static let started = Result { try Bus() }
    private let daemon: Child
    private let address: String
    private let home = Home()

    /// Hides every bus from this process.
    static func useNone() { setenv(variable, "unix:path=/nonexistent", 1) }

    /// Starts the bus on first use.
    static func start() throws -> Bus { try started.get() }

    private init() throws {
        for (program, package) in [
            ("dbus-daemon", "dbus-daemon"), ("gnome-keyring-daemon", "gnome-keyring"),
            ("secret-tool", "libsecret-tools"), ("gdbus", "libglib2.0-bin"),
        ] { try Peer.require(program, package: package) }
        try home.write(
            """
            <busconfig><type>session</type><listen>unix:dir=\(home.folder)</listen><auth>EXTERNAL</auth>
            <servicedir>\(home.folder)/services</servicedir><limit name="service_start_timeout">300</limit>
            <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
            </busconfig>
            """, to: "\(home.folder)/bus.conf")
        try FileManager.default.createDirectory(
            atPath: "\(home.folder)/services", withIntermediateDirectories: true)
        daemon = try Child([
            "dbus-daemon", "--nofork", "--config-file=\(home.folder)/bus.conf", "--print-address=1",
        ])
        guard let address = daemon.readLine() else {
            throw MissingPeer(name: "dbus-daemon", package: "dbus-daemon")
        }
        self.address = address
        setenv(Self.variable, address, 1)
    }

    private var services: String { "\(home.folder)/services" }

    /// Makes the bus start a program on request of a name.
    func offer(_ name: String, by command: String) throws {
        try home.write("[D-BUS Service]\nName=\(name)\nExec=\(command)\n", to: "\(services)/\(name).service")
        try reload()
    }

    /// Withdraws the offer.
    func withdraw(_ name: String) {
        try? home.remove("\(services)/\(name).service")
        try? reload()
    }

    private func reload() throws {
        let bus = "org.freedesktop.DBus"
        try run([
            "gdbus", "call", "--session", "--dest", bus, "--object-path", "/org/freedesktop/DBus", "--method",
            "\(bus).ReloadConfig",
        ])
    }

    /// Runs a program on the bus and returns its output.
    @discardableResult
    func run(_ command: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: address]) { $1 }
        let (text, output) = (Pipe(), Pipe())
        process.standardInput = text
        process.standardOutput = output
        try process.run()
        try text.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try text.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said
    }

    /// A monitor of all traffic on the bus.
    final class Monitor {
        private let child: Child
        private let file: String

        fileprivate init(on bus: Bus) throws {
            file = "\(bus.home.folder)/monitor-\(UUID())"
            child = try Child(
                ["sh", "-c", "exec dbus-monitor --session > \(file)"],
                environment: [Bus.variable: bus.address])
            // Requests are recorded only once it listens.
            for _ in 0..<100 where !(heard().contains("member=GetId")) {
                try bus.run([
                    "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
                    "--method", "org.freedesktop.DBus.GetId",
                ])
            }
        }

        private func heard() -> String {
            String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data(), as: UTF8.self)
        }

        /// Ends the monitor, and returns the recorded traffic.
        func end() -> String {
            child.end()
            return heard()
        }
    }

    /// Starts a monitor of all traffic on the bus.
    func monitor() throws -> Monitor { try Monitor(on: self) }

    /// gnome-keyring, unlocked and empty.
    final class KeyringDaemon {
        private let daemon: Child
        private let home = Home()

        /// Starts the daemon, and waits until it is on the bus.
        init(on bus: Bus) throws {
            // An empty password unlocks the keyring that it creates.
            try home.write("\n", to: "\(home.folder)/password")
            let command =
                "exec gnome-keyring-daemon --unlock --foreground --components=secrets < \(home.folder)/password"
            daemon = try Child(
                ["sh", "-c", command],
                environment: [
                    "HOME": home.folder, "XDG_RUNTIME_DIR": home.folder,
                    "XDG_DATA_HOME": "\(home.folder)/data",
                    "DISPLAY": "",
                ])
            try bus.run(["gdbus", "wait", "--session", "--timeout=60", "org.freedesktop.secrets"])
        }

        /// Ends the daemon; the bus stays.
        func end() { daemon.end() }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A system bus for tests, which replaces the machine's in this process while it exists.
public final class SystemBus {
    private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"
    private let daemon: Child
    private let service: Child

    /// Starts the bus with a substitute for RealtimeKit, Tests/Tools/realtimekit.py.
    ///
    /// - Parameter granting: Whether requests for priority are granted.
    /// - Throws: `MissingPeer` if D-Bus or Python's GLib is not installed.
    public init(granting: Bool) throws {
        try Peer.require("dbus-daemon", package: "dbus-daemon")
        daemon = try Child(["dbus-daemon", "--session", "--nofork", "--print-address=1"])
        guard let address = daemon.readLine() else {
            throw MissingPeer(name: "dbus-daemon", package: "dbus-daemon")
        }
        let program = "\(Checkout.folder)/Tests/Tools/realtimekit.py"
        service = try Child(
            ["/usr/bin/python3", program, granting ? "grant" : "refuse"],
            environment: [Self.variable: address])
        guard service.readLine() == "ready" else {
            throw MissingPeer(name: "GLib for Python", package: "python3-gi")
        }
        setenv(Self.variable, address, 1)
    }

    /// Sets the process's bus address; "unix:path=/nonexistent" stands for no bus.
    public static func use(_ address: String) { setenv(variable, address, 1) }

    /// A request to RealtimeKit.
    public struct Request: Decodable {
        /// The calling process.
        public let process: Int32
        /// The thread to raise.
        public let thread: Int32
        /// The requested priority.
        public let priority: Int
        /// The soft and the hard RLIMIT_RTTIME of the process, in microseconds or "unlimited".
        public let limits: [String]
    }

    /// Waits for the next request and returns it.
    public func nextRequest() throws -> Request {
        try JSONDecoder().decode(Request.self, from: Data((service.readLine() ?? "").utf8))
    }

    /// Ends the bus; the process then has none.
    public func end() {
        service.end()
        daemon.end()
        Self.use("unix:path=/nonexistent")
    }
}

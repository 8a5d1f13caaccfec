// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A system bus of the tests' own, which takes the machine's place for this process while it is there.
public final class SystemBus {
    private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"
    private let daemon: Child
    private let service: Child

    /// Starts the bus with RealtimeKit's stand-in on it, Tests/Tools/realtimekit.py.
    ///
    /// - Parameter granting: whether priority is given to those who ask.
    /// - Throws: `MissingPeer` where D-Bus or Python's GLib is not installed.
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

    /// Gives the process an address of a bus; "unix:path=/nonexistent" is none.
    public static func use(_ address: String) { setenv(variable, address, 1) }

    /// A call of RealtimeKit's.
    public struct Request: Decodable {
        /// The calling process.
        public let process: Int32
        /// The thread to be raised.
        public let thread: Int32
        /// The priority that is wanted.
        public let priority: Int
        /// The soft and the hard RLIMIT_RTTIME of the process, in microseconds or "unlimited".
        public let limits: [String]
    }

    /// The next call, which it waits for.
    public func nextRequest() throws -> Request {
        try JSONDecoder().decode(Request.self, from: Data((service.readLine() ?? "").utf8))
    }

    /// Ends the bus; no bus is in its place.
    public func end() {
        service.end()
        daemon.end()
        Self.use("unix:path=/nonexistent")
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GLibBridge
import TestSupport

/// A session bus with Evolution Data Server, whose address books are in the test's own folder.
final class DesktopBus {
    private let folder: String
    private let daemon: Child
    private let environment: [String: String]
    private var readers: [Child] = []

    /// Starts the bus.
    ///
    /// - Parameter hasService: Whether the bus starts the service on request.
    init(hasService: Bool = true) throws {
        try Peer.require("dbus-daemon", package: "dbus-daemon")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())").path
        var home = ["GSETTINGS_BACKEND": "memory", "GIO_USE_VFS": "local", "DISPLAY": ""]
        for name in ["HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            home[name] = "\(folder)/\(name)"
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let file = "\(folder)/bus.conf"
        try """
        <busconfig><type>session</type><listen>unix:dir=\(folder)</listen><auth>EXTERNAL</auth>
        \(hasService ? "<standard_session_servicedirs/>" : "")
        <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
        </busconfig>
        """.write(toFile: file, atomically: true, encoding: .utf8)
        daemon = try Child(
            ["dbus-daemon", "--nofork", "--config-file=\(file)", "--print-address=1"], environment: home)
        guard let address = daemon.readLine() else {
            throw MissingPeer(name: "dbus-daemon", package: "dbus-daemon")
        }
        home["DBUS_SESSION_BUS_ADDRESS"] = address
        environment = home
    }

    /// Ends the bus, and the services with it.
    func end() {
        readers.forEach { $0.end() }
        daemon.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts the program that prints the events of the address books.
    func watch() throws -> Child {
        let reader = try Child(
            ["\(LibraryFolders.standard.first ?? ".")/bookreader", "watch"],
            environment: environment.merging(["G_DEBUG": "fatal-criticals"]) { $1 })
        readers.append(reader)
        return reader
    }

    /// Runs another program that changes the address books, and returns its output by line.
    @discardableResult
    func address(_ arguments: String...) throws -> [String] {
        let program = "\(Checkout.folder)/Tests/Tools/address_book.py"
        return try output(of: ["/usr/bin/python3", program] + arguments, environment: environment)
            .split(separator: "\n").map(String.init)
    }
}

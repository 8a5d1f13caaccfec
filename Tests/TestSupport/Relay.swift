// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A relay between a client and a server whose connections the test can break: Tests/Tools/relay.py.
public final class Relay {
    /// The port on 127.0.0.1.
    public let port: UInt16
    private let child: Child
    private let control: String

    /// Starts a relay.
    public init(to target: UInt16) throws {
        control = try TemporaryFolders.make("touchtone-relay") + "/control"
        child = try Child([
            "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/relay.py", "\(target)", control,
        ])
        guard let port = child.readLine().flatMap({ UInt16($0) }) else {
            throw MissingPeer(name: "python3", package: "python3")
        }
        self.port = port
    }

    /// Breaks all connections, and returns when they are broken.
    public func breakConnections() { tell("cut") }

    /// Swallows from now on what both sides send, until the connections are broken.
    public func swallow() { tell("drop") }

    private func tell(_ command: String) {
        // Without a reader, this fails instead of waiting for one.
        let pipe = open(control, O_WRONLY | O_NONBLOCK)
        guard pipe >= 0 else { return }
        _ = write(pipe, command + "\n", command.utf8.count + 1)
        close(pipe)
        _ = child.readLine()
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A server that does what a script says, also what no server should: Tests/Tools/scripted_server.py.
public final class ScriptedServer: @unchecked Sendable {  // what changes is behind `lock`
    /// Where it listens, on 127.0.0.1.
    public let port: UInt16
    private let child: Child
    private let lock = NSLock()
    private var said = ""

    /// Starts it; each connection takes the next script.
    ///
    /// - Parameter said: called whenever it has said something, on any thread.
    public init(_ scripts: [String], said wake: @escaping @Sendable () -> Void) throws {
        child = try Child(
            [
                "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/scripted_server.py",
                try TestCertificates.folder(),
            ]
                + scripts)
        guard let port = child.readLine().flatMap({ UInt16($0) }) else {
            throw MissingPeer(name: "python3", package: "python3")
        }
        self.port = port
        child.output.readabilityHandler = { [weak self] handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            self?.lock.withLock { self?.said += text }
            wake()
        }
    }

    /// What it has said so far: the words of the scripts, `flooded BYTES`, `end`.
    public var output: [String] { lock.withLock { said.split(separator: "\n").map(String.init) } }

    /// Ends it.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }
}

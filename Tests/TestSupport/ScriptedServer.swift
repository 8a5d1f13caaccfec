// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A server that follows a script, even against the protocol: Tests/Tools/scripted_server.py.
public final class ScriptedServer: @unchecked Sendable {  // `lock` guards all mutable state.
    /// The port on 127.0.0.1.
    public let port: UInt16
    private let child: Child
    private let lock = NSLock()
    private var said = ""

    /// Starts a server; each connection runs the next script.
    ///
    /// - Parameter said: The closure to call after each output, on any thread.
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

    /// The output so far: the words of the scripts, `flooded BYTES`, `end`.
    public var output: [String] { lock.withLock { said.split(separator: "\n").map(String.init) } }

    /// Ends the server.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }
}

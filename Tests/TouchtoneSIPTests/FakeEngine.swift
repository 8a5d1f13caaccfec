// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import SIPMessages

@testable import TouchtoneSIP

/// A launcher of engines that the test scripts: each is the other end of a socket pair, without a process.
@MainActor
final class FakeLauncher: EngineLauncher {
    var isAvailable = true
    /// Whether launches fail.
    var isBroken = false
    private(set) var engines: [FakeEngine] = []

    var engine: FakeEngine? { engines.last }

    func launch() throws(GLibError) -> LaunchedEngine {
        guard !isBroken else { throw GLibError(domain: "test", message: "no memory") }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw GLibError(domain: "test", message: "no socket pair")
        }
        let engine = FakeEngine(ends[1])
        engines.append(engine)
        return LaunchedEngine(
            socket: ends[0], kill: { engine.isKilled = true }, handledMessage: { engine.handledMessage })
    }
}

/// The engine's end of the connection.
@MainActor
final class FakeEngine {
    private let socket: Int32
    private var splitter = LineSplitter()
    private var received: [SIPCommand] = []
    var isKilled = false
    /// The fingerprint of the message that it is handling.
    var handledMessage: Int?
    /// Whether the phone has closed the connection.
    private(set) var isClosed = false

    init(_ socket: Int32) { self.socket = socket }

    isolated deinit { if !isClosed { close(socket) } }

    /// The commands so far.
    var commands: [SIPCommand] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isClosed {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { die() }
            guard count > 0 else { break }
            received += splitter.lines(after: buffer[..<count]).compactMap { MessageCoding.message(in: $0) }
        }
        return received
    }

    /// The commands since the last call of this method.
    func takeCommands() -> [SIPCommand] {
        defer { received = [] }
        return commands
    }

    func say(_ event: SIPEvent) { if let line = MessageCoding.line(for: event) { write(line) } }

    func write(_ bytes: [UInt8]) { _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Ends as a process that is killed.
    func die() {
        guard !isClosed else { return }
        isClosed = true
        close(socket)
    }
}

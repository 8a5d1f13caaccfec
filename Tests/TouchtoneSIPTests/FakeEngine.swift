// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import HelperMessages
import SIPMessages

@testable import TouchtoneHelpers

/// A launcher of engines that the test scripts: each is the other end of a socket pair, without a process.
@MainActor
final class FakeLauncher: HelperLauncher {
    var isAvailable = true
    /// Whether launches fail.
    var isBroken = false
    private(set) var engines: [FakeEngine] = []

    var engine: FakeEngine? { engines.last }

    func launch() throws(GLibError) -> LaunchedHelper {
        guard !isBroken else { throw GLibError(domain: "test", message: "no memory") }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw GLibError(domain: "test", message: "no socket pair")
        }
        let engine = FakeEngine(ends[1])
        engines.append(engine)
        return LaunchedHelper(
            socket: ends[0], kill: { engine.isKilled = true }, note: { engine.handledMessage })
    }
}

/// The engine's end of the connection.
@MainActor
final class FakeEngine {
    private let socket: Int32
    private var splitter = LineSplitter()
    private var received: [SIPCommand] = []
    private var questions: [Int] = []
    private var start: SIPConfiguration?
    var isKilled = false
    /// The fingerprint of the message that it is handling.
    var handledMessage: Int?
    /// Whether the phone has closed the connection.
    private(set) var isClosed = false

    init(_ socket: Int32) { self.socket = socket }

    isolated deinit { if !isClosed { close(socket) } }

    /// The configuration with which the phone has started it; nil if it has not.
    var configuration: SIPConfiguration? {
        read()
        return start
    }

    /// The commands so far.
    var commands: [SIPCommand] {
        read()
        return received
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isClosed {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { die() }
            guard count > 0 else { break }
            for line in splitter.lines(after: buffer[..<count]) {
                switch MessageCoding.message(in: line, as: HelperCommand<SIPHelper>.self) {
                case .start(_, let configuration): start = configuration
                case .heartbeat(let number): questions.append(number)
                case .command(let command): received.append(command)
                case nil: break
                }
            }
        }
    }

    /// The commands since the last call of this method.
    func takeCommands() -> [SIPCommand] {
        defer { received = [] }
        return commands
    }

    /// The numbers of the questions whether it still works, since the last call of this method.
    func takeQuestions() -> [Int] {
        read()
        defer { questions = [] }
        return questions
    }

    func say(_ event: SIPEvent) { say(.event(event)) }

    func say(_ event: HelperEvent<SIPHelper>) { if let line = MessageCoding.line(for: event) { write(line) } }

    func write(_ bytes: [UInt8]) { _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Ends as a process that is killed.
    func die() {
        guard !isClosed else { return }
        isClosed = true
        close(socket)
    }
}

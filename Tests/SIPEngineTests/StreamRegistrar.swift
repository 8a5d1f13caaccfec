// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Foundation
import Glibc
import TestSupport

/// A registrar over TCP, on loopback, which accepts one registration on each connection.
final class StreamRegistrar {
    /// The port on the address.
    let port: UInt16
    /// The address.
    let host: String
    private let listener: Int32
    private var connections: [Connection] = []
    /// The connection in use: the one that was accepted last, or that of the last registration.
    ///
    /// The engine also connects to find out whether the registrar is there.
    private var current = -1

    /// A connection of an engine.
    private struct Connection {
        let descriptor: Int32
        var received = ""
        var isOpen = true

        mutating func takeMessage() -> String? {
            // Keep-alives stand between messages.
            received = String(received.unicodeScalars.drop { $0 == "\r" || $0 == "\n" })
            guard let end = received.range(of: "\r\n\r\n")?.upperBound else { return nil }
            let length = Int(ScriptedRegistrar.field("Content-Length", in: String(received[..<end]))) ?? 0
            let body = received[end...].utf8
            guard body.count >= length else { return nil }
            let last = body.index(body.startIndex, offsetBy: length)
            defer { received = String(received[last...]) }
            return String(received[..<last])
        }

        /// Reads what has come, or notes the end; one of both is there.
        mutating func read() {
            if let bytes = readBytes(from: descriptor, until: Date(timeIntervalSinceNow: 1)) {
                received += String(decoding: bytes, as: UTF8.self)
            } else {
                isOpen = false
            }
        }
    }

    /// Creates a registrar.
    init(host: String = "127.0.0.1") throws {
        self.host = host
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try ScriptedRegistrar.bind(listener, to: host)
        listen(listener, 4)
    }

    deinit { for descriptor in connections.map(\.descriptor) + [listener] { close(descriptor) } }

    /// Accepts the next connection and the registration on it.
    ///
    /// Returns the request; nil if none comes in time.
    func acceptRegistration() -> String? {
        guard accept(), let text = receive("REGISTER ") else { return nil }
        let contact = ScriptedRegistrar.field("Contact", in: text)
        let isSent = send(
            ScriptedRegistrar.response(to: text, "200 OK", "Contact: \(contact);expires=600\r\n"))
        return isSent ? text : nil
    }

    /// Returns the next registration, whose connection is in use from then on; nil if none comes in time.
    func receiveRegistration(until deadline: Date) -> String? {
        receive("REGISTER ", onAnyUntil: deadline)
    }

    /// Accepts connections and the registrations on them until a message comes that begins with a text.
    ///
    /// Returns the message, whose connection is in use from then on; nil if none comes in time.
    func register(until start: String, seconds: Double = 10) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while let message = receive("", onAnyUntil: deadline) {
            if message.hasPrefix(start) { return message }
            guard message.hasPrefix("REGISTER ") else { continue }
            // The address of an earlier connection is removed.
            let contact = message.components(separatedBy: "\r\n").last {
                $0.hasPrefix("Contact:") && !$0.contains(";expires=0")
            }
            send(ScriptedRegistrar.response(to: message, "200 OK", "\(contact ?? "")\r\nExpires: 600\r\n"))
        }
        return nil
    }

    private func receive(_ start: String, onAnyUntil deadline: Date) -> String? {
        while true {
            for index in connections.indices.reversed() {
                while let message = connections[index].takeMessage() {
                    guard message.hasPrefix(start) else { continue }
                    current = index
                    return message
                }
            }
            let open = connections.indices.filter { connections[$0].isOpen }
            var polled = ([listener] + open.map { connections[$0].descriptor }).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let rest = deadline.timeIntervalSinceNow
            guard rest > 0, poll(&polled, nfds_t(polled.count), Int32(rest * 1_000) + 1) > 0 else {
                return nil
            }
            for (index, entry) in zip(open, polled.dropFirst()) where entry.revents != 0 {
                connections[index].read()
            }
            if polled[0].revents != 0 { takeConnection() }
        }
    }

    /// Accepts the next connection.
    ///
    /// Returns whether one comes in time.
    func accept() -> Bool {
        guard waitForInput(listener, until: Date(timeIntervalSinceNow: 10)) else { return false }
        takeConnection()
        current = connections.count - 1
        return true
    }

    private func takeConnection() {
        connections.append(Connection(descriptor: Glibc.accept(listener, nil, nil)))
    }

    /// Returns the next message on the connection in use that begins with a text; nil if none comes in time.
    func receive(_ start: String, seconds: Double = 10) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        guard current >= 0 else { return nil }
        while true {
            while let message = connections[current].takeMessage() {
                if message.hasPrefix(start) { return message }
            }
            guard connections[current].isOpen, waitForInput(connections[current].descriptor, until: deadline)
            else { return nil }
            connections[current].read()
        }
    }

    /// Sends a text on the connection in use.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends bytes on the connection in use.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        current >= 0
            && Glibc.send(connections[current].descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                == bytes.count
    }

    /// Ends the connection in use.
    func disconnect() {
        guard current >= 0 else { return }
        shutdown(connections[current].descriptor, Int32(SHUT_RDWR))
        connections[current].received = ""
        connections[current].isOpen = false
    }
}

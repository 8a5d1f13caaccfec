// SPDX-License-Identifier: GPL-3.0-or-later

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
    private var connections: [Int32] = []
    private var received = ""

    /// Creates a registrar.
    init(host: String = "127.0.0.1") throws {
        self.host = host
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try ScriptedRegistrar.bind(listener, to: host)
        listen(listener, 4)
    }

    deinit { for descriptor in connections + [listener] { close(descriptor) } }

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

    /// Returns the next registration, on the last connection or on a new one, which is the last from then on; nil if none
    /// comes in time.
    func receiveRegistration(until deadline: Date) -> String? {
        var isOpen = !connections.isEmpty
        while true {
            while let message = takeMessage() { if message.hasPrefix("REGISTER ") { return message } }
            var polled = [listener, isOpen ? connections.last ?? -1 : -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let rest = deadline.timeIntervalSinceNow
            guard rest > 0, poll(&polled, 2, Int32(rest * 1_000) + 1) > 0 else { return nil }
            if polled[0].revents != 0 {
                connections.append(Glibc.accept(listener, nil, nil))
                received = ""
                isOpen = true
            } else if let bytes = connections.last.flatMap({ readBytes(from: $0, until: deadline) }) {
                received += String(decoding: bytes, as: UTF8.self)
            } else {
                isOpen = false
            }
        }
    }

    /// Accepts the next connection.
    ///
    /// Returns whether one comes in time.
    func accept() -> Bool {
        guard waitForInput(listener, until: Date(timeIntervalSinceNow: 10)) else { return false }
        connections.append(Glibc.accept(listener, nil, nil))
        received = ""
        return true
    }

    /// Returns the next message on the last connection that begins with a text; nil if none comes in time.
    func receive(_ start: String, seconds: Double = 10) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        guard let connection = connections.last else { return nil }
        while true {
            while let message = takeMessage() { if message.hasPrefix(start) { return message } }
            guard let bytes = readBytes(from: connection, until: deadline) else { return nil }
            received += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Sends a text on the last connection.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends bytes on the last connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        connections.last.map {
            Glibc.send($0, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        } ?? false
    }

    /// Ends the last connection.
    func disconnect() { if let connection = connections.last { shutdown(connection, Int32(SHUT_RDWR)) } }

    private func takeMessage() -> String? {
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
}

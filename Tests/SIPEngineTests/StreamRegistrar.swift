// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// A registrar over TCP, on loopback, which accepts one registration on each connection.
final class StreamRegistrar {
    /// The port on 127.0.0.1.
    let port: UInt16
    private let listener: Int32
    private var connections: [Int32] = []

    /// Creates a registrar.
    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try ScriptedRegistrar.bind(listener, to: "127.0.0.1")
        listen(listener, 4)
    }

    deinit { for descriptor in connections + [listener] { close(descriptor) } }

    /// Accepts the next connection and the registration on it.
    ///
    /// Returns the request; nil if none comes in time.
    func acceptRegistration() -> String? {
        let deadline = Date(timeIntervalSinceNow: 10)
        guard waitForInput(listener, until: deadline) else { return nil }
        let connection = accept(listener, nil, nil)
        connections.append(connection)
        var text = ""
        while !text.hasSuffix("\r\n\r\n") {
            guard let bytes = readBytes(from: connection, until: deadline) else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
        let contact = ScriptedRegistrar.field("Contact", in: text)
        let response = Array(
            ScriptedRegistrar.response(to: text, "200 OK", "Contact: \(contact);expires=600\r\n").utf8)
        return write(connection, response, response.count) == response.count ? text : nil
    }
}

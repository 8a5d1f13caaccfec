// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport

/// A registrar over UDP, on loopback, that the test operates by hand: it can send anything.
final class ScriptedRegistrar {
    /// The port.
    let port: UInt16
    private let descriptor: Int32
    private var engine = sockaddr_in()
    private var branches = 0
    private var requests: Set<String> = []

    /// The address.
    let host: String

    /// Creates a registrar.
    init(host: String = "127.0.0.1") throws {
        self.host = host
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        port = try Self.bind(descriptor, to: host)
    }

    deinit { close(descriptor) }

    /// Accepts the next registration, and remembers the engine's port.
    ///
    /// - Parameter expires: The time of the registration, in seconds.
    func acceptRegistration(expires: Int = 600) -> Bool {
        guard let request = receive(where: { $0.hasPrefix("REGISTER ") }) else { return false }
        reply(to: request, "200 OK", "Contact: \(Self.field("Contact", in: request));expires=\(expires)\r\n")
        return true
    }

    /// Sends to the engine that another registrar knows.
    func meet(_ other: ScriptedRegistrar) { engine = other.engine }

    /// Sends a text to the engine.
    func send(_ text: String) { send(Array(text.utf8), from: descriptor) }

    /// Sends bytes to the engine.
    func send(_ bytes: [UInt8]) { send(bytes, from: descriptor) }

    /// Sends texts to the engine from another address of this machine, without waiting for answers.
    ///
    /// - Parameter rate: The number of texts in a second.
    func sendAsStranger(_ texts: [String], rate: Double) throws {
        let stranger = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(stranger) }
        _ = try Self.bind(stranger, to: "127.0.0.2")
        for text in texts {
            send(Array(text.utf8), from: stranger)
            // The rate is what the test is about.
            usleep(useconds_t(1_000_000 / rate))
        }
    }

    /// Returns the next message for which a condition is true; nil if none comes in time.
    ///
    /// A request that is sent again, as after half a second without a response, counts once: on a busy machine, it may arrive
    /// after its response has left.
    func receive(seconds: Double = 10, where condition: (String) -> Bool = { _ in true }) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while let bytes = receiveBytes(until: deadline) {
            let text = String(decoding: bytes, as: UTF8.self)
            let isNew = text.hasPrefix("SIP/2.0 ") || requests.insert(text).inserted
            if isNew, condition(text) { return text }
        }
        return nil
    }

    /// Returns whether a request is sent again.
    func receiveAgain(_ request: String) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 10)
        while let bytes = receiveBytes(until: deadline) {
            if String(decoding: bytes, as: UTF8.self) == request { return true }
        }
        return false
    }

    /// Returns whether a message is an attempt to register.
    ///
    /// liblinphone 5.3 also ends a registration that the server has refused, without a password.
    static func isAttempt(_ message: String) -> Bool {
        message.hasPrefix("REGISTER ")
            && (field("Expires", in: message) != "0" || message.contains("uthorization:"))
    }

    /// Returns the next message; nil if none comes in time.
    func receiveBytes(until deadline: Date = Date(timeIntervalSinceNow: 10)) -> [UInt8]? {
        while true {
            guard waitForInput(descriptor, until: deadline) else { return nil }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            var sender = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = withUnsafeMutablePointer(to: &sender) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
                }
            }
            guard count > 0 else { continue }
            if engine.sin_port == 0 { engine = sender }
            return Array(bytes.prefix(count))
        }
    }

    /// Answers a request.
    func reply(
        to request: String, _ status: String, _ fields: String = "", body: String = "",
        tag: String = "registrar"
    ) {
        send(Self.response(to: request, status, fields, body: body, tag: tag))
    }

    /// Returns the response to a request.
    static func response(
        to request: String, _ status: String, _ fields: String = "", body: String = "",
        tag: String = "registrar"
    ) -> String {
        var to = field("To", in: request)
        if !to.contains("tag="), !status.hasPrefix("100") { to += ";tag=\(tag)" }
        let vias = request.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("via:") }
        return "SIP/2.0 \(status)\r\n" + vias.map { $0 + "\r\n" }.joined()
            + "From: \(field("From", in: request))\r\nTo: \(to)\r\n"
            + "Call-ID: \(field("Call-ID", in: request))\r\nCSeq: \(field("CSeq", in: request))\r\n"
            + fields + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    /// Answers an INVITE with a session.
    ///
    /// - Parameters:
    ///   - tag: The tag of this far end in its dialog.
    ///   - contact: The address for requests in the dialog, if it is not this one.
    func answer(
        _ invite: String, session: String = ScriptedRegistrar.session, tag: String = "registrar",
        contact: String? = nil
    ) {
        reply(
            to: invite, "200 OK",
            "Contact: <sip:far@\(contact ?? "\(host):\(port)")>\r\nContent-Type: application/sdp\r\n",
            body: session, tag: tag)
    }

    /// The name and address of the caller, unless a test says another.
    static let caller = "\"Caller\" <sip:caller@127.0.0.1>"

    /// Returns a request to the engine, which a test may spoil before it sends it.
    func request(
        _ method: String, callID: String = UUID().uuidString, sequence: Int = 1, branch: String? = nil,
        fields: String = "", body: String = "", from: String = caller,
        toTag: String = ""
    ) -> String {
        branches += 1
        let branch = branch ?? "z9hG4bK-\(branches)-\(callID)"
        return "\(method) sip:alice@127.0.0.1:\(UInt16(bigEndian: engine.sin_port)) SIP/2.0\r\n"
            + "Via: SIP/2.0/UDP \(host):\(port);branch=\(branch)\r\n"
            + "From: \(from);tag=caller\r\nTo: <sip:alice@127.0.0.1>\(toTag)\r\n"
            + "Call-ID: \(callID)\r\nCSeq: \(sequence) \(method)\r\nContact: <sip:caller@127.0.0.1:\(port)>\r\n"
            + "Max-Forwards: 70\r\n" + fields
            + (body.isEmpty ? "" : "Content-Type: application/sdp\r\n")
            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    /// Returns a report of a transfer (RFC 3515, section 2.4.5) in a call.
    func report(_ status: String, callID: String, sequence: Int, toTag: String) -> String {
        request(
            "NOTIFY", callID: callID, sequence: sequence,
            fields: "Event: refer\r\nSubscription-State: active;expires=60\r\n", body: status, toTag: toTag
        ).replacingOccurrences(of: "application/sdp", with: "message/sipfrag")
    }

    /// Sends a request to which a working engine responds.
    ///
    /// Returns whether it does.
    ///
    /// It is sent twice, as after half a second without a response: belle-sip loses what follows some malformed messages.
    func isAnswered() -> Bool {
        let callID = UUID().uuidString
        let text = request("OPTIONS", callID: callID)
        send(text)
        send(text)
        return receive { $0.hasPrefix("SIP/2.0 ") && $0.contains(callID) } != nil
    }

    /// A session with one plain codec.
    static let session = session(port: 40_000)

    /// Returns a session with one plain codec, whose media arrives at a port.
    static func session(port: UInt16, direction: String = "sendrecv") -> String {
        """
        v=0\r
        o=- 1 1 IN IP4 127.0.0.1\r
        s=-\r
        c=IN IP4 127.0.0.1\r
        t=0 0\r
        m=audio \(port) RTP/AVP 8 101\r
        a=rtpmap:8 PCMA/8000\r
        a=rtpmap:101 telephone-event/8000\r
        a=\(direction)\r

        """
    }

    /// Returns the value of a field; empty if it is missing.
    static func field(_ name: String, in message: String) -> String {
        let start = name.lowercased() + ":"
        let line = message.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(start) }
        return line.map { $0.dropFirst(start.count).trimmingCharacters(in: .whitespaces) } ?? ""
    }

    /// Returns the tag in a field; empty if there is none.
    static func tag(of field: String, in message: String) -> String {
        let parts = Self.field(field, in: message).components(separatedBy: ";tag=")
        return parts.count > 1 ? String(parts[1].prefix { $0 != ";" }) : ""
    }

    private func send(_ bytes: [UInt8], from descriptor: Int32) {
        var target = engine
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Binds a socket to a free port of an address of this machine.
    ///
    /// Returns the port.
    static func bind(_ descriptor: Int32, to host: String) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, length) + getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
        return UInt16(bigEndian: address.sin_port)
    }
}

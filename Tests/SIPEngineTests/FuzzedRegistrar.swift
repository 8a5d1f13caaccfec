// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport

/// The registrar of a fuzzed engine, over UDP, TCP or TLS.
final class FuzzedRegistrar {
    /// Whether it has a connection to the engine, on which one message can spoil the next.
    var isStream: Bool { stream != nil }
    /// The port, which is in all messages.
    var port: UInt16 { relay?.port ?? stream?.port ?? texts.port }

    private let transport: SIPAccount.Transport
    private let texts: ScriptedRegistrar
    private var stream: StreamRegistrar?
    private var relay: TLSRelay?

    /// Creates a registrar.
    init(_ transport: SIPAccount.Transport) throws {
        self.transport = transport
        texts = try ScriptedRegistrar()
        guard transport != .udp else { return }
        let stream = try StreamRegistrar()
        self.stream = stream
        if transport == .tls { relay = try TLSRelay(to: stream.port) }
    }

    /// Registers an account of alice.
    ///
    /// Returns whether the engine reports that it is registered.
    func register(_ engine: EngineProcess) -> Bool {
        setAccount(of: engine) && engine.waitForRegistration() == .registered
    }

    /// Sets the account, and accepts its registration.
    ///
    /// Returns whether the engine registers it.
    func setAccount(of engine: EngineProcess) -> Bool {
        let host = transport == .tls ? "localhost" : "127.0.0.1"
        engine.send(
            .setAccount(
                SIPAccount(
                    id: "alice", address: "sip:alice@127.0.0.1", registrar: "sip:\(host):\(port)",
                    transport: transport, encryption: .offered), password: "x"))
        while let request = receiveRegistration(seconds: 20) {
            acceptRegistration(request)
            // The one that it replaces is removed before.
            if ScriptedRegistrar.field("Expires", in: request) != "0" { return true }
        }
        return false
    }

    /// Ends the connection, and waits until the engine has registered again.
    func connectAgain() -> Bool {
        guard let stream else { return false }
        stream.disconnect()
        guard let request = receiveRegistration(seconds: 60) else { return false }
        acceptRegistration(request)
        return true
    }

    /// Returns the next registration; nil if none comes in time.
    ///
    /// The engine may have made a new connection for it.
    func receiveRegistration(seconds: Double) -> String? {
        guard let stream else {
            return texts.receive(seconds: seconds) { $0.hasPrefix("REGISTER ") }
        }
        return stream.receiveRegistration(until: Date(timeIntervalSinceNow: seconds))
    }

    /// Responds to a registration as the engine wants it.
    func acceptRegistration(_ request: String) {
        let contact = ScriptedRegistrar.field("Contact", in: request)
        send(ScriptedRegistrar.response(to: request, "200 OK", "Contact: \(contact);expires=600\r\n"))
    }

    /// Sends a text to the engine.
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes to the engine.
    func send(_ bytes: [UInt8]) {
        guard let stream else { return texts.send(bytes) }
        stream.send(bytes)
    }

    /// Returns the next message for which a condition is true; nil if none comes in time.
    func receive(seconds: Double, where condition: (String) -> Bool) -> String? {
        guard let stream else { return texts.receive(seconds: seconds, where: condition) }
        let deadline = Date(timeIntervalSinceNow: seconds)
        while let text = stream.receive("", seconds: deadline.timeIntervalSinceNow) {
            if condition(text) { return text }
        }
        return nil
    }

    /// Returns a request to the engine.
    func request(
        _ method: String, callID: String = UUID().uuidString, sequence: Int = 1, branch: String? = nil,
        fields: String = "", body: String = "", toTag: String = ""
    ) -> String {
        let text = texts.request(
            method, callID: callID, sequence: sequence, branch: branch, fields: fields, body: body,
            toTag: toTag)
        guard isStream else { return text }
        return text.replacingOccurrences(
            of: "SIP/2.0/UDP 127.0.0.1:\(texts.port)",
            with: "SIP/2.0/\(transport.rawValue.uppercased()) 127.0.0.1:\(port)"
        ).replacingOccurrences(of: ":\(texts.port)>", with: ":\(port)>")
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// An independent SIP phone: baresip, on loopback, which its control port operates.
public final class Baresip {
    private let child: Child
    private let control: Int32
    private var received: [UInt8] = []
    private var events: [[String: Any]] = []

    /// Starts a phone that is registered as a user of a server.
    ///
    /// - Parameter options: The further parameters of the account, such as `;mediaenc=srtp-mand`.
    /// - Throws: `MissingPeer` if it is not installed.
    public init(user: String, server: UInt16, answers: Bool = true, options: String = "") throws {
        try Peer.require("baresip", package: "baresip-core")
        let folder = try TemporaryFolders.make("touchtone-baresip")
        let ports = freePorts(2)
        var text = try String(
            contentsOfFile: "\(Checkout.folder)/Tests/Peers/baresip.config", encoding: .utf8)
        for (key, value) in ["PORT": "\(ports[0])", "CONTROL": "\(ports[1])"] {
            text = text.replacingOccurrences(of: "@\(key)@", with: value)
        }
        try text.write(toFile: "\(folder)/config", atomically: true, encoding: .utf8)
        let proxy = "sip:127.0.0.1:\(server);transport=udp"
        let account =
            "<sip:\(user)@\(Kamailio.domain);transport=udp>;auth_user=\(user);auth_pass=pw-\(user);outbound=\"\(proxy)\""
            + ";regint=600;answermode=\(answers ? "auto" : "manual");audio_codecs=opus/48000/2,pcma,pcmu;dtmfmode=rtpevent"
            + options + "\n"
        try account.write(toFile: "\(folder)/accounts", atomically: true, encoding: .utf8)
        child = try Child(["bash", "-c", Self.script, "bash", folder])
        try child.waitForLine { $0.contains(" 200 OK ") }
        child.output.readabilityHandler = { _ = $0.availableData }
        control = try Self.connect(to: ports[1])
    }

    /// Gives a command of baresip's menu, such as `dial`, and returns when it was executed.
    public func command(_ name: String, _ parameters: String = "") {
        let request: [String: Any] = ["command": name, "params": parameters, "token": "t"]
        guard let body = try? JSONSerialization.data(withJSONObject: request) else { return }
        let text = Array("\(body.count):".utf8) + Array(body) + [UInt8(ascii: ",")]
        _ = write(control, text, text.count)
    }

    /// Waits for an event and returns its parameter, or nil if it does not come in time.
    ///
    /// Earlier events are skipped.
    public func wait(for type: String, seconds: Double = 10) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            while !events.isEmpty {
                let event = events.removeFirst()
                if event["type"] as? String == type { return event["param"] as? String ?? "" }
            }
            guard receive(until: deadline) else { return nil }
        }
    }

    /// Forgets the events so far, such as those of an earlier test.
    public func forgetEvents() {
        while receive(until: Date()) {}
        events = []
    }

    /// Ends the phone.
    public func end() {
        close(control)
        child.output.readabilityHandler = nil
        child.end()
    }

    // It unregisters when it ends, and waits long for a server that has ended before. A second signal ends it at once.
    private static let script = """
        trap 'kill "$phone"; sleep 0.2; kill "$phone"; wait "$phone"; exit' TERM
        stdbuf -oL baresip -f "$1" 2>&- &
        phone=$!
        wait "$phone"
        """

    private func receive(until deadline: Date) -> Bool {
        guard let bytes = readBytes(from: control, until: deadline) else { return false }
        received += bytes
        // Netstrings: LENGTH:TEXT,
        while let colon = received.firstIndex(of: UInt8(ascii: ":")),
            let length = Int(String(decoding: received[..<colon], as: UTF8.self)),
            received.count >= colon + length + 2
        {
            let text = Data(received[(colon + 1)...(colon + length)])
            received.removeFirst(colon + length + 2)
            if let event = try? JSONSerialization.jsonObject(with: text) as? [String: Any] {
                events.append(event)
            }
        }
        return true
    }

    private static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw MissingPeer(name: "baresip with ctrl_tcp", package: "baresip-core") }
        return descriptor
    }
}

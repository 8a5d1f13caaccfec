// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A SIP peer that follows a script, even against the protocol: SIPp, with a scenario of Tests/Peers.
public final class SIPp {
    /// The port on its address.
    public let port: UInt16
    private let child: Child

    /// Starts a peer that waits for requests.
    ///
    /// - Parameter values: The values of the scenario's names between @.
    /// - Throws: `MissingPeer` if it is not installed.
    public init(_ scenario: String, values: [String: String] = [:]) throws {
        try Peer.require("sipp", package: "sip-tester")
        var text = try String(
            contentsOfFile: "\(Checkout.folder)/Tests/Peers/\(scenario).xml", encoding: .utf8)
        for (key, value) in values { text = text.replacingOccurrences(of: "@\(key)@", with: value) }
        let folder = try TemporaryFolders.make("touchtone-sipp")
        try text.write(toFile: "\(folder)/scenario.xml", atomically: true, encoding: .utf8)
        var (child, ports) = try Self.start(in: folder)
        var attempts = 1
        while child.readLine() != "ready", attempts < 5 {
            (child, ports) = try Self.start(in: folder)
            attempts += 1
        }
        (self.child, port) = (child, ports[0])
        child.output.readabilityHandler = { _ = $0.availableData }
    }

    private static func start(in folder: String) throws -> (Child, [UInt16]) {
        let ports = freePorts(2)
        let child = try Child([
            "bash", "-c", script, "bash", folder, "\(ports[0])", "sipp", "-sf", "scenario.xml", "-i",
            "127.0.0.1",
            "-p", "\(ports[0])", "-mp", "\(ports[1] & 0xfffe)", "-m", "1", "-nostdin", "-nd",
        ])
        return (child, ports)
    }

    /// Ends the peer.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }

    // SIPp does not say when it listens.
    private static let script = """
        cd "$1" && port=$(printf '%04X' "$2") && shift 2 || exit
        trap 'kill "$peer" 2>/dev/null; wait "$peer"; exit' TERM
        TERM=dumb "$@" >/dev/null 2>&1 &
        peer=$!
        # Another process may have taken the port meanwhile.
        owns() {
            inode=$(awk -v port=":$port" 'index($2, port) { print $10 }' /proc/net/udp | head -n 1)
            [ -n "$inode" ] && ls -l "/proc/$peer/fd" 2>/dev/null | grep -qF "socket:[$inode]"
        }
        until owns || ! kill -0 "$peer" 2>/dev/null; do sleep 0.02; done
        kill -0 "$peer" 2>/dev/null || exit
        echo ready
        wait "$peer"
        """
}

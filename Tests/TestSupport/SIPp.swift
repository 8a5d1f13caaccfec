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
        let ports = Prosody.freePorts(2)
        port = ports[0]
        var text = try String(
            contentsOfFile: "\(Checkout.folder)/Tests/Peers/\(scenario).xml", encoding: .utf8)
        for (key, value) in values { text = text.replacingOccurrences(of: "@\(key)@", with: value) }
        let folder = try TemporaryFolders.make("touchtone-sipp")
        try text.write(toFile: "\(folder)/scenario.xml", atomically: true, encoding: .utf8)
        child = try Child([
            "bash", "-c", Self.script, "bash", folder, "\(port)", "sipp", "-sf", "scenario.xml", "-i",
            "127.0.0.1",
            "-p", "\(port)", "-mp", "\(ports[1] & 0xfffe)", "-m", "1", "-nostdin", "-nd",
        ])
        while let line = child.readLine(), line != "ready" {}
        child.output.readabilityHandler = { _ = $0.availableData }
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
        until grep -q ":$port " /proc/net/udp || ! kill -0 "$peer" 2>/dev/null; do sleep 0.02; done
        echo ready
        wait "$peer"
        """
}

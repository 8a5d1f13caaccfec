// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A SIP peer that follows a script, even against the protocol: SIPp, with a scenario of Tests/Peers.
public final class SIPp {
    /// The port on its address.
    public let port: UInt16
    private let child: Child

    /// Starts a peer that waits for requests.
    ///
    /// - Parameter keys: The values of the scenario's words in brackets.
    /// - Throws: `MissingPeer` if it is not installed.
    public init(_ scenario: String, keys: [String: String] = [:], calls: Int = 1) throws {
        try Peer.require("sipp", package: "sip-tester")
        let ports = Prosody.freePorts(2)
        port = ports[0]
        child = try Child(
            [
                "bash", "-c", Self.script, "bash", "\(port)", "sipp", "-sf",
                "\(Checkout.folder)/Tests/Peers/\(scenario).xml", "-i", "127.0.0.1", "-p", "\(port)", "-mp",
                "\(ports[1] & 0xfffe)", "-m", "\(calls)", "-nostdin", "-nd",
            ] + keys.flatMap { ["-key", $0.key, $0.value] })
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
        port=$(printf '%04X' "$1"); shift
        trap 'kill "$peer" 2>/dev/null; wait "$peer"; exit' TERM
        cd /tmp && TERM=dumb "$@" >/dev/null 2>&1 &
        peer=$!
        until grep -q ":$port " /proc/net/udp || ! kill -0 "$peer" 2>/dev/null; do sleep 0.02; done
        echo ready
        wait "$peer"
        """
}

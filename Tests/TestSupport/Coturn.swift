// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// An independent TURN server: coturn, at an address of this machine, with the user `ada` and the password `relayed`.
public final class Coturn {
    /// The address and the port for UDP.
    public let address: String
    /// The port for UDP.
    public let port: UInt16
    private let child: Child

    /// Starts a server, and returns when it listens.
    ///
    /// - Parameters:
    ///   - network: The machines of which the second one has it; nil for this one.
    ///   - secret: The secret from which names and passwords are made for a time, in place of the user’s.
    /// - Throws: `MissingPeer` if it is not installed.
    public init(in network: WatchedNetwork? = nil, secret: String? = nil) throws {
        try Peer.require("turnserver", package: "coturn")
        let folder = try TemporaryFolders.make("touchtone-coturn")
        let port = freePorts(1)[0]
        let host = network == nil ? Self.host : WatchedNetwork.otherAddress
        (self.port, address) = (UInt16(port), "\(host):\(port)")
        let users = secret.map { ["--use-auth-secret", "--static-auth-secret=\($0)"] }
        let command = [
            "bash", "-c", Self.script, "bash", "\(port)", "turnserver", "-n", "--realm=example.test",
            "--listening-ip=\(host)", "--relay-ip=\(host)",
            "--listening-port=\(port)",
            "--no-cli", "--no-tls", "--no-dtls", "--log-file=stdout", "--pidfile=\(folder)/pid",
            "--userdb=\(folder)/db",
        ]
        child = try Child(
            (network?.otherPrefix ?? []) + command + (users ?? ["--lt-cred-mech", "--user=ada:relayed"]))
        try child.waitForLine { $0 == "ready" }
        child.output.readabilityHandler = { _ = $0.availableData }
    }

    /// The machine's IPv4 address, other than the loopback interface's if it has another.
    public static let host: String = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return "127.0.0.1" }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap({ $0?.pointee })
        where entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0 {
            guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            if getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 {
                return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        return "127.0.0.1"
    }()

    /// Ends the server.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }

    // It does not say when it listens.
    private static let script = """
        port=$(printf '%04X' "$1") && shift || exit
        trap 'kill "$server" 2>/dev/null; wait "$server"; exit' TERM
        "$@" >/dev/null 2>&1 &
        server=$!
        until grep -q ":$port " /proc/net/udp || ! kill -0 "$server" 2>/dev/null; do sleep 0.02; done
        echo ready
        wait "$server"
        """
}

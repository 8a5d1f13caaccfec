// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// An independent TURN server: coturn, at an address of this machine, with the user `ada` and the password `relayed`.
public final class Coturn {
    /// The address and the port for UDP.
    public let address: String
    private let child: Child

    /// Starts a server, and returns when it listens.
    ///
    /// - Throws: `MissingPeer` if it is not installed.
    public init() throws {
        try Peer.require("turnserver", package: "coturn")
        let folder = try TemporaryFolders.make("touchtone-coturn")
        let port = Prosody.freePorts(1)[0]
        address = "\(Self.host):\(port)"
        child = try Child([
            "bash", "-c", Self.script, "bash", "\(port)", "turnserver", "-n", "--lt-cred-mech",
            "--user=ada:relayed",
            "--realm=example.test", "--listening-ip=\(Self.host)", "--relay-ip=\(Self.host)",
            "--listening-port=\(port)",
            "--no-cli", "--no-tls", "--no-dtls", "--log-file=stdout", "--pidfile=\(folder)/pid",
            "--userdb=\(folder)/db",
        ])
        while let line = child.readLine(), line != "ready" {}
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

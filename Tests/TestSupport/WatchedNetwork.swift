// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization

/// Two machines with networks of their own, of which the first tells who sends datagrams to whom:
/// Tests/Tools/watched_network.py.
public final class WatchedNetwork {
    /// A datagram’s way.
    public struct Path: Hashable, Sendable {
        public let source: String
        public let sourcePort: UInt16
        public let target: String
        public let targetPort: UInt16
    }

    /// The addresses of the machines.
    public static let address = "192.0.2.10", otherAddress = "192.0.2.20"

    /// The commands that execute a program on the machines.
    public let prefix, otherPrefix: [String]
    private let child: Child
    private let seen = Seen()

    /// Root needs no users of its own for it, which a chroot does not allow.
    private static let isRoot = geteuid() == 0
    private static let isolated = ["unshare", "--net"] + (isRoot ? [] : ["--map-root-user"])

    /// Whether the system allows it, and its kernel has the interfaces, which is not known without ip(8).
    public static let isAllowed = (try? output(of: isolated + ["sh", "-c", probe])) != nil
    private static let probe =
        "PATH=$PATH:/usr/sbin:/sbin; ! command -v ip >/dev/null || ip link add call0 type veth peer name call1"

    /// Starts a network.
    ///
    /// - Throws: `MissingPeer` if a program is not installed.
    public init() throws {
        try Peer.require("ip", package: "iproute2")
        child = try Child(Self.isolated + ["\(Checkout.folder)/Tests/Tools/watched_network.py"])
        let processes = child.readLine()?.split(separator: " ").compactMap { Int32($0) } ?? []
        guard processes.count == 2 else { throw MissingPeer(name: "a network of its own", package: "none") }
        let prefixes = processes.map {
            ["nsenter", "--target", "\($0)", "--net"]
                + (Self.isRoot ? [] : ["--user", "--preserve-credentials"])
        }
        (prefix, otherPrefix) = (prefixes[0], prefixes[1])
        child.output.readabilityHandler = { [seen] in seen.add($0.availableData) }
    }

    /// The ways of the datagrams so far.
    public var paths: Set<Path> {
        let text = seen.text.withLock { String(decoding: $0, as: UTF8.self) }
        return Set(
            text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 4, let source = UInt16(words[1]), let target = UInt16(words[3]) else {
                    return nil
                }
                return Path(source: words[0], sourcePort: source, target: words[2], targetPort: target)
            })
    }

    /// Changes the network of the first machine, with a command of ip(8).
    public func run(_ command: String) throws {
        _ = try output(
            of: prefix + ["env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip"]
                + command.split(separator: " ").map(String.init))
    }

    /// Stops to watch; the programs in the network keep it.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }
}

/// The text that the tool has written, which comes on a thread of Foundation.
private final class Seen: Sendable {
    let text = Mutex(Data())

    func add(_ data: Data) { text.withLock { $0 += data } }
}

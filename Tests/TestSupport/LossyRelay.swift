// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A relay of datagrams between one client and a server, which loses some of them: Tests/Tools/lossy_relay.py.
public final class LossyRelay {
    /// The port on 127.0.0.1.
    public let port: UInt16
    /// The port on 127.0.0.1 from which it sends to the server.
    public let farPort: UInt16
    private let child: Child

    /// Starts a relay.
    ///
    /// - Parameters:
    ///   - loss: The share of datagrams to lose, in per cent.
    ///   - losesAllButDTLS: Whether it loses everything but DTLS (RFC 7983).
    public init(to target: UInt16, loss: Int, seed: Int = 1, losesAllButDTLS: Bool = false) throws {
        child = try Child(
            [
                "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/lossy_relay.py", "\(target)", "\(loss)",
                "\(seed)",
            ] + (losesAllButDTLS ? ["dtls"] : []))
        guard let port = child.readLine().flatMap({ UInt16($0) }),
            let farPort = child.readLine().flatMap({ UInt16($0) })
        else {
            throw MissingPeer(name: "python3", package: "python3")
        }
        (self.port, self.farPort) = (port, farPort)
    }

    /// Ends the relay.
    public func end() { child.end() }
}

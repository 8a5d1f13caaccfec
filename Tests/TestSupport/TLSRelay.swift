// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A relay from TLS to a TCP port on loopback: Tests/Tools/tls_relay.py.
public final class TLSRelay {
    /// The port on 127.0.0.1, whose certificate is for `localhost`.
    public let port: UInt16
    private let child: Child

    /// Starts a relay.
    public init(to target: UInt16) throws {
        child = try Child([
            "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/tls_relay.py", try TestCertificates.folder(),
            "good", "\(target)",
        ])
        guard let port = child.readLine().flatMap({ UInt16($0) }) else {
            throw MissingPeer(name: "python3", package: "python3")
        }
        self.port = port
    }

    deinit { child.end() }
}

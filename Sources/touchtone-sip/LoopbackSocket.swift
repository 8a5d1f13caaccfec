// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc

/// A UDP socket at 127.0.0.1 that exchanges datagrams with one other port there: the kernel drops what others send.
final class LoopbackSocket {
    let descriptor: Int32
    let port: UInt16
    /// The port to which the socket is connected; 0 before it is.
    private var otherPort: UInt16 = 0

    /// Opens a socket at a port that the kernel chooses; nil on failure.
    init?() {
        let made = socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard made >= 0 else { return nil }
        guard Self.address(port: 0, { bind(made, $0, $1) }) == 0 else {
            close(made)
            return nil
        }
        (descriptor, port) = (made, SIPAddress.localPort(of: made))
    }

    deinit { close(descriptor) }

    /// Exchanges datagrams with a port from now on.
    func connect(to port: UInt16) {
        guard port != otherPort, Self.address(port: port, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            return
        }
        otherPort = port
    }

    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Returns the next datagram that waits; nil if none does.
    func receive() -> [UInt8]? {
        // The socket has no datagrams before it is connected but those that strangers have sent.
        guard otherPort != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        // The engine's socket was closed, for a moment.
        if count < 0, errno == ECONNREFUSED {
            count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        }
        return count >= 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func address(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

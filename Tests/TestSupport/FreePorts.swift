// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Returns ports of this machine that were free for TCP and UDP a moment ago.
///
/// They are below those that the kernel gives to outgoing connections (32768 and up): between this call and the start of a
/// server, a connection of another test could take one of those.
public func freePorts(_ count: Int) -> [UInt16] {
    var ports: [UInt16] = []
    while ports.count < count {
        let port = UInt16.random(in: 16_384..<32_768)
        if !ports.contains(port), isFree(port, SOCK_STREAM), isFree(port, SOCK_DGRAM) { ports.append(port) }
    }
    return ports
}

private func isFree(_ port: UInt16, _ type: __socket_type) -> Bool {
    let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

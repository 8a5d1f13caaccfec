// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// A network address without a port; IPv4 addresses are mapped to IPv6 (RFC 4291, section 2.5.5.2).
struct SIPAddress: Hashable {
    private let bytes: [UInt8]

    /// Creates an address from its text, without brackets; nil for a name.
    init?(numeric text: String) {
        var address = in6_addr()
        guard
            inet_pton(AF_INET6, text, &address) == 1
                || text.first != ":" && inet_pton(AF_INET6, "::ffff:\(text)", &address) == 1
        else { return nil }
        bytes = withUnsafeBytes(of: &address) { Array($0) }
    }

    /// Creates the address of a socket; nil if it is not an Internet address.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET6:
            bytes = withUnsafeBytes(of: &storage) { Array($0[8..<24]) }
        case AF_INET:
            bytes =
                Array(repeating: 0, count: 10) + [255, 255]
                + withUnsafeBytes(of: &storage) { Array($0[4..<8]) }
        default:
            return nil
        }
    }

    /// The sender of the last response to REGISTER on a connection; nil if none came since the last call.
    static func takeRegistrar() -> SIPAddress? {
        var address = in6_addr()
        return sipshims_take_registrar(&address) ? SIPAddress(address) : nil
    }

    private init(_ address: in6_addr) { bytes = withUnsafeBytes(of: address) { Array($0) } }

    /// The address for system calls.
    var value: in6_addr {
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes) }
        return address
    }

    /// Returns the local port of a socket; 0 if it has none.
    static func localPort(of descriptor: Int32) -> UInt16 {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { return 0 }
        // The port is at the same place in both families.
        return withUnsafeBytes(of: &name) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}

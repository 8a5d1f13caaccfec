// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// The rule on network addresses that untrusted links may lead to.
enum AddressRule {
    /// Returns whether an address, of 4 or 16 bytes, is of the public internet, and not of this computer, its
    /// network or nobody (RFC 6890, and IANA's registries for special purposes).
    static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublic4(bytes)
        case 16: isPublic6(bytes)
        default: false
        }
    }

    /// Returns whether a host is a name that may be looked up, or a public address in any notation that the system reads.
    ///
    /// A connection through a proxy is not checked in any other way.
    static func mayAsk(for host: String) -> Bool {
        let labels = host.split(separator: ".")
        guard labels.last != "localhost" else { return false }
        return literal(host).map(isPublic) ?? true
    }

    /// Returns the bytes of an address in any notation, such as `127.1`, `0x7f000001` or `::1`; nil for a name.
    static func literal(_ host: String) -> [UInt8]? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET6, host, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        if inet_aton(host, &four) != 0 { return withUnsafeBytes(of: four) { Array($0) } }
        return nil
    }

    private static func isPublic4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 168, _): false
        // Carriers’ networks, protocol assignments, documentation, benchmarks.
        case (100, 64...127, _), (192, 0, 0), (192, 0, 2), (198, 18...19, _), (198, 51, 100), (203, 0, 113):
            false
        // Relays from IPv6.
        case (192, 88, 99): false
        // Multicast, reserved and broadcast.
        case (224..., _, _): false
        default: true
        }
    }

    private static func isPublic6(_ bytes: [UInt8]) -> Bool {
        // An IPv4 address: mapped, or translated by the network (RFC 6052).
        if bytes.starts(with: mapped) || bytes.starts(with: translated) {
            return isPublic4(Array(bytes[12...]))
        }
        // 6to4.
        if bytes.starts(with: [0x20, 0x02]) { return isPublic4(Array(bytes[2..<6])) }
        // Only 2000::/3 is assigned to the internet.
        guard (0x20...0x3f).contains(bytes[0]) else { return false }
        // Protocol assignments and Teredo in 2001::/23, and documentation.
        if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] < 2 { return false }
        return !bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8])
            && !(bytes[0] == 0x3f && bytes[1] == 0xff && bytes[2] < 16)
    }

    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    private static let translated: [UInt8] = [0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8)
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc
import SIPMessages

/// A search, by a connection, for the reason why a server was not reached, which liblinphone does not tell.
struct ServerProbe {
    enum Outcome {
        case failure(SIPFailure)
        /// NAPTR records of the domain lead to the servers of another domain.
        case otherDomain(String)
    }

    let host: String
    let port: UInt16
    let transport: SIPAccount.Transport
    /// Whether the server was found by DNS, and not by NAPTR records.
    let usesNAPTR: Bool

    /// The longest time for a connection, in milliseconds.
    private static let timeout: Int32 = 4_000

    func start() -> Search<Outcome> {
        Search(otherwise: .failure(.noAnswer)) { otherDomain.map { .otherDomain($0) } ?? .failure(search()) }
    }

    /// The domain to which the NAPTR records for the transport lead; nil if there is none.
    ///
    /// Records for other transports do not count: whoever forges DNS could turn off encryption with them.
    private var otherDomain: String? {
        guard usesNAPTR else { return nil }
        let (service, prefix) =
            switch transport {
            case .tls: ("SIPS+D2T", "_sips._tcp.")
            case .tcp: ("SIP+D2T", "_sip._tcp.")
            case .udp: ("SIP+D2U", "_sip._udp.")
            }
        var name = [CChar](repeating: 0, count: Int(sipshims_longest_host) + 1)
        guard sipshims_find_domain(host, service, prefix, &name) else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func search() -> SIPFailure {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list else {
            guard Self.hasNetwork else { return .noNetwork }
            let services = ["_sips._tcp", "_sip._tcp", "_sip._udp"]
            return services.contains { sipshims_has_srv("\($0).\(host)") } ? .noAnswer : .serverNotFound
        }
        defer { freeaddrinfo(list) }
        return transport != .udp && isRefused(first.pointee) ? .connectionRefused : .noAnswer
    }

    /// Whether a network interface other than the loopback has an address that leads to other networks.
    private static var hasNetwork: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = Int32(bitPattern: entry.ifa_flags)
            guard let address = entry.ifa_addr, flags & Int32(IFF_UP) != 0,
                flags & Int32(IFF_LOOPBACK) == 0
            else { continue }
            let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
            guard isIPv6 || Int32(address.pointee.sa_family) == AF_INET else { continue }
            // fe80::/10 is there without a network. The address starts at byte 8.
            let start = UnsafeRawBufferPointer(start: address, count: 10)
            if !isIPv6 || start[8] != 0xfe || start[9] & 0xc0 != 0x80 { return true }
        }
        return false
    }

    private func isRefused(_ address: addrinfo) -> Bool {
        let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return false }
        guard errno == EINPROGRESS else { return errno == ECONNREFUSED }
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard poll(&polled, 1, Self.timeout) > 0,
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0
        else { return false }
        return error == ECONNREFUSED
    }
}

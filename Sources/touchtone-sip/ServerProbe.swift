// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc
import SIPMessages
import Synchronization

/// A search for the reason why a server could not be reached, which liblinphone does not tell.
///
/// It looks for the server's address and connects to it, on a thread of its own.
final class ServerProbe: Sendable {
    private let outcome = Mutex<SIPFailure?>(nil)
    private let host: String
    private let port: UInt16
    private let connects: Bool

    /// The longest time for a connection, in milliseconds.
    private static let timeout: Int32 = 4_000

    /// Starts a search.
    ///
    /// - Parameter connects: Whether the transport has connections.
    init(host: String, port: UInt16, connects: Bool) {
        (self.host, self.port, self.connects) = (host, port, connects)
        let probe = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let probe = Unmanaged<ServerProbe>.fromOpaque(argument).takeRetainedValue()
                let failure = probe.search()
                probe.outcome.withLock { $0 = failure }
                return nil
            }, probe.toOpaque())
        if status == 0 {
            pthread_detach(thread)
        } else {
            probe.release()
            outcome.withLock { $0 = .noAnswer }
        }
    }

    /// The reason; nil while the search goes on.
    var failure: SIPFailure? { outcome.withLock { $0 } }

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
        return connects && isRefused(first.pointee) ? .connectionRefused : .noAnswer
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

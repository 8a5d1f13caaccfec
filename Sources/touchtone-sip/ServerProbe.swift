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
            let services = ["_sips._tcp", "_sip._tcp", "_sip._udp"]
            return services.contains { sipshims_has_srv("\($0).\(host)") } ? .noAnswer : .serverNotFound
        }
        defer { freeaddrinfo(list) }
        return connects && isRefused(first.pointee) ? .connectionRefused : .noAnswer
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

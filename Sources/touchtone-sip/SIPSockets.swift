// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// The sockets of the process that carry SIP, which liblinphone does not tell.
///
/// They are all TCP sockets, and the UDP socket at the engine's SIP port. On that one, the kernel drops what is neither
/// a response nor from a trusted address: strangers cost nothing.
struct SIPSockets {
    private(set) var all: [Int32] = []
    private var datagramSocket: Int32 = -1
    private var filtered: Filter?

    private struct Filter: Equatable {
        let inode: ino_t
        let port: UInt16
        let allowed: Set<SIPAddress>?
        let callers: Set<SIPAddress>?
        let acceptsDirectCalls: Bool
        let endpoint: UInt16
    }

    /// Finds the sockets anew, and filters what strangers send.
    ///
    /// Requests are accepted from `allowed`, and new calls from `callers`, the registrars; nil means all. Both are accepted
    /// from the port `endpoint` at 127.0.0.1, which is of this process; 0 for none.
    mutating func update(
        sipPort: UInt16, allowed: Set<SIPAddress>?, callers: Set<SIPAddress>?, acceptsDirectCalls: Bool,
        endpoint: UInt16
    ) {
        all = []
        datagramSocket = -1
        for descriptor in 3..<EngineConfinement.maximumDescriptors {
            guard let type = option(SO_TYPE, of: descriptor),
                let domain = option(SO_DOMAIN, of: descriptor), domain == AF_INET || domain == AF_INET6
            else { continue }
            if type == Int32(SOCK_STREAM.rawValue) {
                all.append(descriptor)
            } else if type == Int32(SOCK_DGRAM.rawValue), SIPAddress.localPort(of: descriptor) == sipPort {
                all.append(descriptor)
                datagramSocket = descriptor
            }
        }
        var status = stat()
        guard datagramSocket >= 0, fstat(datagramSocket, &status) == 0 else { return }
        let filter = Filter(
            inode: status.st_ino, port: sipPort, allowed: allowed, callers: callers,
            acceptsDirectCalls: acceptsDirectCalls, endpoint: endpoint)
        guard filter != filtered else { return }
        filtered = filter
        apply(filter)
    }

    private func apply(_ filter: Filter) {
        sipshims_guard(datagramSocket)
        sipshims_accept_direct_calls(filter.acceptsDirectCalls)
        sipshims_accept_endpoint(filter.endpoint)
        if let callers = filter.callers {
            let addresses = callers.map(\.value)
            sipshims_accept_calls_from(addresses, addresses.count)
        } else {
            sipshims_accept_all_calls()
        }
        if let allowed = filter.allowed {
            let addresses = allowed.map(\.value)
            if !sipshims_accept_requests_from(datagramSocket, addresses, addresses.count, filter.endpoint) {
                Log.warn("requests of strangers cannot be filtered")
            }
        } else {
            sipshims_accept_all_requests(datagramSocket)
        }
    }

    /// Returns the sender of the response to REGISTER that waits at the UDP socket; empty if none waits.
    func sources() -> Set<SIPAddress> {
        guard datagramSocket >= 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var sender = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = withUnsafeMutablePointer(to: &sender) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(datagramSocket, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT), $0, &length)
            }
        }
        guard count > 12, bytes.starts(with: Array("SIP/2.0 200".utf8)),
            String(decoding: bytes.prefix(count), as: UTF8.self).contains(" REGISTER\r\n"),
            let address = SIPAddress(sender)
        else { return [] }
        return [address]
    }

    private func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
internal import TouchtoneCore

/// The way of a request through redirections, of which none leads to an address without encryption, or to this computer or its
/// network, except on hosts that are trusted.
struct WebRoute {
    static let maximumRedirects = 5

    let request: WebRequest
    let trustedHosts: Set<String>

    /// Returns an address that may be asked.
    func first(_ text: String) throws(FileTransferError) -> WebAddress {
        guard let address = WebAddress(text) else { throw .invalidAddress }
        guard mayAsk(for: address) else { throw .privateAddress }
        return address
    }

    /// Sends a request, and again wherever the server redirects it.
    func follow(
        _ first: WebAddress, _ send: (WebAddress) throws(FileTransferError) -> Void
    ) throws(FileTransferError) {
        var address = first
        for _ in 0...Self.maximumRedirects {
            try send(address)
            switch request.status {
            case 200: return
            case 301, 302, 303, 307, 308: address = try target(of: address)
            default: throw .refused(status: request.status)
            }
        }
        throw .unsafeRedirect
    }

    func isTrusted(_ address: WebAddress) -> Bool { trustedHosts.contains(address.host) }

    private func target(of address: WebAddress) throws(FileTransferError) -> WebAddress {
        guard let location = request.location else { throw .invalidResponse }
        guard let next = address.resolving(location).flatMap({ WebAddress($0) }) else {
            throw .unsafeRedirect
        }
        guard mayAsk(for: next) else { throw .privateAddress }
        return next
    }

    private func mayAsk(for address: WebAddress) -> Bool {
        isTrusted(address) || AddressRule.mayAsk(for: address.host)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

/// One connection to a server: bytes in, bytes out, and TLS on the way.
///
/// Whatever fails, fails for good and with one reason, which all who wait are given.
@MainActor
final class Transport {
    /// The most bytes that wait to be sent: a server that reads no more is lost.
    static let maximumWaiting = 8 << 20
    private static let bytesAtOnce = gsize(16 << 10)

    /// What became of it; nil while it works.
    private(set) var failure: XMPPError?
    /// The host it goes to.
    private(set) var host = ""
    private(set) var isSecure = false
    /// What names the connection under TLS (RFC 5929).
    private(set) var bindings: [ChannelBinding: [UInt8]] = [:]

    private let cancellable = Cancellable()
    /// The connection as a `GIOStream`, with TLS once that is on.
    private var stream: GObjectRef?
    private var outgoing: [UInt8] = []
    private var writer: Task<Void, Never>?

    /// Connects to a host, by whichever of its addresses answers first (RFC 8305, in GIO).
    func connect(to endpoint: Endpoint) async throws(XMPPError) {
        host = endpoint.host
        guard let ascii = g_hostname_to_ascii(endpoint.host) else {
            throw fail(.unreachable(host: endpoint.host, reason: "this is no name of a host"))
        }
        defer { g_free(ascii) }
        let client = GObjectRef(taking: g_socket_client_new())
        let address = GObjectRef(taking: UnsafeMutableRawPointer(g_network_address_new(ascii, endpoint.port)))
        do throws(GLibError) {
            let connection = try await GIO.call { callback, data in
                g_socket_client_connect_async(
                    client.cast(), address.opaque, cancellable.pointer, callback, data)
            } finish: { result, error in
                g_socket_client_connect_finish(client.cast(), result, error)
            }
            stream = connection.map { GObjectRef(taking: $0) }
        } catch {
            throw fail(.unreachable(host: endpoint.host, reason: error.message))
        }
        // It may have been given up while the answer was on its way.
        if let failure { throw failure }
    }

    /// The next bytes; none at the end.
    ///
    /// Not to be called while another call waits.
    func read() async throws(XMPPError) -> [UInt8] {
        if let failure { throw failure }
        guard let stream else { throw fail(.lost("not connected")) }
        do throws(GLibError) {
            let input = g_io_stream_get_input_stream(stream.cast())
            let bytes = try await GIO.call { callback, data in
                g_input_stream_read_bytes_async(
                    input, Self.bytesAtOnce, G_PRIORITY_DEFAULT, cancellable.pointer, callback, data)
            } finish: { result, error in
                g_input_stream_read_bytes_finish(input, result, error)
            }
            defer { g_bytes_unref(bytes) }
            guard failure == nil else { throw GLibError(domain: "transport", message: "given up") }
            var count: gsize = 0
            let data = g_bytes_get_data(bytes, &count)
            return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
        } catch {
            throw fail(.lost(error.message))
        }
    }

    /// Sends bytes, some time; a failure shows in the next read.
    func write(_ text: String) {
        guard failure == nil else { return }
        outgoing += text.utf8
        if outgoing.count > Self.maximumWaiting { abort(.lost("the server takes nothing more")) }
        // What is written in one turn of the loop goes out together.
        if writer == nil { writer = Task { await self.writeAll() } }
    }

    /// Waits until all was handed to the system.
    func flush() async { await writer?.value }

    /// Ends it with a reason; all that waits is given it.
    func abort(_ reason: XMPPError) {
        guard failure == nil else { return }
        failure = reason
        cancellable.cancel()
        outgoing = []
        if let stream {
            // With a cancelled cancellable nothing is waited for: the socket goes with its last reference.
            g_io_stream_close_async(stream.cast(), G_PRIORITY_DEFAULT, cancellable.pointer, nil, nil)
        }
        stream = nil
    }

    private func fail(_ reason: XMPPError) -> XMPPError {
        abort(reason)
        return failure ?? reason
    }

    private func writeAll() async {
        while failure == nil, let stream, !outgoing.isEmpty {
            let bytes = outgoing
            outgoing = []
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            defer { buffer.deallocate() }
            _ = buffer.initialize(from: bytes)
            let output = g_io_stream_get_output_stream(stream.cast())
            do throws(GLibError) {
                _ = try await GIO.call { callback, data in
                    g_output_stream_write_all_async(
                        output, buffer.baseAddress, gsize(buffer.count), G_PRIORITY_DEFAULT,
                        cancellable.pointer, callback, data)
                } finish: { result, error in
                    g_output_stream_write_all_finish(output, result, nil, error)
                }
            } catch {
                abort(.lost(error.message))
            }
        }
        writer = nil
    }

    // MARK: - TLS

    /// Makes the connection secret, and sure of whom it is to.
    ///
    /// - Parameters:
    ///   - domain: whose certificate it has to be: the account's, wherever its server is (RFC 6120 section 13.7.2).
    ///   - announces: whether the handshake tells that XMPP is to come.
    func startTLS(
        domain: String, trust: TrustAnchors, pin: String, announces: Bool
    ) async throws(XMPPError) {
        if let failure { throw failure }
        await flush()
        guard let stream, let ascii = g_hostname_to_ascii(domain) else { throw fail(.lost("not connected")) }
        let name = String(cString: ascii)
        g_free(ascii)
        let check = CertificateCheck(pin: pin)
        do throws(GLibError) {
            let tls = try TLS(over: stream, domain: name, trust: trust, check: check, announces: announces)
            try await tls.handshake(cancellable)
            guard failure == nil else { throw GLibError(domain: "transport", message: "given up") }
            self.stream = tls.stream
            bindings = tls.bindings
            isSecure = true
        } catch {
            throw fail(
                check.problem.map { .certificate($0) } ?? .noSecrecy(host: host, reason: error.message))
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge
import TouchtoneCore

/// One connection to a server, on which TLS can be started.
///
/// Any failure is final. Its one reason is passed to all pending calls.
@MainActor
final class Transport {
    /// The greatest number of bytes that wait to be sent: beyond it, the server no longer reads.
    static let maximumWaiting = 8 << 20
    private static let bytesAtOnce = gsize(16 << 10)

    /// The reason why the connection failed or ended; nil while it works.
    private(set) var failure: XMPPError?
    private(set) var host = ""
    private(set) var isSecure = false
    /// The channel bindings of the connection under TLS (RFC 5929).
    private(set) var bindings: [ChannelBinding: [UInt8]] = [:]
    /// The version of TLS in hex, as in its handshake: “0304” for 1.3; empty without TLS.
    private(set) var version = ""

    private let cancellable = Cancellable()
    /// The connection as a `GIOStream`, with TLS once that has started.
    private var stream: GObjectRef?
    private var outgoing: [UInt8] = []
    private var writer: Task<Void, Never>?

    /// Connects to a host, through the first of its addresses that responds (RFC 8305, in GIO).
    func connect(to endpoint: Endpoint) async throws(XMPPError) {
        host = endpoint.host
        guard let ascii = g_hostname_to_ascii(endpoint.host) else {
            throw fail(.unreachable(host: endpoint.host, reason: localized("not a valid host name")))
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
            let reason = Self.reason(error.message, host: String(cString: ascii))
            throw fail(.unreachable(host: endpoint.host, reason: reason))
        }
        // The connection may have been aborted before GIO's result arrived.
        if let failure { throw failure }
    }

    /// Returns GIO's reason without the host: “Could not connect to HOST: Connection refused”.
    private static func reason(_ message: String, host: String) -> String {
        guard message.contains(host), let reason = message.split(separator: ": ").last else { return message }
        return String(reason)
    }

    /// Reads the next bytes; returns none at the end of the stream; only one call may wait at a time.
    func read() async throws(XMPPError) -> [UInt8] {
        if let failure { throw failure }
        guard let stream else { throw fail(.lost(localized("not connected"))) }
        do throws(GLibError) {
            let input = g_io_stream_get_input_stream(stream.cast())
            let bytes = try await GIO.call { callback, data in
                g_input_stream_read_bytes_async(
                    input, Self.bytesAtOnce, G_PRIORITY_DEFAULT, cancellable.pointer, callback, data)
            } finish: { result, error in
                g_input_stream_read_bytes_finish(input, result, error)
            }
            defer { g_bytes_unref(bytes) }
            guard failure == nil else {
                throw GLibError(domain: "transport", message: localizedIn("connection", "cancelled"))
            }
            var count: gsize = 0
            let data = g_bytes_get_data(bytes, &count)
            return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
        } catch {
            throw fail(.lost(error.message))
        }
    }

    /// Queues text for sending; the next read reports a failure.
    func write(_ text: String) {
        guard failure == nil else { return }
        outgoing += text.utf8
        if outgoing.count > Self.maximumWaiting {
            abort(.lost(localized("the server stopped accepting data")))
        }
        // Everything written in one turn of the loop is sent together.
        if writer == nil { writer = Task { await self.writeAll() } }
    }

    /// Waits until everything is passed to the system.
    func flush() async { await writer?.value }

    /// Ends the connection with an error, which is passed to all pending calls.
    func abort(_ reason: XMPPError) {
        guard failure == nil else { return }
        failure = reason
        cancellable.cancel()
        outgoing = []
        if let stream {
            // With a cancelled cancellable, closing does not wait: the socket closes with its last reference.
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

    /// Starts TLS, and verifies that the server is the right one.
    ///
    /// - Parameters:
    ///   - domain: The account's domain, whatever the server's host name (RFC 6120 section 13.7.2).
    ///   - pin: The fingerprint of the one certificate that needs no verification; empty for none.
    /// - Throws: `XMPPError.certificate` if the certificate is not trusted, otherwise `XMPPError.noSecrecy`.
    func startTLS(domain: String, trust: TrustAnchors, pin: String, announces: Bool) async throws(XMPPError) {
        if let failure { throw failure }
        await flush()
        guard let stream, let ascii = g_hostname_to_ascii(domain) else {
            throw fail(.lost(localized("not connected")))
        }
        let name = String(cString: ascii)
        g_free(ascii)
        let check = CertificateCheck(pin: pin)
        do throws(GLibError) {
            let tls = try TLS(over: stream, domain: name, trust: trust, check: check, announces: announces)
            try await tls.handshake(cancellable)
            guard failure == nil else {
                throw GLibError(domain: "transport", message: localizedIn("connection", "cancelled"))
            }
            self.stream = tls.stream
            (bindings, version) = (tls.bindings, tls.version)
            isSecure = true
        } catch {
            throw fail(
                check.problem.map { .certificate($0) } ?? .noSecrecy(host: host, reason: error.message))
        }
    }
}

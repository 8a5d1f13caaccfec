// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

/// TLS on a connection, through GIO, which uses GnuTLS or OpenSSL.
@MainActor
struct TLS {
    private let connection: GObjectRef

    var stream: GObjectRef { connection }

    /// - Parameters:
    ///   - base: The connection, a `GIOStream`.
    ///   - domain: The domain, in ASCII, that the certificate must be valid for.
    ///   - announces: Whether the handshake announces XMPP (ALPN, XEP-0368).
    /// - Throws: `GLibError` if TLS is not available or the file of authorities cannot be read.
    init(
        over base: GObjectRef, domain: String, trust: TrustAnchors, check: CertificateCheck,
        announces: Bool
    ) throws(GLibError) {
        let identity = GObjectRef(taking: UnsafeMutableRawPointer(g_network_address_new(domain, 5222)))
        let plain = Self.anonymous(base)
        connection = GObjectRef(
            taking: UnsafeMutableRawPointer(
                try GLibError.unwrap { g_tls_client_connection_new(plain.cast(), identity.opaque, $0) }))
        // The socket closes with its last reference.
        g_object_set_data_full(
            connection.object, "touchtone-base", g_object_ref(base.object), g_object_unref)
        if case .file(let path) = trust {
            let database = GObjectRef(
                taking: UnsafeMutableRawPointer(
                    try GLibError.unwrap { g_tls_file_database_new(path, $0) }))
            g_tls_connection_set_database(connection.cast(), database.cast())
        }
        if announces { announce() }
        connect(check)
    }

    /// Returns the streams of a connection without its address.
    ///
    /// With an address, GIO resumes sessions by the tickets of earlier connections to it, and glib-networking 2.74 keeps
    /// those of a server that accepts none, such as Prosody, for ever. It also complains to the log if there is no address
    /// because the connection has been reset.
    private static func anonymous(_ base: GObjectRef) -> GObjectRef {
        GObjectRef(
            taking: UnsafeMutableRawPointer(
                g_simple_io_stream_new(
                    g_io_stream_get_input_stream(base.cast()), g_io_stream_get_output_stream(base.cast()))))
    }

    func handshake(_ cancellable: Cancellable) async throws(GLibError) {
        _ = try await GIO.call {
            g_tls_connection_handshake_async(
                connection.cast(), G_PRIORITY_DEFAULT, cancellable.pointer, $0, $1)
        } finish: {
            g_tls_connection_handshake_finish(connection.cast(), $0, $1)
        }
    }

    /// The version's number in hex (RFC 8446 section 4.2.1); available after the handshake.
    var version: String {
        switch g_tls_connection_get_protocol_version(connection.cast()) {
        case G_TLS_PROTOCOL_VERSION_TLS_1_3: "0304"
        case G_TLS_PROTOCOL_VERSION_TLS_1_2: "0303"
        case G_TLS_PROTOCOL_VERSION_TLS_1_1: "0302"
        case G_TLS_PROTOCOL_VERSION_TLS_1_0: "0301"
        default: ""
        }
    }

    /// The channel bindings of this connection for SASL; available after the handshake.
    var bindings: [ChannelBinding: [UInt8]] {
        // tls-unique does not identify a TLS 1.3 connection. tls-exporter is used only with 1.3, where the handshake
        // needs no extensions for it (RFC 9266 section 4.2).
        let isNew =
            g_tls_connection_get_protocol_version(connection.cast()) == G_TLS_PROTOCOL_VERSION_TLS_1_3
        var found: [ChannelBinding: [UInt8]] = [:]
        for (binding, type) in [
            (
                isNew ? ChannelBinding.exporter : .unique,
                isNew ? Self.exporter : G_TLS_CHANNEL_BINDING_TLS_UNIQUE
            ),
            (.serverEndPoint, G_TLS_CHANNEL_BINDING_TLS_SERVER_END_POINT),
        ] {
            if let data = data(type) { found[binding] = data }
        }
        return found
    }

    /// The number of the binding for TLS 1.3: only GLib 2.74 has the name, and older versions report no such binding.
    private static let exporter = GTlsChannelBindingType(rawValue: 2)

    private func data(_ type: GTlsChannelBindingType) -> [UInt8]? {
        guard let array = g_byte_array_new() else { return nil }
        defer { g_byte_array_unref(array) }
        guard g_tls_connection_get_channel_binding_data(connection.cast(), type, array, nil) != 0,
            array.pointee.len > 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: array.pointee.data, count: Int(array.pointee.len)))
    }

    private func announce() {
        "xmpp-client".withCString { name in
            var names: [UnsafePointer<CChar>?] = [name, nil]
            g_tls_connection_set_advertised_protocols(connection.cast(), &names)
        }
    }

    /// Connects `check`, which decides on a certificate that fails verification, and lives as long as the connection.
    private func connect(_ check: CertificateCheck) {
        g_signal_connect_data(
            // G_CALLBACK: GObject stores functions of all signatures as one type, and calls each with its signal's.
            connection.object, "accept-certificate", unsafeBitCast(Self.decide, to: GCallback.self),
            Unmanaged.passRetained(check).toOpaque(), Self.release, GConnectFlags(rawValue: 0))
    }

    // GIO uses threads of its own, and one of them may release the connection last, so its callbacks are isolated to no
    // actor.
    private nonisolated static let decide:
        @convention(c) (
            UnsafeMutablePointer<GTlsConnection>?, UnsafeMutablePointer<GTlsCertificate>?,
            GTlsCertificateFlags, gpointer?
        ) -> gboolean = { _, certificate, flags, data in
            guard let certificate, let data else { return 0 }
            let check = Unmanaged<CertificateCheck>.fromOpaque(data).takeUnretainedValue()
            return check.accepts(certificate, flags) ? 1 : 0
        }
    private nonisolated static let release:
        @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void =
            { data, _ in
                if let data { Unmanaged<CertificateCheck>.fromOpaque(data).release() }
            }
}

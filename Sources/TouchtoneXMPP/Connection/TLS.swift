// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

/// TLS on a connection: GIO's, which is GnuTLS's or OpenSSL's.
@MainActor
struct TLS {
    private let connection: GObjectRef

    /// The connection, for reading and writing: a `GIOStream`.
    var stream: GObjectRef { connection }

    /// Prepares TLS over a connection.
    ///
    /// - Parameters:
    ///   - domain: whose certificate it has to be, in ASCII.
    ///   - announces: whether the handshake tells that XMPP is to come (ALPN, XEP-0368).
    init(
        over base: GObjectRef, domain: String, trust: TrustAnchors, check: CertificateCheck,
        announces: Bool
    ) throws(GLibError) {
        let identity = GObjectRef(taking: UnsafeMutableRawPointer(g_network_address_new(domain, 5222)))
        connection = GObjectRef(
            taking: UnsafeMutableRawPointer(
                try GLibError.unwrap { g_tls_client_connection_new(base.cast(), identity.opaque, $0) }))
        if case .file(let path) = trust {
            let database = GObjectRef(
                taking: UnsafeMutableRawPointer(
                    try GLibError.unwrap { g_tls_file_database_new(path, $0) }))
            g_tls_connection_set_database(connection.cast(), database.cast())
        }
        if announces { announce() }
        connect(check)
    }

    /// Exchanges keys and checks the certificate.
    func handshake(_ cancellable: Cancellable) async throws(GLibError) {
        _ = try await GIO.call {
            g_tls_connection_handshake_async(
                connection.cast(), G_PRIORITY_DEFAULT, cancellable.pointer, $0, $1)
        } finish: {
            g_tls_connection_handshake_finish(connection.cast(), $0, $1)
        }
    }

    /// What names this very connection, for SASL; after the handshake.
    var bindings: [ChannelBinding: [UInt8]] {
        // tls-unique names nothing under TLS 1.3; tls-exporter is for 1.3 alone, where no more is asked of the
        // handshake (RFC 9266 section 4.2).
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

    /// The binding of TLS 1.3 by its number: the name is in GLib 2.74, and an older one says that it has none.
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

    /// Lets `check` decide on a certificate that fails; it lives as long as the connection.
    private func connect(_ check: CertificateCheck) {
        g_signal_connect_data(
            // G_CALLBACK: GObject keeps functions of all signatures as one type, and calls each by its signal's.
            connection.object, "accept-certificate", unsafeBitCast(Self.decide, to: GCallback.self),
            Unmanaged.passRetained(check).toOpaque(), Self.release, GConnectFlags(rawValue: 0))
    }

    // GIO works on threads of its own, and one of them may be the last to hold the connection: what it calls is bound
    // to no actor.
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

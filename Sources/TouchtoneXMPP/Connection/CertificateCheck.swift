// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Synchronization

/// A server certificate that is not trusted, with the details to show.
struct CertificateProblem: Error, Hashable, Sendable {
    enum Flaw: Hashable, Sendable, CaseIterable {
        /// No trusted authority has signed it.
        case unknownIssuer
        /// It is for a name other than the account's domain.
        case otherName
        case notYetValid
        case expired
        case revoked
        /// Its signature algorithm or key is too weak.
        case insecure
        case other
    }

    /// The reasons not to trust the certificate, the most serious first.
    let flaws: [Flaw]
    /// The SHA-256 fingerprint of the certificate in lower-case hex, for pinning.
    let fingerprint: String
    /// The X.500 name of the subject; empty if there is none.
    let subject: String
    /// The X.500 name of the issuer; empty if there is none.
    let issuer: String
    /// The last day of validity, `YYYY-MM-DD`; empty if there is none.
    let expiry: String
}

/// The authorities whose certificates are trusted.
enum TrustAnchors: Hashable, Sendable {
    case system
    /// The authorities in a PEM file.
    case file(String)
}

/// The decision on a certificate that fails GIO's verification; GIO may call it on a thread of its own.
final class CertificateCheck: Sendable {
    private let pin: String
    private let found = Mutex<CertificateProblem?>(nil)

    /// - Parameter pin: The fingerprint of the one certificate that the user trusts; empty for none.
    init(pin: String) { self.pin = pin.lowercased() }

    var problem: CertificateProblem? { found.withLock { $0 } }

    /// Returns whether the certificate is the pinned one; if not, records the problem.
    func accepts(_ certificate: UnsafeMutablePointer<GTlsCertificate>, _ flags: GTlsCertificateFlags) -> Bool
    {
        let fingerprint = Self.fingerprint(of: certificate)
        if !pin.isEmpty, pin == fingerprint { return true }
        let problem = CertificateProblem(
            flaws: Self.flaws(flags), fingerprint: fingerprint,
            subject: Self.text(g_tls_certificate_get_subject_name(certificate)),
            issuer: Self.text(g_tls_certificate_get_issuer_name(certificate)),
            expiry: Self.day(g_tls_certificate_get_not_valid_after(certificate)))
        found.withLock { $0 = problem }
        return false
    }

    private static func flaws(_ flags: GTlsCertificateFlags) -> [CertificateProblem.Flaw] {
        let table: [(GTlsCertificateFlags, CertificateProblem.Flaw)] = [
            (G_TLS_CERTIFICATE_REVOKED, .revoked), (G_TLS_CERTIFICATE_UNKNOWN_CA, .unknownIssuer),
            (G_TLS_CERTIFICATE_BAD_IDENTITY, .otherName), (G_TLS_CERTIFICATE_EXPIRED, .expired),
            (G_TLS_CERTIFICATE_NOT_ACTIVATED, .notYetValid), (G_TLS_CERTIFICATE_INSECURE, .insecure),
        ]
        let flaws = table.filter { flags.rawValue & $0.0.rawValue != 0 }.map(\.1)
        return flaws.isEmpty ? [.other] : flaws
    }

    private static func fingerprint(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> String {
        var value = GValue()
        g_value_init(&value, g_byte_array_get_type())
        defer { g_value_unset(&value) }
        let object = UnsafeMutableRawPointer(certificate).assumingMemoryBound(to: GObject.self)
        g_object_get_property(object, "certificate", &value)
        guard let data = g_value_get_boxed(&value)?.assumingMemoryBound(to: GByteArray.self) else {
            return ""
        }
        return text(
            g_compute_checksum_for_data(G_CHECKSUM_SHA256, data.pointee.data, gsize(data.pointee.len)))
    }

    private static func day(_ date: OpaquePointer?) -> String {
        guard let date else { return "" }
        defer { g_date_time_unref(date) }
        return text(g_date_time_format(date, "%Y-%m-%d"))
    }

    /// Copies a string, and frees the original.
    private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

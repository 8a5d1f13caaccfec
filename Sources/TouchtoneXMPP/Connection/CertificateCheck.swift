// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import Synchronization

/// A server's certificate that cannot be trusted, for the user to see.
public struct CertificateProblem: Error, Hashable, Sendable {
    /// What is wrong with a certificate; several things can be.
    public enum Flaw: Hashable, Sendable, CaseIterable {
        /// Nobody that this machine trusts has signed it.
        case unknownIssuer
        /// It is for another name than the account's domain.
        case otherName
        /// Its time has not come.
        case notYetValid
        /// Its time is over.
        case expired
        /// Its issuer has taken it back.
        case revoked
        /// It is signed in a way that can be forged.
        case insecure
        /// Something else.
        case other
    }

    /// What is wrong, the worst first.
    public let flaws: [Flaw]
    /// SHA-256 of the certificate, in lower-case hex: what can be pinned.
    public let fingerprint: String
    /// Whom it names, as X.500 writes it; empty if it doesn't.
    public let subject: String
    /// Who signed it; empty if it doesn't say.
    public let issuer: String
    /// The last day of its time, `YYYY-MM-DD`; empty if it doesn't say.
    public let expiry: String
}

/// Which certificates are trusted.
public enum TrustAnchors: Hashable, Sendable {
    /// Those of the system's authorities.
    case system
    /// Those of the authorities in a file of PEM.
    case file(String)
}

/// The decision on a certificate that failed GIO's checks; GIO may ask for it on a thread of its own.
final class CertificateCheck: Sendable {
    private let pin: String
    private let found = Mutex<CertificateProblem?>(nil)

    /// Creates the decision.
    ///
    /// - Parameter pin: the fingerprint of the one certificate that the user wants trusted; empty is none.
    init(pin: String) { self.pin = pin.lowercased() }

    /// What was wrong with a certificate that was refused.
    var problem: CertificateProblem? { found.withLock { $0 } }

    /// Whether the certificate is the pinned one.
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

    /// The text, which is freed.
    private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc
import SIPMessages

/// The certificate authorities that the system trusts.
enum TrustStore {
    /// The file of the authorities; nil if the system has none.
    ///
    /// `SSL_CERT_FILE` names another one, as in OpenSSL.
    static var path: String? {
        let paths = [
            environment("SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt",
            "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ]
        return paths.compactMap { $0 }.first { access($0, R_OK) == 0 }
    }
}

/// The verification of servers' certificates, which liblinphone does not report.
///
/// The TLS library calls back for each certificate of a chain, the server's last, before it refuses the connection.
enum CertificateChecks {
    // Only the main thread uses them: connections to registrars are made in `linphone_core_iterate`.
    private nonisolated(unsafe) static var pending: Set<SIPCertificateFault.Check> = []
    // As above.
    private nonisolated(unsafe) static var fault: SIPCertificateFault?

    /// Notes the results of verifications from now on.
    static func watch() {
        clinphone_watch_certificates { bytes, length, depth, flags in
            CertificateChecks.note(bytes, Int(length), depth: depth, flags: flags?.pointee ?? 0)
            return 0
        }
    }

    /// Removes and returns the fault of the last certificate; nil if there was none since the last call.
    static func takeFault() -> SIPCertificateFault? {
        defer { fault = nil }
        return fault
    }

    private static func note(_ bytes: UnsafePointer<UInt8>?, _ length: Int, depth: CInt, flags: UInt32) {
        pending.formUnion(checks(of: flags))
        guard depth == 0 else { return }
        if pending.isEmpty {
            fault = nil
        } else {
            let order = SIPCertificateFault.Check.allCases
            fault = SIPCertificateFault(
                order.filter(pending.contains), fingerprint: fingerprint(bytes, length))
        }
        pending = []
    }

    private static func checks(of flags: UInt32) -> Set<SIPCertificateFault.Check> {
        var rest = flags
        var checks: Set<SIPCertificateFault.Check> = []
        let known: [(CInt, SIPCertificateFault.Check)] = [
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_NOT_TRUSTED, .notTrusted),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_CN_MISMATCH, .otherName),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_EXPIRED, .expired),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_FUTURE, .notYetValid),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_REVOKED, .revoked),
        ]
        for (flag, check) in known where rest & UInt32(flag) != 0 {
            checks.insert(check)
            rest &= ~UInt32(flag)
        }
        if rest != 0 { checks.insert(.other) }
        return checks
    }

    private static func fingerprint(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        bctbx_sha256(bytes, length, UInt8(digest.count), &digest)
        let digits = Array("0123456789ABCDEF")
        return digest.map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined(separator: ":")
    }
}

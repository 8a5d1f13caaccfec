// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc
import HelperSupport
import SIPMessages

/// The certificate authorities that the system trusts.
enum TrustStore {
    /// The file of the authorities, or that of `SSL_CERT_FILE` as in OpenSSL; nil if the system has none.
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
    /// The failed checks of the present chain.
    private nonisolated(unsafe) static var flags: UInt32 = 0
    // As above.
    /// The last faults of the accounts' servers.
    private nonisolated(unsafe) static var faults: [String: SIPCertificateFault] = [:]
    // As above.
    /// The accounts' servers, each with the fingerprints of certificates that are trusted although they fail.
    private nonisolated(unsafe) static var servers: [String: Set<String>] = [:]

    /// Decides on certificates from now on.
    static func watch() {
        clinphone_watch_certificates { bytes, length, depth, flags in
            if let flags { CertificateChecks.decide(bytes, Int(length), depth: depth, flags: &flags.pointee) }
            return 0
        }
    }

    /// Sets the accounts' servers, each with the fingerprints of certificates that are trusted although they
    /// fail, in lower case and without colons.
    static func set(_ servers: [String: Set<String>]) {
        self.servers = servers
        faults = faults.filter { servers[$0.key] != nil }
    }

    /// Removes and returns the fault of a server's last certificate; nil if there was none since the last call.
    static func takeFault(of server: String) -> SIPCertificateFault? { faults.removeValue(forKey: server) }

    private static func decide(
        _ bytes: UnsafePointer<UInt8>?, _ length: Int, depth: CInt, flags: inout UInt32
    ) {
        Self.flags |= flags
        guard depth == 0 else {
            // The server's own certificate, the last one, decides on the whole chain.
            flags = 0
            return
        }
        flags = Self.flags
        Self.flags = 0
        let server = verifiedServer
        guard let trusted = servers[server] else { return }
        faults[server] = nil
        guard flags != 0 else { return }
        let fingerprint = fingerprint(bytes, length)
        if trusted.contains(fingerprint.lowercased().filter { $0 != ":" }) {
            flags = 0
        } else {
            faults[server] = SIPCertificateFault(checks(of: flags), fingerprint: fingerprint)
        }
    }

    /// The name of the server whose certificate is being verified, in lower case; empty if it is unknown.
    private static var verifiedServer: String {
        var name = [CChar](repeating: 0, count: Int(sipshims_longest_host) + 1)
        sipshims_verified_host(&name)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .lowercased()
    }

    private static func checks(of flags: UInt32) -> [SIPCertificateFault.Check] {
        var rest = flags
        var checks: [SIPCertificateFault.Check] = []
        let known: [(CInt, SIPCertificateFault.Check)] = [
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_NOT_TRUSTED, .notTrusted),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_CN_MISMATCH, .otherName),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_EXPIRED, .expired),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_FUTURE, .notYetValid),
            (BCTBX_CERTIFICATE_VERIFY_BADCERT_REVOKED, .revoked),
        ]
        for (flag, check) in known where rest & UInt32(flag) != 0 {
            checks.append(check)
            rest &= ~UInt32(flag)
        }
        if rest != 0 { checks.append(.other) }
        return checks
    }

    private static func fingerprint(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        bctbx_sha256(bytes, length, UInt8(digest.count), &digest)
        let digits = Array("0123456789ABCDEF")
        return digest.map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined(separator: ":")
    }
}

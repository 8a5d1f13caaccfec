// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Server certificates for tests, created once per run: `good`, `expired`, `early`, `other` and `self`.
public enum TestCertificates {
    /// Returns the folder with a `.crt` and a `.key` of each.
    ///
    /// - Throws: `MissingPeer` if Python's cryptography is not installed.
    public static func folder() throws -> String { try made.get() }

    /// Returns the certificate of the authority that signed all but `self`.
    public static func authority() throws -> String { try folder() + "/authority.crt" }

    /// Returns the SHA-256 fingerprint of the certificate in a file, with colons.
    public static func fingerprint(of path: String) throws -> String {
        let text = try output(of: ["openssl", "x509", "-in", path, "-noout", "-fingerprint", "-sha256"])
        return (text.split(separator: "=").last ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let made = Result {
        let folder = try TemporaryFolders.make("touchtone-certificates")
        do {
            _ = try output(of: [
                "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/make_certificates.py", folder,
            ])
        } catch {
            throw MissingPeer(name: "cryptography for Python", package: "python3-cryptography")
        }
        return folder
    }
}

/// Folders that are removed when the test process ends.
public enum TemporaryFolders {
    /// Creates a folder.
    public static func make(_ name: String) throws -> String {
        var template = Array("/tmp/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A shell removes it when its pipe is closed, which the kernel does however the tests end.
        let remover = Process()
        let leash = Pipe()
        remover.executableURL = URL(fileURLWithPath: "/bin/sh")
        remover.arguments = ["-c", "cat >/dev/null; sleep 1; rm -rf \"$1\"", "sh", folder]
        remover.standardInput = leash
        remover.standardOutput = FileHandle.nullDevice
        remover.standardError = FileHandle.nullDevice
        try remover.run()
        _ = Unmanaged.passRetained(leash)
        return folder
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// An independent SIP registrar and proxy: Kamailio, on loopback.
///
/// Its users are `alice`, `bob`, `carol` and `dave`; the password of `alice` is `pw-alice`, and so on.
public final class Kamailio {
    /// The domain of its users.
    public static let domain = "example.test"
    /// The port for UDP and TCP.
    public let port: UInt16
    /// The ports for TLS, by the name of their certificate in `TestCertificates`.
    public let tlsPorts: [String: UInt16]
    private let folder: String
    private let isOffice: Bool
    private var child: Child?

    /// Starts a server, and returns when it is ready.
    ///
    /// - Parameter isOffice: Whether it tells of the calls of its users (RFC 4235).
    /// - Throws: `MissingPeer` if it is not installed.
    public init(isOffice: Bool = false) throws {
        self.isOffice = isOffice
        try Peer.require("kamailio", package: "kamailio")
        folder = try TemporaryFolders.make("touchtone-kamailio")
        let names = ["good", "expired", "other", "self"]
        let ports = freePorts(names.count + 1)
        port = ports[0]
        tlsPorts = Dictionary(uniqueKeysWithValues: zip(names, ports.dropFirst()))
        try writeFiles()
        try start()
    }

    /// Starts the server again after `kill()`, without the registrations.
    public func start() throws {
        let child = try Child(
            ["bash", "-c", Self.script, "bash", folder], environment: ["PATH": "\(Self.path)"])
        self.child = child
        while let line = child.readLine() {
            if line.contains("READY") {
                child.output.readabilityHandler = { _ = $0.availableData }
                return
            }
        }
        guard isOffice else {
            throw MissingPeer(name: "kamailio with its TLS module", package: "kamailio-tls-modules")
        }
        throw MissingPeer(name: "kamailio with its presence modules", package: "kamailio-presence-modules")
    }

    /// Kills the server.
    public func kill() {
        child?.output.readabilityHandler = nil
        child?.end()
        child = nil
    }

    /// Stops all processes of the server, or lets them continue.
    public func setStopped(_ isStopped: Bool) throws {
        let first = try String(contentsOfFile: "\(folder)/pid", encoding: .utf8)
        guard let parent = pid_t(first.trimmingCharacters(in: .whitespacesAndNewlines)) else { return }
        let children = try output(of: ["ps", "-o", "pid=", "--ppid", "\(parent)"]).split { $0.isWhitespace }
        for process in [parent] + children.compactMap({ pid_t($0) }) {
            Glibc.kill(process, isStopped ? SIGSTOP : SIGCONT)
        }
    }

    deinit { kill() }

    private func writeFiles() throws {
        let certificates = try TestCertificates.folder()
        var text = try String(contentsOfFile: "\(Checkout.folder)/Tests/Peers/kamailio.cfg", encoding: .utf8)
        let values = [
            "FOLDER": folder, "PORT": "\(port)", "TLS": "\(tlsPorts["good"] ?? 0)",
            "EXPIRED": "\(tlsPorts["expired"] ?? 0)", "OTHER": "\(tlsPorts["other"] ?? 0)",
            "SELF": "\(tlsPorts["self"] ?? 0)",
        ]
        if isOffice {
            text = text.replacingOccurrences(of: "#!KAMAILIO\n", with: "#!KAMAILIO\n#!define OFFICE\n")
        }
        for (key, value) in values { text = text.replacingOccurrences(of: "@\(key)@", with: value) }
        try text.write(toFile: "\(folder)/kamailio.cfg", atomically: true, encoding: .utf8)
        var tls = "[server:default]\nmethod = TLSv1.2+\nverify_certificate = no\n"
        tls += "private_key = \(certificates)/good.key\ncertificate = \(certificates)/good.crt\n"
        for (name, port) in tlsPorts {
            tls += """
                [server:127.0.0.1:\(port)]
                method = TLSv1.2+
                verify_certificate = no
                private_key = \(certificates)/\(name).key
                certificate = \(certificates)/\(name).crt

                """
        }
        try tls.write(toFile: "\(folder)/tls.cfg", atomically: true, encoding: .utf8)
        if isOffice {
            // The empty tables that the modules want to see.
            try? FileManager.default.copyItem(
                atPath: "/usr/share/kamailio/dbtext/kamailio", toPath: "\(folder)/db")
        }
        try FileManager.default.createDirectory(atPath: "\(folder)/db", withIntermediateDirectories: true)
        let users = ["alice", "bob", "carol", "dave"].enumerated().map {
            "\($0 + 1):\($1):127.0.0.1:pw-\($1):x:x\n"
        }
        try
            ("id(int,auto) username(string) domain(string) password(string) ha1(string) ha1b(string) \n"
            + users.joined()).write(toFile: "\(folder)/db/subscriber", atomically: true, encoding: .utf8)
        guard !isOffice else { return }
        try "id(int,auto) table_name(string) table_version(int) \n0:version:1\n1:subscriber:7\n".write(
            toFile: "\(folder)/db/version", atomically: true, encoding: .utf8)
    }

    private static var path: String {
        ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"] + ":/usr/sbin:/sbin"
    }

    // Its processes end with the first one. The log goes to the standard output, which the test reads.
    private static let script = """
        trap 'kill "$server" 2>/dev/null; wait "$server"; exit' TERM
        kamailio -f "$1/kamailio.cfg" -DD -E -P "$1/pid" -Y "$1" -w "$1" -m 32 -M 4 2>&1 &
        server=$!
        wait "$server"
        """
}

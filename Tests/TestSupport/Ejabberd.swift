// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A second independent XMPP server for the domain `localhost`: ejabberd, on loopback, without Erlang's distribution and
/// so without its port mapper.
///
/// All tests of the process share one server, which the first of them starts; each test creates its own accounts.
public final class Ejabberd: JabberServer {
    /// The port for STARTTLS, with every version of TLS.
    public let port: UInt16
    /// The port for direct TLS, with TLS 1.2.
    public let directPort: UInt16
    /// The port for components, such as gateways.
    public let componentPort: UInt16
    private let commandPort: UInt16
    private let folder: String
    private let child: Child

    /// Returns the shared server, and starts it on first use.
    ///
    /// - Throws: `MissingPeer` if it is not installed.
    public static func shared() throws -> Ejabberd { try started.get() }

    // A static's initializer runs once. Only the tests' one thread uses it.
    private nonisolated(unsafe) static let started = Result { try Ejabberd() }

    /// Starts a server of its own.
    ///
    /// - Parameters:
    ///   - hash: The hash function of its SCRAM mechanisms: `sha`, `sha256` or `sha512`.
    ///   - issuesTokens: Whether it issues tokens for sign-ins, which `hasTokens` allows.
    ///   - asksForWords: Whether it asks for the words in a picture before it makes an account.
    /// - Throws: `MissingPeer` if it is not installed.
    public init(hash: String = "sha", issuesTokens: Bool = false, asksForWords: Bool = false) throws {
        try Peer.require("ejabberdctl", package: "ejabberd")
        let certificates = try TestCertificates.folder()
        folder = try TemporaryFolders.make("touchtone-ejabberd")
        let ports = freePorts(5)
        (port, directPort, commandPort, componentPort) = (ports[0], ports[1], ports[3], ports[4])
        var configuration = try String(
            contentsOfFile: "\(Checkout.folder)/Tests/Peers/ejabberd.yml", encoding: .utf8)
        if issuesTokens {
            configuration = configuration.replacingOccurrences(
                of: "modules:\n", with: "modules:\n  mod_auth_fast:\n    db_type: mnesia\n")
        }
        if asksForWords {
            configuration = try Self.askingForWords(configuration, in: folder)
        }
        for (key, value) in [
            "CERTIFICATES": certificates, "FOLDER": folder, "HASH": hash, "PLAIN": "\(port)",
            "DIRECT": "\(directPort)", "HTTPS": "\(ports[2])", "COMMANDS": "\(commandPort)",
            "COMPONENT": "\(componentPort)",
        ] {
            configuration = configuration.replacingOccurrences(of: "@\(key)@", with: value)
        }
        try configuration.write(toFile: "\(folder)/ejabberd.yml", atomically: true, encoding: .utf8)
        // Its own script would change to the user of the system's server, and start the port mapper. On disk, each new
        // message of an archive takes as long as reading the archive: 2,500 take minutes.
        child = try Child(
            [
                "erl", "-noinput", "-mnesia", "dir", "\"\(folder)/spool\"", "-s", "ejabberd", "-eval",
                "{atomic, ok} = mnesia:change_table_copy_type(archive_msg, node(), ram_copies), "
                    + "io:format(\"~nready~n\").",
            ],
            environment: [
                "ERL_LIBS": try Self.libraries(), "ERL_CRASH_DUMP": "/dev/null", "HOME": folder,
                "EJABBERD_CONFIG_PATH": "\(folder)/ejabberd.yml",
                "EJABBERD_LOG_PATH": "\(folder)/ejabberd.log",
            ])
        try child.waitForLine { $0 == "ready" }
        child.output.readabilityHandler = { _ = $0.availableData }
    }

    /// Returns a configuration with a program that makes a picture of one pixel, and notes the words that it stands for.
    private static func askingForWords(_ configuration: String, in folder: String) throws -> String {
        let program = "\(folder)/picture"
        let pixel =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
        try """
        #!/bin/sh
        printf %s "$1" >"\(folder)/words"
        echo \(pixel) | base64 -d
        """.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        // ejabberd 24.12 looks for an address of the picture on the web, and ends the stream if there is none.
        return "captcha_cmd: \"\(program)\"\ncaptcha_url: \"https://localhost/captcha\"\n"
            + configuration.replacingOccurrences(
                of: "mod_register: {}", with: "mod_register:\n    captcha_protected: true")
    }

    /// The words in the last picture, if it asks for them.
    public var words: String { (try? String(contentsOfFile: "\(folder)/words", encoding: .utf8)) ?? "" }

    /// Creates an unused account with the password `secret`, and returns its name.
    public func makeAccount(_ prefix: String) throws -> String {
        let name = "\(prefix)-\(UInt32.random(in: 0...UInt32.max))"
        _ = try output(of: [
            "/usr/bin/python3", "-c",
            """
            import json, sys, urllib.request
            data = json.dumps({"user": sys.argv[2], "host": "localhost", "password": "secret"}).encode()
            head = {"Content-Type": "application/json"}
            urllib.request.urlopen(urllib.request.Request(sys.argv[1], data, head)).read()
            """, "http://127.0.0.1:\(commandPort)/api/register", name,
        ])
        return name
    }

    /// Ends the server.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }

    /// Whether its version can issue tokens, and signs in in few round trips, as those since 24.12 do.
    public static var hasTokens: Bool {
        guard let folder = try? libraries() else { return false }
        let files = FileManager.default
        return (try? files.contentsOfDirectory(atPath: folder))?.contains { name in
            name.hasPrefix("ejabberd-")
                && files.fileExists(atPath: "\(folder)/\(name)/ebin/mod_auth_fast.beam")
        } == true
    }

    /// Returns the folder with ejabberd's Erlang libraries, which depends on the architecture.
    private static func libraries() throws -> String {
        let files = FileManager.default
        for folder in try files.contentsOfDirectory(atPath: "/usr/lib").map({ "/usr/lib/\($0)" }) {
            let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            if names.contains(where: {
                $0.hasPrefix("ejabberd-") && files.fileExists(atPath: "\(folder)/\($0)/ebin")
            }) {
                return folder
            }
        }
        throw MissingPeer(name: "ejabberd", package: "ejabberd")
    }
}

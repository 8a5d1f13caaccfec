// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// An independent XMPP server for the domain `localhost`: Prosody, on loopback.
///
/// All tests of the process share one server, which the first of them starts; each test creates its own accounts.
public final class Prosody: JabberServer {
    /// The port for STARTTLS; TLS 1.3.
    public let port: UInt16
    /// The port for direct TLS; TLS 1.2.
    public let directPort: UInt16
    /// The port for components, such as gateways.
    public let componentPort: UInt16
    private let folder: String
    private let child: Child

    /// Returns the shared server, and starts it on first use.
    ///
    /// - Throws: `MissingPeer` if it is not installed.
    public static func shared() throws -> Prosody { try started.get() }

    // A static's initializer runs once. Only the tests' one thread uses it.
    private nonisolated(unsafe) static let started = Result { try Prosody() }

    /// The modules for sign-ins in few round trips, of the package with Prosody's community modules.
    private static let quickModules = ["sasl2", "sasl2_bind2", "sasl2_sm", "sasl2_fast"]

    /// Whether its version works with those modules: that of Debian 12 ends each sign-in with an error in them.
    public static var canBeQuick: Bool {
        (try? String(contentsOfFile: "/usr/lib/prosody/modules/mod_smacks.lua", encoding: .utf8))?
            .contains("do_enable") == true
    }

    /// Whether moderators can delete messages in its rooms, which a community module adds.
    public static var canModerate: Bool {
        FileManager.default.fileExists(atPath: "/usr/lib/prosody/modules/mod_muc_moderation")
    }

    /// Starts a server of its own.
    ///
    /// - Parameters:
    ///   - isQuick: Whether it has SASL2, Bind 2 and tokens; only Direct TLS is limited to version 1.2.
    ///   - relay: The relay of calls that it names (XEP-0215), with the secret from which it makes passwords.
    /// - Throws: `MissingPeer` if it or the modules are not installed.
    public init(isQuick: Bool = false, relay: (host: String, port: UInt16, secret: String)? = nil) throws {
        try Peer.require("prosody", package: "prosody")
        let certificates = try TestCertificates.folder()
        let modules = isQuick ? Self.quickModules : []
        for module in modules
        where !FileManager.default.fileExists(atPath: "/usr/lib/prosody/modules/mod_\(module)") {
            throw MissingPeer(name: "mod_\(module)", package: "prosody-modules")
        }
        let isOwn = isQuick || relay != nil
        folder = isOwn ? try TemporaryFolders.make("touchtone-prosody") : certificates
        let ports = freePorts(5)
        (port, directPort, componentPort) = (ports[0], ports[1], ports[4])
        var configuration = try String(
            contentsOfFile: "\(Checkout.folder)/Tests/Peers/prosody.cfg.lua", encoding: .utf8)
        let list = modules.map { "\"\($0)\", " }.joined()
        configuration = configuration.replacingOccurrences(
            of: "modules_enabled = {\n", with: "modules_enabled = {\n  \(list)")
        if TestLength.isLong {
            // With the default of 50, a long archive keeps the server at work for minutes.
            configuration = configuration.replacingOccurrences(
                of: "smacks_hibernation_time",
                with: "max_archive_query_results = 250\nsmacks_hibernation_time")
        }
        if Self.canModerate {
            configuration = configuration.replacingOccurrences(
                of: "\"muc_mam\" }", with: "\"muc_mam\", \"muc_moderation\" }")
        }
        if let relay {
            configuration = configuration.replacingOccurrences(
                of: "modules_enabled = {\n  ",
                with: """
                    turn_external_host = "\(relay.host)"
                    turn_external_port = \(relay.port)
                    turn_external_secret = "\(relay.secret)"
                    modules_enabled = {
                      "turn_external",\u{20}
                    """)
        }
        for suffix in isOwn ? ["crt", "key"] : [] {
            try FileManager.default.copyItem(
                atPath: "\(certificates)/good.\(suffix)", toPath: "\(folder)/good.\(suffix)")
        }
        for (key, value) in [
            "FOLDER": folder, "PLAIN": "\(port)", "DIRECT": "\(directPort)", "HTTP": "\(ports[2])",
            "HTTPS": "\(ports[3])", "COMPONENT": "\(componentPort)",
        ] {
            configuration = configuration.replacingOccurrences(of: "@\(key)@", with: value)
        }
        try configuration.write(toFile: "\(folder)/prosody.cfg.lua", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
        child = try Child(["prosody", "-F", "--config", "\(folder)/prosody.cfg.lua"])
        // This is the first thing that the server does after loading.
        try child.waitForLine { $0.contains("Running periodic tasks") }
        // The output must be read from now on, or the server blocks on a full pipe.
        child.output.readabilityHandler = { _ = $0.availableData }
    }

    /// Ends the server.
    public func end() {
        child.output.readabilityHandler = nil
        child.end()
    }

    /// Creates an unused account with the password `secret`, and returns its name.
    public func makeAccount(_ prefix: String) throws -> String {
        let name = "\(prefix)-\(UInt32.random(in: 0...UInt32.max))"
        _ = try TestSupport.output(of: [
            "prosodyctl", "--config", "\(folder)/prosody.cfg.lua", "register", name, "localhost", "secret",
        ])
        return name
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GLibBridge
import TestSupport
import TouchtoneCore
@testable import TouchtoneFiles

/// A web server that misbehaves as the path of each request says: Tests/Tools/hostile_web.py.
final class WebServer {
    /// Whether the server can be started here.
    static var isAvailable: Bool { Peer.isRequired || (try? TestCertificates.folder()) != nil }

    /// A request as the server received it.
    struct Request: Decodable {
        let method: String
        let path: String
        let headers: [[String]]
        let digest: String?

        /// The names of the headers, in lowercase and sorted.
        var names: [String] { headers.compactMap { $0.first?.lowercased() }.sorted() }

        /// Returns the value of a header.
        func header(_ name: String) -> String? { headers.first { $0.first == name }?.last }
    }

    /// The port on loopback.
    let port: Int
    private let child: Child

    init(certificate: String = "good") throws {
        child = try Child([
            "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/hostile_web.py",
            try TestCertificates.folder(), certificate,
        ])
        guard let port = child.readLine().flatMap({ Int($0) }) else {
            throw MissingPeer(name: "python3", package: "python3")
        }
        self.port = port
    }

    deinit { child.end() }

    /// Returns the URL of a path.
    func url(_ path: String, host: String = "localhost") -> String { "https://\(host):\(port)\(path)" }

    /// Waits for the next line of output that differs from `connection`, and counts the connections before it.
    func next() throws -> (line: String, connections: Int) {
        var connections = 0
        while let line = child.readLine() {
            guard line == "connection" else { return (line, connections) }
            connections += 1
        }
        throw CocoaError(.fileReadUnknown)
    }

    /// Waits for the next request.
    func request() throws -> Request {
        try JSONDecoder().decode(Request.self, from: Data(try next().line.utf8))
    }
}

/// Returns transfers that trust the tests’ authority.
@MainActor
func transfers(timeout: UInt32 = 30) throws -> WebTransfers {
    // libsoup asks GSettings for the proxy, and the first use decides where all tests of the process have settings.
    setenv("GSETTINGS_BACKEND", "memory", 1)
    return WebTransfers(
        library: WebLibrary(folders: [InstalledProgram.folder ?? ""]), userAgent: "Touchtone/0",
        authorities: try TestCertificates.authority(), timeout: timeout)
}

/// A folder for downloads.
struct DownloadFolder {
    let path: String

    init() throws { path = try TemporaryFolders.make("touchtone-downloads") }

    /// The names of all files, hidden ones too, in alphabetical order.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Returns a download to the folder.
    func download(
        _ url: String, name: String = "file", limit: Int64 = 1 << 20, trusted: Set<String> = ["localhost"]
    ) -> FileDownload {
        FileDownload(url: url, folder: path, name: name, limit: limit, trustedHosts: trusted)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneFiles

/// Tests of where downloads may lead.
@Suite(.enabled(if: WebServer.isAvailable)) @MainActor struct AddressTests {
    private let server: WebServer
    private let folder: DownloadFolder
    private let transfers: WebTransfers

    init() throws {
        (server, folder) = (try WebServer(), try DownloadFolder())
        transfers = try TouchtoneFilesTests.transfers()
    }

    private func error(of url: String, trusted: Set<String> = ["localhost"]) async -> FileTransferError? {
        do throws(FileTransferError) {
            _ = try await transfers.download(folder.download(url, trusted: trusted)) { _, _ in }
            return nil
        } catch { return error }
    }

    @Test func privateAddressIsNotAsked() async throws {
        for host in [
            "localhost", "LOCALHOST.", "127.0.0.1", "127.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]",
        ] {
            #expect(await error(of: server.url("/ok", host: host), trusted: []) == .privateAddress, "\(host)")
        }
        for host in [
            "10.0.0.1", "169.254.169.254", "192.168.1.1", "[::1]", "[fe80::1]", "[fd00::1]", "0.0.0.0",
        ] {
            #expect(await error(of: "https://\(host)/") == .privateAddress, "\(host)")
        }
        #expect(await error(of: server.url("/ok")) == nil)
        #expect(try server.next().connections == 1, "only the last made a connection")
    }

    /// The name is looked up for the connection itself, so it cannot lead elsewhere after a check.
    @Test func connectionToPrivateAddressOfNameIsNotMade() async throws {
        let functions = try WebLibrary(folders: LibraryFolders.standard).functions()
        let options = WebRequest.Options(
            userAgent: "x", authorities: try TestCertificates.authority(), seconds: 30)
        let request = try WebRequest(functions, options) { _, _ in }
        #expect(throws: FileTransferError.privateAddress) {
            try request.get(server.url("/ok"), isTrusted: false, limit: 10) { _ in }
        }
        #expect(await error(of: server.url("/ok")) == nil)
        #expect(try server.next().connections == 1, "only the last made a connection")
    }

    @Test func otherSchemesAreRefused() async {
        for url in [
            "http://localhost/", "file:///etc/passwd", "ftp://localhost/", "data:,x", "",
            "https://a@localhost/",
        ] {
            #expect(await error(of: url) == .invalidAddress, "\(url)")
        }
    }

    @Test func redirectsAreChecked() async throws {
        for (target, expected) in [
            ("http://localhost/", FileTransferError.unsafeRedirect), ("file:///etc/passwd", .unsafeRedirect),
            ("ftp://localhost/", .unsafeRedirect), ("https://good@localhost/", .unsafeRedirect),
            ("https://127.0.0.1:\(server.port)/ok", .privateAddress), ("https://0x7f.1/", .privateAddress),
            ("//169.254.169.254/latest", .privateAddress), ("https://[::ffff:10.0.0.1]/", .privateAddress),
            ("https://a.localhost/", .privateAddress), ("https://[fe80::1]/", .privateAddress),
        ] {
            #expect(await error(of: server.url("/redirect?to=\(target)")) == expected, "\(target)")
        }
        #expect(await error(of: server.url("/redirect?to=/ok")) == nil)
        #expect(await error(of: server.url("/loop")) == .unsafeRedirect)
        #expect(await error(of: server.url("/chain/4")) == nil)
        #expect(await error(of: server.url("/chain/5")) == .unsafeRedirect)
        #expect(folder.names == ["file", "file (2)"])
    }

    @Test(arguments: ["expired", "early", "other", "self"])
    func untrustedCertificateIsRefused(_ certificate: String) async throws {
        let server = try WebServer(certificate: certificate)
        #expect(await error(of: server.url("/ok")) == .untrustedCertificate)
    }

    @Test func authorityIsNotTrustedBySystem() async throws {
        let plain = WebTransfers(
            library: WebLibrary(folders: LibraryFolders.standard), userAgent: "x")
        await #expect(throws: FileTransferError.untrustedCertificate) {
            _ = try await plain.download(folder.download(server.url("/ok"))) { _, _ in }
        }
    }

    @Test func missingServerOrLibraryIsReported() async throws {
        let port = freePorts(1)[0]
        #expect(await error(of: "https://localhost:\(port)/") == .unreachable)
        let none = WebTransfers(library: WebLibrary(folders: ["/nowhere"]), userAgent: "x")
        await #expect(throws: FileTransferError.unreachable) {
            _ = try await none.download(folder.download(server.url("/ok"))) { _, _ in }
        }
    }
}

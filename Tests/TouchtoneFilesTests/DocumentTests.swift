// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneFiles

/// Tests of documents that the user asks a web address for.
@Suite(.enabled(if: WebServer.isAvailable)) @MainActor struct DocumentTests {
    private let server: WebServer
    private let transfers: WebTransfers
    private let clock = ManualScheduler()

    init() throws {
        server = try WebServer()
        transfers = try TouchtoneFilesTests.transfers(timeout: 2)
    }

    private func fetch(_ address: String, limit: Int = 1000) async -> Result<[UInt8], FileTransferError> {
        do throws(FileTransferError) {
            return .success(
                try await transfers.document(at: address, limit: limit, time: .seconds(30), clock: clock)
                    .bytes)
        } catch {
            return .failure(error)
        }
    }

    /// Waits for the next request, and returns its path.
    private func arrived() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            nonisolated(unsafe) let server = server  // Nothing else uses it meanwhile.
            Thread { continuation.resume(with: Result { try server.request().path }) }.start()
        }
    }

    @Test func documentOfNamedHostIsFetchedWithNothingButTheProgram() async throws {
        // The host is this computer: the user has named it.
        #expect(await fetch(server.url("/ok?size=1000")) == .success(Array(repeating: 0x79, count: 1000)))
        let request = try server.request()
        #expect(request.method == "GET")
        let allowed: Set = ["accept-encoding", "connection", "host", "user-agent"]
        #expect(allowed.isSuperset(of: request.names), "\(request.names)")
        #expect(clock.pending == 0)
    }

    @Test func cookieIsNotSentBack() async throws {
        #expect(await fetch(server.url("/cookie")) == .success(Array(repeating: 0x79, count: 10)))
        let (first, second) = (try server.request(), try server.request())
        #expect([first.path, second.path] == ["/cookie", "/ok"])
        #expect(!second.names.contains("cookie") && !second.names.contains("referer"))
    }

    @Test(
        arguments: [
            ("/ok?size=1001", .tooLarge(limit: 1000)), ("/huge", .tooLarge(limit: 1000)),
            ("/endless", .tooLarge(limit: 1000)), ("/chunks", .tooLarge(limit: 1000)),
            ("/bomb", .invalidResponse), ("/short", .incomplete), ("/cut-chunks", .incomplete),
            ("/slow", .unreachable), ("/silent", .unreachable), ("/nonsense", .unreachable),
            ("/status/404", .refused(status: 404)), ("/status-endless/500", .refused(status: 500)),
            ("/loop", .unsafeRedirect), ("/chain/6", .unsafeRedirect),
            ("/redirect-nowhere", .invalidResponse),
            ("/redirect?to=http://localhost/x", .unsafeRedirect),
            ("/redirect?to=file:///etc/passwd", .unsafeRedirect),
            ("/redirect?to=https://u:p@localhost/x", .unsafeRedirect),
            ("/redirect?to=https://127.0.0.1/x", .privateAddress),
            ("/redirect?to=https://192.168.1.1/x", .privateAddress),
            ("/redirect?to=https://%5B::1%5D/x", .privateAddress),
        ] as [(String, FileTransferError)])
    func hostileAnswerIsRefused(path: String, error: FileTransferError) async {
        let found = await fetch(server.url(path))
        if path == "/nonsense" {
            guard case .failure = found else { return #expect(Bool(false), "\(found)") }
        } else {
            #expect(found == .failure(error), "\(path)")
        }
        #expect(clock.pending == 0)
    }

    @Test func fewRedirectionsAreFollowed() async {
        #expect(await fetch(server.url("/chain/4")) == .success(Array(repeating: 0x79, count: 10)))
    }

    @Test func hostThatHasTheDocumentIsNamed() async throws {
        let other = server.url("/redirect?to=" + server.url("/ok").replacing("https://", with: "HTTPS://"))
        let document = try await transfers.document(
            at: other.replacing("localhost", with: "LOCALHOST"), limit: 1000, time: .seconds(30), clock: clock
        )
        #expect(document.bytes.count == 10 && document.host == "localhost")
    }

    @Test func drippingServerIsGivenUp() async throws {
        let fetching = Task { await fetch(server.url("/drip"), limit: 65_536) }
        #expect(try await arrived() == "/drip")
        clock.advance(by: .seconds(29))
        clock.advance(by: .seconds(1))
        #expect(await fetching.value == .failure(.unreachable))
    }

    @Test func cancelledFetchEnds() async throws {
        let fetching = Task { await fetch(server.url("/drip"), limit: 65_536) }
        #expect(try await arrived() == "/drip")
        fetching.cancel()
        #expect(await fetching.value == .failure(.cancelled))
        #expect(clock.pending == 0)
    }

    @Test(arguments: [
        "http://localhost/", "file:///etc/passwd", "localhost", "", "https://", "https://a b/",
        "https://user@localhost/", "javascript:alert(1)",
    ])
    func otherAddressIsNotAsked(address: String) async {
        #expect(await fetch(address) == .failure(.invalidAddress))
        #expect(transfers.host(of: address) == nil)
    }

    @Test func serverMustBeTrusted() async throws {
        let other = try WebServer(certificate: "self")
        #expect(await fetch(other.url("/ok")) == .failure(.untrustedCertificate))
    }

    @Test func hostIsShown() {
        #expect(transfers.host(of: "https://PBX.Example.org/a?b") == "pbx.example.org")
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneFiles

/// Tests of the question for the size of a file, which is bound by the rules of downloads.
@Suite(.enabled(if: WebServer.isAvailable)) @MainActor struct FileSizeTests {
    private let server: WebServer
    private let folder: DownloadFolder
    private let transfers: WebTransfers

    init() throws {
        (server, folder) = (try WebServer(), try DownloadFolder())
        transfers = try TouchtoneFilesTests.transfers()
    }

    private func size(_ url: String, trusted: Set<String> = ["localhost"]) async throws(FileTransferError)
        -> Int64?
    {
        try await transfers.size(of: folder.download(url, trusted: trusted))
    }

    @Test func sizeIsAskedWithoutFile() async throws {
        #expect(try await size(server.url("/ok?size=1234")) == 1234)
        let request = try server.request()
        #expect(request.method == "HEAD")
        let allowed: Set = ["accept-encoding", "connection", "host", "user-agent"]
        #expect(allowed.isSuperset(of: request.names), "\(request.names)")
        #expect(try await size(server.url("/redirect?to=/ok")) == 10)
        #expect(folder.names == [])
    }

    @Test(arguments: [("/huge", 1 << 40 as Int64?), ("/endless", nil), ("/chunks", nil), ("/bomb", nil)])
    func statedSizeIsTaken(_ path: String, _ stated: Int64?) async throws {
        #expect(try await size(server.url(path)) == stated)
    }

    @Test(arguments: [
        ("/status/404", FileTransferError.refused(status: 404)), ("/loop", .unsafeRedirect),
        ("/redirect?to=http://localhost/", .unsafeRedirect),
        ("/redirect?to=https://10.0.0.1/", .privateAddress),
        ("/continue", .invalidResponse), ("/headers", .invalidResponse), ("/nonsense", .invalidResponse),
    ])
    func hostileResponseIsRefused(_ path: String, _ error: FileTransferError) async {
        await #expect(throws: error) { try await size(server.url(path)) }
    }

    @Test func privateAddressIsNotAsked() async {
        await #expect(throws: FileTransferError.privateAddress) {
            try await size(server.url("/ok"), trusted: [])
        }
    }
}

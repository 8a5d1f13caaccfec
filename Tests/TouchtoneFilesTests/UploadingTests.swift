// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneFiles

@Suite(.enabled(if: WebServer.isAvailable)) @MainActor struct UploadingTests {
    private let server: WebServer
    private let transfers: WebTransfers
    private let path: String

    init() throws {
        server = try WebServer()
        transfers = try TouchtoneFilesTests.transfers()
        path = try TemporaryFolders.make("touchtone-upload") + "/file"
    }

    private func slot(_ path: String, headers: [String: String] = [:]) -> FileSlot {
        FileSlot(put: server.url(path), headers: headers, get: server.url("/ok"))
    }

    @Test func fileIsSentWithHeadersOfSlotOnly() async throws {
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: URL(fileURLWithPath: path))
        let file = try await transfers.open(path, mediaType: "text/x", removesMetadata: true)
        #expect(file.size == 3_000_000)
        var steps: [Int64] = []
        // Twice, as after a failure.
        for status in [201, 200] {
            try await file.upload(to: slot("/\(status)", headers: ["authorization": "Bearer x"])) {
                steps.append($0)
            }
            let request = try server.request()
            #expect(request.method == "PUT")
            #expect(request.header("Content-Length") == "3000000")
            #expect(request.header("Content-Type") == "text/x")
            #expect(request.headers.first { $0[0].lowercased() == "authorization" }?[1] == "Bearer x")
            let allowed: Set = [
                "accept-encoding", "authorization", "connection", "content-length", "content-type", "host",
                "user-agent",
            ]
            #expect(allowed.isSuperset(of: request.names), "\(request.names)")
            #expect(request.digest == Self.digest(path))
        }
        #expect(steps.count > 10 && steps.count <= 402 && steps.last == 3_000_000, "\(steps.count)")
    }

    @Test func emptyFileIsSent() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try await transfers.open(path, mediaType: "a\r\nX: y", removesMetadata: true)
        try await file.upload(to: slot("/201")) { _ in }
        let request = try server.request()
        #expect(request.header("Content-Length") == "0")
        #expect(request.header("Content-Type") == "application/octet-stream")
    }

    @Test(arguments: [204, 301, 302, 307, 308, 401, 403, 404, 413, 500, 507])
    func otherStatusIsRefusal(_ status: Int) async throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        let file = try await transfers.open(path, mediaType: "", removesMetadata: false)
        await #expect(throws: FileTransferError.refused(status: status)) {
            try await file.upload(to: slot("/\(status)")) { _ in }
        }
        #expect(try server.request().path == "/\(status)")
    }

    @Test func invalidSlotIsRefused() async throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        let file = try await transfers.open(path, mediaType: "", removesMetadata: false)
        for put in ["http://localhost/", "file:///tmp/x", ""] {
            await #expect(throws: FileTransferError.invalidAddress) {
                try await file.upload(to: FileSlot(put: put, get: "")) { _ in }
            }
        }
    }

    @Test func unreadableFileIsReported() async throws {
        mkfifo(path, 0o600)
        for path in ["/nowhere/at/all", "/tmp", path, "/dev/zero"] {
            await #expect(throws: FileTransferError.unreadable) {
                _ = try await transfers.open(path, mediaType: "", removesMetadata: false)
            }
        }
    }

    @Test func pictureIsOpenedWithoutMetadata() async throws {
        let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let pixels: [UInt8] = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        let comment: [UInt8] = [0x21, 0xfe, 6] + Array("secret".utf8) + [0]
        let bytes = Data(gif + comment + pixels + [0x3b])
        try bytes.write(to: URL(fileURLWithPath: path))
        let clean = try await transfers.open(path, mediaType: "", removesMetadata: true)
        #expect(clean.size == Int64(bytes.count - comment.count))
        let whole = try await transfers.open(path, mediaType: "", removesMetadata: false)
        #expect(whole.size == Int64(bytes.count))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        try Data("<svg/>".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: FileTransferError.metadataNotRemoved) {
            _ = try await transfers.open(path, mediaType: "image/svg+xml", removesMetadata: true)
        }
    }

    static func digest(_ path: String) -> String? {
        let code =
            "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest(), end='')"
        return try? output(of: ["/usr/bin/python3", "-c", code, path])
    }
}

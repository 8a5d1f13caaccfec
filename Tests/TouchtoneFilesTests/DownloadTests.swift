// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GLibBridge
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneFiles

@Suite(.enabled(if: WebServer.isAvailable)) @MainActor struct DownloadTests {
    private let server: WebServer
    private let folder: DownloadFolder
    private let transfers: WebTransfers

    init() throws {
        (server, folder) = (try WebServer(), try DownloadFolder())
        transfers = try TouchtoneFilesTests.transfers()
    }

    @Test func fileIsDownloadedUnderFreeName() async throws {
        for number in 1...3 {
            let file = try await transfers.download(
                folder.download(server.url("/ok?size=\(number)&type=image/PNG;x=y"), name: "../a.png")
            ) { _, _ in }
            let name = number == 1 ? "a.png" : "a (\(number)).png"
            #expect(
                file
                    == DownloadedFile(
                        path: "\(folder.path)/\(name)", mediaType: "image/png", size: Int64(number)))
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count == number)
        }
        #expect(folder.names == ["a (2).png", "a (3).png", "a.png"])
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a.png")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: [
        "", "image", "a/b/c", "/", "a/", "text/html,x/y", "a/%22",
        "x/" + String(repeating: "y", count: 200),
    ])
    func invalidMediaTypeIsDropped(_ type: String) async throws {
        let url = server.url("/ok?type=\(type)")
        let file = try await transfers.download(folder.download(url)) { _, _ in }
        #expect(file.mediaType == "")
    }

    @Test func requestRevealsNothingButTheProgram() async throws {
        _ = try await transfers.download(folder.download(server.url("/cookie"))) { _, _ in }
        let (first, second) = (try server.request(), try server.request())
        #expect([first.path, second.path] == ["/cookie", "/ok"])
        for request in [first, second] {
            let allowed: Set = ["accept-encoding", "connection", "host", "user-agent"]
            #expect(allowed.isSuperset(of: request.names), "\(request.names)")
            #expect(request.header("User-Agent") == "Touchtone/0")
            #expect(request.header("Accept-Encoding") == "identity")
        }
    }

    @Test func progressIsReported() async throws {
        var steps: [(Int64, Int64?)] = []
        _ = try await transfers.download(
            folder.download(server.url("/ok?size=20000000"), limit: 20_000_000)
        ) { steps.append(($0, $1)) }
        #expect(steps.count > 10 && steps.count <= 201, "\(steps.count)")
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.0 < $1.0 })
        #expect(steps.last?.0 == 20_000_000 && steps.allSatisfy { $0.1 == 20_000_000 })
    }

    @Test(arguments: [
        ("/huge", FileTransferError.tooLarge(limit: 1 << 20)), ("/endless", .tooLarge(limit: 1 << 20)),
        ("/chunks", .tooLarge(limit: 1 << 20)), ("/ok?size=1048577", .tooLarge(limit: 1 << 20)),
        ("/short", .incomplete), ("/cut-chunks", .incomplete), ("/cut", .unreachable),
        ("/cut-quietly", .unreachable),

        ("/bomb", .invalidResponse), ("/headers", .invalidResponse),
        ("/continue", .invalidResponse), ("/redirect-nowhere", .invalidResponse),
        ("/status/404", .refused(status: 404)), ("/status/413", .refused(status: 413)),
        ("/status/500", .refused(status: 500)), ("/status/204", .refused(status: 204)),
        ("/status/401", .refused(status: 401)), ("/status-endless/500", .refused(status: 500)),
        ("/status-endless/302", .invalidResponse),
    ])
    func hostileResponseLeavesNothing(_ path: String, _ error: FileTransferError) async {
        await #expect(throws: error) {
            _ = try await transfers.download(folder.download(server.url(path))) { _, _ in }
        }
        #expect(folder.names == [])
    }

    /// A server may have another file than the one that its sender described.
    @Test func fileMustBeTheDescribedOne() async throws {
        let path = server.url("/ok?size=70000")
        var download = folder.download(path)
        let file = try await transfers.download(download) { _, _ in }
        let stored = try FileDescriptor.reading(file.path, mediaType: "", removesMetadata: false)
        let found = try withExtendedLifetime(stored) {
            try ContentHash.compute(.sha512, of: stored.number, size: 70_000)
        }
        (download.size, download.hash) = (70_000, found)
        _ = try await transfers.download(download) { _, _ in }
        #expect(folder.names.count == 2)
        let wrong = FileHash(.sha512, bytes: [UInt8](repeating: 0, count: 64))
        for (size, hash) in [(70_001, found), (69_999, found), (0, nil), (70_000, wrong)]
            as [(Int64, FileHash?)]
        {
            (download.size, download.hash) = (size, hash)
            await #expect(throws: FileTransferError.damaged) {
                _ = try await transfers.download(download) { _, _ in }
            }
        }
        #expect(folder.names.count == 2, "nothing is left of them")
    }

    @Test(arguments: ["/slow", "/silent"])
    func silentServerIsGivenUp(_ path: String) async throws {
        let impatient = try TouchtoneFilesTests.transfers(timeout: 1)
        await #expect(throws: FileTransferError.unreachable) {
            _ = try await impatient.download(folder.download(server.url(path))) { _, _ in }
        }
        #expect(folder.names == [])
    }

    @Test func endlessBodyIsCut() async throws {
        for path in ["/huge", "/endless", "/chunks", "/status-endless/302", "/headers", "/continue"] {
            try? await _ = transfers.download(folder.download(server.url(path))) { _, _ in }
            _ = try server.request()
            let sent = try #require(server.next().line.split(separator: " ").last.flatMap { Int($0) })
            // Up to the limit, and what fits into the buffers of the sockets.
            #expect(sent < 16 << 20, "\(path): \(sent)")
        }
    }

    @Test func nonsenseIsNoFile() async {
        for path in ["/nonsense", "/negative"] {
            try? await _ = transfers.download(folder.download(server.url(path), name: "x")) { _, _ in }
        }
        // A length that is no number is ignored.
        for name in folder.names {
            #expect((try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")).count) ?? 0 <= 10)
        }
    }

    @Test func bodyIsReadToItsStatedLengthOrEnd() async throws {
        for path in ["/long", "/end"] {
            let file = try await transfers.download(folder.download(server.url(path))) { _, _ in }
            #expect(file.size == 10, "\(path)")
        }
    }

    @Test func cancelledDownloadLeavesNothing() async throws {
        let task = Task { [transfers, folder, server] in
            do throws(FileTransferError) {
                _ = try await transfers.download(
                    folder.download(server.url("/endless"), limit: .max)
                ) { _, _ in }
                return FileTransferError?.none
            } catch { return error }
        }
        // The request has arrived, so that the body is being written.
        let arrived = try await withCheckedThrowingContinuation { continuation in
            nonisolated(unsafe) let server = server  // Nothing else uses it meanwhile.
            Thread { continuation.resume(with: Result { try server.request().path }) }.start()
        }
        #expect(arrived == "/endless")
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(folder.names == [])
        let unstarted = Task { [transfers, folder, server] in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(FileTransferError) {
                _ = try await transfers.download(folder.download(server.url("/ok"))) { _, _ in }
                return FileTransferError?.none
            } catch { return error }
        }
        #expect(await unstarted.value == .cancelled)
    }

    @Test func unwritableFolderIsReported() async throws {
        for path in ["/proc/nothing", "\(folder.path)/\(String(repeating: "x", count: 256))"] {
            await #expect(throws: FileTransferError.unwritable) {
                _ = try await transfers.download(
                    FileDownload(
                        url: server.url("/ok"), folder: path, name: "a", limit: 10,
                        trustedHosts: ["localhost"])
                ) { _, _ in }
            }
        }
        // A full disk.
        let request = try WebRequest(
            WebLibrary(folders: LibraryFolders.standard).functions(),
            .init(userAgent: "x", authorities: try TestCertificates.authority(), seconds: 30)
        ) { _, _ in }
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect(throws: FileTransferError.unwritable) {
            try request.get(server.url("/ok"), isTrusted: true, limit: 10) {
                bytes throws(FileTransferError) in
                try FileDescriptor.write(bytes, to: full)
            }
        }
    }

    @Test func longNameIsShortened() async throws {
        let name = "../" + String(repeating: "ö", count: 10_000) + ".jpeg"
        for _ in 1...2 {
            _ = try await transfers.download(folder.download(server.url("/ok"), name: name)) { _, _ in }
        }
        #expect(folder.names.count == 2)
        #expect(folder.names.allSatisfy { $0.hasSuffix(".jpeg") && $0.utf8.count <= 255 })
    }
}

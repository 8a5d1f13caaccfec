// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore
import TouchtoneOMEMO

@testable import TouchtoneFiles

/// Tests of encrypted files (XEP-0454) on their way to a server and back.
@Suite(.enabled(if: WebServer.isAvailable)) @MainActor struct EncryptedFileTests {
    private let server: WebServer
    private let folder: DownloadFolder
    private let transfers: WebTransfers
    private let path: String

    init() throws {
        (server, folder) = (try WebServer(), try DownloadFolder())
        transfers = try TouchtoneFilesTests.transfers()
        path = try TemporaryFolders.make("touchtone-encrypted") + "/file"
    }

    private func write(_ count: Int) throws -> Data {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
        try bytes.write(to: URL(fileURLWithPath: path))
        return bytes
    }

    /// Uploads an encrypted copy of the file, and returns its link.
    private func upload() async throws -> (link: String, request: WebServer.Request) {
        let file = try await transfers.open(path, mediaType: "image/png", removesMetadata: false)
        let copy = try await file.encrypted()
        #expect(copy.file.size == file.size + 16)
        let url = server.url("/kept/x.png")
        try await copy.file.upload(to: FileSlot(put: url, get: url)) { _ in }
        return (try #require(copy.link(url)), try server.request())
    }

    private func download(_ link: String, limit: Int64 = 1 << 20, size: Int64? = nil) async throws
        -> DownloadedFile
    {
        var download = folder.download(link, name: "x.png", limit: limit)
        download.size = size
        return try await transfers.download(download) { _, _ in }
    }

    /// Returns the link with a query.
    private func link(_ link: String, asking query: String) -> String {
        link.replacingOccurrences(of: "#", with: "?\(query)#")
    }

    @Test(arguments: [0, 1, 15, 16, 17, 65_536, 262_144, 262_145, 900_001])
    func fileComesBack(_ count: Int) async throws {
        let bytes = try write(count)
        let (link, request) = try await upload()
        #expect(request.header("Content-Length") == "\(count + 16)")
        #expect(request.header("Content-Type") == "application/octet-stream")
        #expect(link.hasPrefix("aesgcm://localhost:\(server.port)/kept/x.png#"))
        let file = try await download(link, limit: Int64(count), size: Int64(count))
        #expect(file == DownloadedFile(path: "\(folder.path)/x.png", mediaType: "", size: Int64(count)))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == bytes)
        // The server gets neither the key nor the content.
        #expect(try server.request().path == "/kept/x.png")
        #expect(request.digest != UploadingTests.digest(path))
        let stated = try await transfers.size(of: folder.download(link))
        #expect(stated == Int64(count))
    }

    @Test func largeFileComesBackInSteps() async throws {
        let count = TestLength.cases(3_000_000, long: 20_000_000)
        let bytes = try write(count)
        let (link, _) = try await upload()
        var steps: [(Int64, Int64?)] = []
        let file = try await transfers.download(folder.download(link, limit: Int64(count))) {
            steps.append(($0, $1))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == bytes)
        #expect(steps.count > 5 && steps.count <= 202, "\(steps.count)")
        #expect(steps.last?.0 == Int64(count) && steps.allSatisfy { $0.1 == Int64(count) })
    }

    @Test func eachCopyHasItsOwnKey() async throws {
        _ = try write(1000)
        let file = try await transfers.open(path, mediaType: "", removesMetadata: false)
        var (links, contents): (Set<String>, Set<[UInt8]>) = ([], [])
        for _ in 1...3 {
            let copy = try await file.encrypted()
            links.insert(try #require(copy.link("https://x/y")))
            contents.insert(try await copy.file.read(at: 0, count: 1016))
            #expect(copy.link("http://x/y") == nil)
        }
        #expect(links.count == 3 && contents.count == 3)
    }

    /// The copy keeps its bytes, because other bytes under the same key would tell both.
    @Test func repeatedUploadSendsSameBytesAlthoughFileChanges() async throws {
        _ = try write(5000)
        let file = try await transfers.open(path, mediaType: "", removesMetadata: false)
        let copy = try await file.encrypted()
        let slot = FileSlot(put: server.url("/kept/a"), get: "")
        try await copy.file.upload(to: slot) { _ in }
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        try await copy.file.upload(to: slot) { _ in }
        #expect(try server.request().digest == server.request().digest)
    }

    @Test(arguments: [
        "flip=0", "flip=499999", "flip=500000", "flip=500015", "count=500015", "count=500000",
        "count=16", "count=15", "count=0",
    ])
    func changedFileIsDamagedAndLeavesNothing(_ query: String) async throws {
        _ = try write(500_000)
        let (link, _) = try await upload()
        await #expect(throws: FileTransferError.damaged) {
            try await download(self.link(link, asking: query))
        }
        #expect(folder.names == [])
        _ = try await download(link)
        #expect(folder.names == ["x.png"])
    }

    @Test func anotherKeyIsDamaged() async throws {
        _ = try write(100)
        let (link, _) = try await upload()
        let last = link.last == "0" ? "1" : "0"
        await #expect(throws: FileTransferError.damaged) { try await download(link.dropLast() + last) }
        #expect(folder.names == [])
    }

    @Test func limitIsThatOfTheFile() async throws {
        _ = try write(1001)
        let (link, _) = try await upload()
        await #expect(throws: FileTransferError.tooLarge(limit: 1000)) {
            try await download(link, limit: 1000)
        }
        await #expect(throws: FileTransferError.damaged) { try await download(link, size: 1000) }
        await #expect(throws: FileTransferError.damaged) { try await download(link, size: 1002) }
        #expect(folder.names == [])
        _ = try await download(link, limit: 1001)
    }

    /// Older clients make initialization vectors of 16 bytes.
    @Test func keyWithLongerVectorIsRead() async throws {
        let key = try #require(
            FileKey(iv: Array(1...16), key: Array(repeating: 9, count: 32)))
        let cipher = try FileCipher(key, .encrypting)
        let bytes = try cipher.update(Array("an old picture".utf8)) + cipher.finish()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let file = try await transfers.open(path, mediaType: "", removesMetadata: false)
        let url = server.url("/kept/old.png")
        try await file.upload(to: FileSlot(put: url, get: url)) { _ in }
        let link = try #require(EncryptedFileLink(address: url, key: key)?.text)
        #expect(link.split(separator: "#").last?.count == 96)
        let came = try await download(link)
        #expect(try String(contentsOfFile: came.path, encoding: .utf8) == "an old picture")
    }

    @Test func linkIsReadStrictly() async throws {
        _ = try write(10)
        let (link, _) = try await upload()
        for wrong in [
            link.dropLast() + "", link + "00", link.replacingOccurrences(of: "#", with: "##"),
            "AESGCM://localhost", link.replacingOccurrences(of: "aesgcm", with: "http"),
        ] {
            await #expect(throws: FileTransferError.invalidAddress, "\(wrong)") {
                try await download(String(wrong))
            }
        }
        await #expect(throws: FileTransferError.privateAddress) {
            try await transfers.download(
                folder.download(link.replacingOccurrences(of: "localhost", with: "127.0.0.1"))
            ) { _, _ in }
        }
        #expect(folder.names == [])
    }

    @Test func unreadableFileIsReported() async throws {
        _ = try write(1000)
        let file = try await transfers.open(path, mediaType: "", removesMetadata: false)
        // It is cut off meanwhile.
        truncate(path, 10)
        await #expect(throws: FileTransferError.unreadable) { _ = try await file.encrypted() }
    }
}

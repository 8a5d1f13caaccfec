// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GLibBridge
import TestSupport
import TouchtoneCore
import TouchtoneFiles
@testable import TouchtoneXMPP
import XCTest

/// Tests of sharing a file through an independent server, from one account to another.
final class FileSharingTests: XMPPTestCase {
    func testFileReachesBuddy() throws {
        try TestServer.requireProsody("ejabberd changes the name of the file and its type")
        try onMainActor {
            let (grace, alan) = try desks()
            let (folder, transfers) = (try TemporaryFolders.make("touchtone-sharing"), try transfers())
            let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/sent"))
            let files = try XCTUnwrap(grace.chat.files)
            let slot = try awaited {
                let file = try await transfers.open(
                    "\(folder)/sent", mediaType: "text/x", removesMetadata: true)
                let slot = try await files.slot(forFile: "ä b.txt", size: file.size, mediaType: "text/x")
                try await file.upload(to: slot) { _ in }
                return slot
            }
            var message = Message(to: alan.jid, id: "f1", body: slot.get)
            message.extensions = [try XCTUnwrap(OutOfBandData(url: slot.get)).element]
            grace.client.send(message.element)
            waitUntil("it has come") { alan.came.map(\.file?.url) == [slot.get] }
            XCTAssertEqual(alan.texts, ["ä b.txt"])
            var download = FileDownload(url: slot.get, folder: folder, name: "came", limit: 1 << 20)
            // The server is on this computer.
            XCTAssertThrowsError(try awaited { try await transfers.download(download) { _, _ in } }) {
                XCTAssertEqual($0 as? FileTransferError, .privateAddress)
            }
            download.trustedHosts = try XCTUnwrap(alan.chat.files).trustedHosts
            let came = try awaited { [download] in try await transfers.download(download) { _, _ in } }
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: came.path)), bytes)
            XCTAssertEqual(came.mediaType, "text/x")
        }
    }

    func testServerRefusesOtherSizeAndReuse() throws {
        try onMainActor {
            let files = try XCTUnwrap(try fixture("grace").chat.files)
            let (folder, transfers) = (try TemporaryFolders.make("touchtone-sharing"), try transfers())
            try Data("hello".utf8).write(to: URL(fileURLWithPath: "\(folder)/sent"))
            for (size, isRefused) in [(4, true), (5, false), (6, true)] {
                let result: Result<Void, any Error> = Result {
                    try awaited {
                        let file = try await transfers.open(
                            "\(folder)/sent", mediaType: "text/plain", removesMetadata: false)
                        let slot = try await files.slot(
                            forFile: "a.txt", size: Int64(size), mediaType: "text/plain")
                        try await file.upload(to: slot) { _ in }
                    }
                }
                guard isRefused else {
                    XCTAssertNoThrow(try result.get())
                    continue
                }
                XCTAssertThrowsError(try result.get()) {
                    guard case .refused? = $0 as? FileTransferError else { return XCTFail("\($0)") }
                }
            }
        }
    }
}

/// Returns transfers that trust the tests’ authority.
@MainActor
func transfers() throws -> WebTransfers {
    WebTransfers(
        library: WebLibrary(folders: LibraryFolders.standard), userAgent: "Touchtone/0",
        authorities: try TestCertificates.authority())
}

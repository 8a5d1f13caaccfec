// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import TouchtoneFiles
import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// Tests of files in encrypted conversations, with the upload service of an independent server.
final class EncryptedFileTests: XMPPTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        try TestServer.requireProsody("ejabberd changes the name of the file")
    }

    /// The first message is a file, so that it decides on the encryption.
    func testFilesPicturesAndVoiceMessagesReachBothSides() throws {
        try onMainActor {
            let (grace, alan) = (
                try EncryptedDesk("grace", hasFiles: true), try EncryptedDesk("alan", hasFiles: true)
            )
            try awaited { try await alan.chat.add(grace.address.text, name: "Grace") }
            waitUntil("she is on the list") { alan.chat.buddies.row(of: grace.address)?.isListed == true }
            let marker = "a secret word "
            for (count, (desk, other)) in [(grace, alan), (alan, grace)].enumerated() {
                for (index, name) in ["letter to ä.txt", "photo.png", "voice.ogg"].enumerated() {
                    let bytes = Data(String(repeating: marker + name, count: 5000).utf8)
                    try desk.sendFile(try desk.write(bytes, name), to: other.address)
                    let number = count * 3 + index + 1
                    waitUntil("\(name) has come") { other.messages(with: desk.address).count == number }
                    let message = try XCTUnwrap(other.messages(with: desk.address).last)
                    let file = try XCTUnwrap(message.file)
                    XCTAssertTrue(file.isEncrypted)
                    XCTAssertEqual(message.content.protection, .encrypted(.blind))
                    XCTAssertEqual([file.isPicture, file.isSound], [index == 1, index == 2])
                    XCTAssertEqual(try other.content(of: message), bytes)
                    try Self.checkServer(file, marker)
                    let mine = try XCTUnwrap(desk.messages(with: other.address).last)
                    XCTAssertEqual(mine.text, name)
                    XCTAssertEqual(mine.content.protection, .encrypted(.blind))
                    try Self.checkSearch(desk, mine)
                    try Self.checkSearch(other, message)
                }
            }
            XCTAssertTrue(grace.chat.isEncrypted(alan.address))
            for desk in [grace, alan] {
                for word in ["aesgcm", "letter", "photo", "voice", "image/", "audio/", "jabber:x:oob"] {
                    XCTAssertEqual(
                        desk.sent.filter { $0.contains(word) }.filter { !$0.contains("disco#info") }, [], word
                    )
                }
                let slots = desk.sent.filter { $0.contains("<request xmlns='urn:xmpp:http:upload:0'") }
                XCTAssertEqual(slots.count, 3)
                XCTAssert(slots.allSatisfy { $0.contains("application/octet-stream") }, "\(slots)")
            }
        }
    }

    /// Checks that the server has neither the content nor the name of a file.
    @MainActor private static func checkServer(_ file: SharedFile, _ marker: String) throws {
        let link = try XCTUnwrap(file.url?.split(separator: "#").first)
        let address = "https://" + link.dropFirst(SharedFile.encryptedScheme.count)
        for word in ["letter", "photo", "voice", "#"] { XCTAssertFalse(address.contains(word), address) }
        let folder = try TemporaryFolders.make("touchtone-server")
        let transfers = try transfers()
        let download = FileDownload(
            url: address, folder: folder, name: "x", limit: 1 << 20, trustedHosts: ["localhost"])
        let stored = try awaited { try await transfers.download(download) { _, _ in } }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: stored.path))
        XCTAssertNil(bytes.range(of: Data(marker.utf8)))
    }

    /// Checks that the key of a message's file is not found by a search.
    @MainActor private static func checkSearch(_ desk: EncryptedDesk, _ message: ChatMessage) throws {
        let key = try XCTUnwrap(message.file?.url?.split(separator: "#").last)
        XCTAssertEqual(key.count, 88)
        let store = desk.program.store
        for words in [String(key), "aesgcm", String(key.prefix(20))] {
            let found = try awaited { try await store.search(words, of: nil, count: 10) }
            XCTAssertEqual(found.map(\.message.text), [], words)
        }
    }

    func testWordsAboutFileComeBeforeIt() throws {
        try onMainActor {
            let (grace, alan) = (
                try EncryptedDesk("grace", hasFiles: true), try EncryptedDesk("alan", hasFiles: true)
            )
            // The encryption is not decided when it is written.
            try grace.sendFile(
                try grace.write(Data("minutes".utf8), "minutes.txt"), text: "Here they are", to: alan.address)
            waitUntil("both have come") { alan.messages(with: grace.address).count == 2 }
            let messages = alan.messages(with: grace.address)
            XCTAssertEqual(messages.first?.text, "Here they are")
            XCTAssertEqual(try alan.content(of: XCTUnwrap(messages.last)), Data("minutes".utf8))
            XCTAssertEqual(grace.texts(with: alan.address), ["Here they are", "minutes.txt"])
            XCTAssertEqual(grace.sent.filter { $0.contains("Here they") || $0.contains("minutes") }, [])
        }
    }

    func testFileSurvivesKillAndComesOnce() throws {
        try onMainActor {
            let (grace, alan) = (
                try EncryptedDesk("grace", hasFiles: true), try EncryptedDesk("alan", hasFiles: true)
            )
            let bytes = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try grace.sendFile(try grace.write(bytes, "photo.png"), to: alan.address)
            grace.restart()
            waitUntil("it has come") { alan.messages(with: grace.address).count == 1 }
            let message = try XCTUnwrap(alan.messages(with: grace.address).first)
            XCTAssertEqual(try alan.content(of: message), bytes)
            waitUntil("it is sent") { grace.messages(with: alan.address).allSatisfy { $0.state != .waiting } }
            grace.restart()
            XCTAssertEqual(alan.messages(with: grace.address).count, 1)
        }
    }

    func testFileOfBuddyWithoutKeysGoesInTheClearUntilThatIsSwitchedOn() throws {
        try onMainActor {
            let grace = try EncryptedDesk("grace", hasFiles: true)
            let alan = try EncryptedDesk("alan", encrypts: false, hasFiles: true)
            try grace.sendFile(try grace.write(Data("open".utf8), "open.txt"), to: alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address) == ["open.txt"] }
            XCTAssertEqual(alan.messages(with: grace.address).first?.file?.isEncrypted, false)
            grace.chat.setEncrypted(true, alan.address)
            try grace.sendFile(try grace.write(Data("closed".utf8), "closed.txt"), to: alan.address)
            waitUntil("it waits, encrypted") {
                grace.chat.encryption(of: alan.address).obstacle == .noDevices(alan.address)
                    && grace.messages(with: alan.address).last?.file?.isEncrypted == true
            }
            XCTAssertEqual(grace.sent.filter { $0.contains("closed") || $0.contains("aesgcm") }, [])
            alan.encryption.isAutomatic = true
            alan.encryption.start()
            waitUntil("alan has keys") { alan.encryption.publisher.isAccepted == true }
            grace.encryption.devices.begin()
            grace.chat.retryEncryption(alan.address)
            waitUntil("it has come") { alan.messages(with: grace.address).count == 2 }
            XCTAssertEqual(
                try alan.content(of: XCTUnwrap(alan.messages(with: grace.address).last)), Data("closed".utf8))
        }
    }

    /// Anybody on the way could write a link in the clear, and one inside of a text is none.
    func testLinkInTheClearOrInsideATextIsText() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace", hasFiles: true), try EncryptedDesk("alan"))
            let link = "aesgcm://localhost/x.png#" + String(repeating: "a", count: 88)
            alan.send("see \(link)", to: grace.address)
            waitUntil("it has come") { grace.texts(with: alan.address) == ["see \(link)"] }
            let plain = try RawDesk(alan.account)
            plain.send(link, to: grace.address)
            waitUntil("it has come") { grace.messages(with: alan.address).count == 2 }
            for message in grace.messages(with: alan.address) {
                XCTAssertNil(message.file)
                for piece in MessagePiece.pieces(of: message.text, emoticons: .none) {
                    if case .link(let link, _) = piece { XCTFail("\(link) is a link") }
                }
            }
            alan.send(link, to: grace.address)
            waitUntil("it has come") { grace.messages(with: alan.address).last?.file?.isEncrypted == true }
            XCTAssertEqual(grace.texts(with: alan.address).last, "x.png")
        }
    }
}

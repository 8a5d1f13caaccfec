// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of files from one phone to others, with the conversations of each and an independent server.
final class FileFlowTests: XMPPTestCase {
    /// The program is killed while the picture is uploaded.
    func testPictureSurvivesKillAndReachesBuddyOnce() throws {
        try TestServer.requireProsody("ejabberd changes the name of the file")
        try onMainActor {
            let (grace, alan) = (try FilePhone("grace"), try FilePhone("alan"))
            let (graceChat, alanChat) = (grace.fixture.chat, alan.fixture.chat)
            let (graceAddress, alanAddress) = (grace.fixture.address, alan.fixture.address)
            try awaited { try await alanChat.add(graceAddress.text, name: "Grace") }
            waitUntil("she is on the list") { alanChat.buddies.row(of: graceAddress)?.isListed == true }
            let bytes = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let path = try grace.write(bytes, "photo ä.png")
            let problems = try awaited { await graceChat.uploads?.attach([path], to: alanAddress) }
            XCTAssertEqual(problems, [])
            waitUntil("it waits") { grace.messages(alanAddress).map(\.needsUpload) == [true] }
            grace.fixture.restart()
            waitUntil("the server has it") {
                let state = grace.messages(alanAddress).first?.state
                return state == .sent || state == .delivered
            }
            waitUntil("it has come") { alan.messages(graceAddress).count == 1 }
            let message = try XCTUnwrap(alan.messages(graceAddress).first)
            let file = try XCTUnwrap(message.file)
            XCTAssertEqual(message.text, "photo ä.png")
            XCTAssert(file.isPicture)
            alanChat.downloads?.look(at: message)
            waitUntil("it is downloaded") { alan.path(of: file) != nil }
            XCTAssertEqual(
                try Data(contentsOf: URL(fileURLWithPath: XCTUnwrap(alan.path(of: file)))), bytes)
            XCTAssertEqual(grace.messages(alanAddress).map(\.text), ["photo ä.png"])
            XCTAssertEqual(alan.messages(graceAddress).count, 1)
            for phone in [grace, alan] { phone.fixture.end() }
        }
    }

    func testFileIsSentToRoomOnce() throws {
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try FilePhone("grace"), try FilePhone("alan"))
            try grace.fixture.join(room, as: "Grace")
            try alan.fixture.join(room, as: "alan", creates: false)
            let path = try grace.write(Data("minutes".utf8), "minutes.txt")
            let chat = grace.fixture.chat
            let problems = try awaited { await chat.uploads?.attach([path], to: ChatAddress(room)) }
            XCTAssertEqual(problems, [])
            waitUntil("the room has it") { grace.fixture.messages(room).map(\.state) == [.sent] }
            waitUntil("it has come") { alan.fixture.messages(room).count == 1 }
            XCTAssertEqual(grace.fixture.texts(room), ["minutes.txt"])
            XCTAssertEqual(alan.fixture.texts(room), ["minutes.txt"])
            let message = try XCTUnwrap(alan.fixture.messages(room).first)
            let file = try XCTUnwrap(message.file)
            let downloads = try XCTUnwrap(alan.fixture.chat.downloads)
            downloads.look(at: message)
            waitUntil("it is not there") { downloads.state(of: file) == .absent }
            let came = try awaited { await downloads.path(of: message) }
            XCTAssertEqual(try String(contentsOfFile: XCTUnwrap(came), encoding: .utf8), "minutes")
            for phone in [grace, alan] { phone.fixture.end() }
        }
    }
}

/// A phone with files in a folder of its own.
@MainActor
final class FilePhone {
    let fixture: RoomFixture
    private let storage = MemoryFileStorage()
    private let folder: String

    init(_ name: String) throws {
        folder = try TemporaryFolders.make("touchtone-flow")
        storage.folder = folder
        fixture = try RoomFixture(
            name, files: FileDependencies(transfers: try transfers(), storage: storage) { false })
    }

    /// Writes a file, and returns its path.
    func write(_ bytes: Data, _ name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try bytes.write(to: URL(fileURLWithPath: path))
        storage.add(path, size: Int64(bytes.count))
        return path
    }

    func messages(_ buddy: ChatAddress) -> [ChatMessage] { fixture.store.table.messages(of: buddy) }

    func path(of file: SharedFile) -> String? {
        if case .present(let path)? = fixture.chat.downloads?.state(of: file) { path } else { nil }
    }
}

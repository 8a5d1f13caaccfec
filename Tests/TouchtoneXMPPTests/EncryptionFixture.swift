// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
@testable import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// A device that encrypts, behind a relay, with a store on the disk.
@MainActor
final class EncryptedDesk {
    let account: XMPPAccount
    let folder: String
    private(set) var program: Program
    /// All that any run of the program has sent.
    private(set) var sent: [String] = []
    private let relay: Relay
    private let wall = RunningWallClock()
    private let storage = MemoryFileStorage()
    private let files: FileDependencies?

    /// The state that a kill ends.
    @MainActor
    final class Program {
        let client: XMPPClient
        let session: XMPPAccountSession
        let store: SQLiteStore
        let chat: Chat
        let clock = ManualScheduler()
        let names = CountedNames()

        /// - Parameter mark: What distinguishes the messages of this run from all others.
        init(
            _ account: XMPPAccount, store: SQLiteStore, mark: String, wall: RunningWallClock,
            files: FileDependencies?
        ) {
            self.store = store
            client = XMPPClient(account: account, clock: clock, lookup: FakeLookup(), network: FakeNetwork())
            session = XMPPAccountSession(
                client: client, store: store, clock: clock, wall: wall, pictures: nil, keys: store)
            let names = names
            chat = Chat(
                store: store, account: ChatAddress(account.jid.bare), services: [session], clock: clock,
                wall: wall, names: { "\(names.next())-\(mark)-unique" }, files: files)
            session.whenKept = { [weak chat] completion in chat?.whenKept(completion) }
        }
    }

    private var runs = 1

    /// - Parameters:
    ///   - encrypts: Whether it publishes keys, and encrypts without being told.
    ///   - hasFiles: Whether it sends and receives files.
    init(_ name: String, account known: XMPPAccount? = nil, encrypts: Bool = true, hasFiles: Bool = false)
        throws
    {
        folder = try TemporaryFolders.make("touchtone-encryption")
        storage.folder = folder
        files = hasFiles ? FileDependencies(transfers: try transfers(), storage: storage) { false } : nil
        relay = try Relay(to: try TestServer.shared().port)
        var account = try known ?? TouchtoneXMPPTests.account(name)
        account.port = relay.port
        self.account = account
        program = Program(
            account, store: SQLiteStore(home: folder), mark: "\(folder.suffix(6))-1", wall: wall, files: files
        )
        begin(encrypts)
        waitUntil("\(name) is ready") { isReady }
    }

    private func begin(_ encrypts: Bool) {
        program.client.onSend = { [weak self] in self?.sent.append($0.serialized(in: Namespace.client)) }
        program.session.encryption?.isAutomatic = encrypts
        program.session.signIn()
    }

    var isReady: Bool {
        let module = program.session.encryptionModule
        return program.session.context.isReady
            && (!module.isAutomatic || module.publisher.isAccepted == true)
    }
    var chat: Chat { program.chat }
    var encryption: Encryption { program.session.encryptionModule }
    var address: ChatAddress { ChatAddress(account.jid.bare) }

    func messages(with buddy: ChatAddress) -> [ChatMessage] {
        (try? awaited { [program] in
            try await program.store.messages(of: buddy, before: nil, count: 10_000)
        }) ?? []
    }

    func texts(with buddy: ChatAddress) -> [String] { messages(with: buddy).map(\.text) }

    func send(_ text: String, to buddy: ChatAddress) { chat.send(text, to: buddy) }

    /// Writes a file, and returns its path.
    func write(_ bytes: Data, _ name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try bytes.write(to: URL(fileURLWithPath: path))
        storage.add(path, size: Int64(bytes.count))
        return path
    }

    /// Sends a file with words about it.
    func sendFile(_ path: String, text: String = "", to buddy: ChatAddress) throws {
        let chat = chat
        let problems = try awaited {
            guard let uploads = chat.uploads else { return ["no files"] }
            let (drafts, problems) = await uploads.drafts(of: [path], to: buddy)
            return await problems + uploads.send(drafts, text: text, to: buddy)
        }
        XCTAssertEqual(problems, [])
    }

    /// Downloads the file of a message, and returns its content.
    func content(of message: ChatMessage) throws -> Data {
        let downloads = try XCTUnwrap(chat.downloads)
        let path = try awaited { await downloads.path(of: message) }
        return try Data(contentsOf: URL(fileURLWithPath: XCTUnwrap(path)))
    }

    /// Lets what follows from received messages happen.
    func tidy(for time: Duration = .seconds(3)) { program.clock.advance(by: time) }

    /// Publishes new keys in place of those that were used: a device that comes later may choose any that is published.
    func renewKeys(file: StaticString = #filePath, line: UInt = #line) {
        tidy()
        waitUntil("the server has the present keys", file: file, line: line) {
            let (store, client, now) = (program.store, program.client, wallNow)
            return
                (try? awaited {
                    let own = try await store.ownKeys(at: now)
                    let items = try await client.published(OMEMO.bundle(of: own.device))
                    return OMEMO.bundle(in: items) == own.bundle
                }) == true
        }
    }

    /// Lets the time pass after which the archive is asked again.
    func passTime() {
        // While nothing is read, silence does not end the connection.
        program.session.setPaused(true)
        program.clock.advance(by: CatchUp.lag)
        program.session.setPaused(false)
    }

    func cut() { relay.breakConnections() }

    /// Ends the program as a kill would, and starts it again.
    func restart(encrypts: Bool = true) {
        cut()
        program.session.onEvent = nil
        program.session.signOut()
        // What it still writes must not come after what the next one has read.
        let store = program.store
        try? awaited { await store.close() }
        runs += 1
        program = Program(
            account, store: SQLiteStore(home: folder), mark: "\(folder.suffix(6))-\(runs)", wall: wall,
            files: files)
        begin(encrypts)
        // In a long storm, the server is behind for minutes.
        waitUntil("it is ready again", seconds: TestLength.isLong ? 900 : 60) {
            // The clock stands still: it would never try once more.
            if case .waiting = program.client.state { program.session.wakeUp() }
            return isReady
        }
    }

    /// Ends the program, copies its store, and starts it again.
    func copyStore() throws -> String {
        let copy = try TemporaryFolders.make("touchtone-copy") + "/data"
        try end { try FileManager.default.copyItem(atPath: folder + "/.local", toPath: copy) }
        return copy
    }

    /// Ends the program, puts an older copy of its store in place, and starts it again.
    func restoreStore(from copy: String) throws {
        try end {
            try FileManager.default.removeItem(atPath: folder + "/.local")
            try FileManager.default.copyItem(atPath: copy, toPath: folder + "/.local")
        }
    }

    private func end(then change: () throws -> Void) throws {
        program.session.onEvent = nil
        program.session.signOut()
        let store = program.store
        try awaited { await store.close() }
        try change()
        restart()
    }

    /// Whether the texts have arrived, with the protection of trusted keys.
    func has(_ texts: [String], of buddy: ChatAddress) -> Bool {
        let messages = messages(with: buddy).filter { $0.sender != .me }
        return messages.map(\.text) == texts
            && messages.allSatisfy { $0.content.protection == .encrypted(.blind) }
    }
}

extension SQLiteStore {
    /// Creates a store in a home folder of its own.
    convenience init(home: String) {
        self.init(folders: UserFolders(home: home) { _ in nil }, busyTimeout: 5000)
    }
}

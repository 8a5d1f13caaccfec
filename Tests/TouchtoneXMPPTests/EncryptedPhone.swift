// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GLibBridge
import TestSupport
import TouchtoneCore
import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// A program with several accounts, each behind a relay, and one file of messages, which records all that leaves it.
@MainActor
final class EncryptedPhone {
    let accounts: [XMPPAccount]
    /// The sessions and chats; an account is at one of these places, which it can change, or at none.
    private(set) var programs: [EncryptedDesk.Program] = []
    private(set) var places: [Int?]
    /// All that any run of the program has sent, in order: stanzas, and the contents of uploads.
    private(set) var sent: [String] = []
    /// Whether what the first account sends gets lost from the next upload on.
    var freezesAtUpload = false
    private let transfers: RecordedTransfers?
    private let folder: String
    private let relays: [Relay]
    private let wall = RunningWallClock()
    private let storage = MemoryFileStorage()
    private var runs = 0

    init(_ names: [String], hasFiles: Bool) throws {
        folder = try TemporaryFolders.make("touchtone-accounts")
        storage.folder = folder
        transfers = hasFiles ? RecordedTransfers(try TouchtoneXMPPTests.transfers()) : nil
        let relays = try names.map { _ in try Relay(to: try TestServer.shared().port) }
        self.relays = relays
        accounts = try zip(names, relays).map { name, relay in
            var account = try TouchtoneXMPPTests.account(name)
            account.port = relay.port
            return account
        }
        places = accounts.indices.map { $0 }
        transfers?.onUpload = { [weak self] in
            guard let self else { return }
            sent.append(String(decoding: $0, as: UTF8.self))
            if freezesAtUpload { freeze(0) }
            freezesAtUpload = false
        }
        begin()
        waitUntil("the accounts are online") { isReady }
    }

    private func begin() {
        runs += 1
        // A picture’s small copy is its beginning.
        let files = transfers.map {
            FileDependencies(
                transfers: $0, storage: storage,
                thumbnail: { String(decoding: $0.prefix(60), as: UTF8.self) },
                removesMetadata: { false })
        }
        let store = SQLiteStore(home: folder)
        programs = accounts.indices.map { place in
            EncryptedDesk.Program(
                accounts[places[place] ?? place],
                store: place == 0 ? store : SQLiteStore(sharingFileOf: store),
                mark: "\(folder.suffix(6))-\(place)-\(runs)", wall: wall, files: files)
        }
        for (place, program) in programs.enumerated() {
            program.client.onSend = { [weak self] in
                self?.sent.append($0.serialized(in: Namespace.client))
            }
            program.session.onDropped = { DebugLog.write("dropped: \($0)") }
            if places[place] == nil { program.session.use("") } else { program.session.signIn() }
        }
    }

    var isReady: Bool {
        zip(programs, places).allSatisfy { program, account in
            account == nil
                || program.session.context.isReady
                    && program.session.encryptionModule.publisher.isAccepted == true
        }
    }

    /// Returns what has the account now; nil if it is removed.
    func program(of account: Int) -> EncryptedDesk.Program? {
        places.firstIndex(of: account).map { programs[$0] }
    }

    func address(of account: Int) -> ChatAddress { ChatAddress(accounts[account].jid.bare) }

    func messages(of account: Int, with buddy: ChatAddress) -> [ChatMessage] {
        guard let store = program(of: account)?.store else { return [] }
        return (try? awaited { try await store.messages(of: buddy, before: nil, count: 10_000) }) ?? []
    }

    /// Sends a file with that name and content.
    func sendFile(_ text: String, ending: String, size: Int, of account: Int, to buddy: ChatAddress) {
        guard let uploads = program(of: account)?.chat.uploads else { return }
        let path = "\(folder)/\(text).\(ending)"
        let bytes = Data((text + String(repeating: ".", count: max(0, size - text.utf8.count))).utf8)
        try? bytes.write(to: URL(fileURLWithPath: path))
        storage.add(path, size: Int64(bytes.count), mediaType: ending == "png" ? "image/png" : "text/plain")
        Task {
            let (drafts, _) = await uploads.drafts(of: [path], to: buddy)
            _ = await uploads.send(drafts, text: "", to: buddy)
        }
    }

    // MARK: Accidents

    func cut(_ account: Int) { relays[account].breakConnections() }

    /// Lets what an account sends get lost, until its connection is cut.
    func freeze(_ account: Int) { relays[account].swallow() }

    /// Ends the program as a kill would, and starts it again.
    func kill() {
        for relay in relays { relay.breakConnections() }
        for program in programs {
            program.session.onEvent = nil
            program.session.signOut()
        }
        begin()
    }

    /// Removes an account from the program.
    func remove(_ account: Int) {
        guard let place = places.firstIndex(of: account) else { return }
        programs[place].session.use("")
        places[place] = nil
    }

    /// Adds the removed accounts again, at other places than before if there are any.
    func addRemoved() {
        let missing = accounts.indices.filter { !places.contains($0) }
        let free = places.indices.filter { places[$0] == nil }
        for (account, place) in zip(missing.reversed(), free) {
            places[place] = account
            put(account, at: place)
        }
    }

    /// Lets two accounts change places, as when the first one is removed, or the list is put in order.
    func swap() {
        places.reverse()
        for (place, account) in places.enumerated() {
            if let account { put(account, at: place) } else { programs[place].session.use("") }
        }
    }

    private func put(_ account: Int, at place: Int) {
        let session = programs[place].session
        session.use(accounts[account].jid.bare.description)
        session.account = accounts[account]
        session.signIn()
    }

    func end() { for program in programs { program.session.signOut() } }
}

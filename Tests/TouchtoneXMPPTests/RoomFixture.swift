// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// A wall clock that follows the system's: the age of a room's past messages depends on it.
@MainActor
final class RunningWallClock: WallClock {
    /// The difference to the system's clock, in milliseconds.
    var lead: Int64 = 0
    var now: ChatTime { ChatTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + lead) }
}

/// An account behind a relay, with its conversations, and a disk that outlives them.
@MainActor
final class RoomFixture {
    let account: XMPPAccount
    let store = MemoryMessageStore()
    private(set) var program: Program
    private let relay: Relay
    private let names = CountedNames()
    private let files: FileDependencies?
    private let stage: RandomStage?
    let wall = RunningWallClock()

    /// The state that a kill ends.
    @MainActor
    final class Program {
        let client: XMPPClient
        let xmpp: XMPPAccountSession
        let chat: Chat
        let clock = ManualScheduler()

        init(
            _ account: XMPPAccount, store: MemoryMessageStore, names: CountedNames, wall: RunningWallClock,
            files: FileDependencies?, stage: RandomStage?
        ) {
            client = XMPPClient(
                account: account, clock: clock, lookup: FakeLookup(), network: FakeNetwork())
            xmpp = XMPPAccountSession(
                client: client, store: store, clock: clock, wall: wall, pictures: nil,
                pipeline: stage?.pipeline(),
                encryption: stage?.stage())
            let own = ChatAddress(account.jid)
            chat = Chat(
                store: store, account: own, services: [xmpp], clock: clock, wall: wall, names: names.next,
                files: files)
            xmpp.whenKept = { [weak chat] completion in chat?.whenKept(completion) }
            xmpp.signIn()
        }
    }

    /// Creates an account.
    ///
    /// - Parameter stage: The stage that decrypts received messages; nil for none.
    init(
        _ name: String, account known: XMPPAccount? = nil, files: FileDependencies? = nil,
        stage: RandomStage? = nil
    ) throws {
        (self.files, self.stage) = (files, stage)
        relay = try Relay(to: try TestServer.shared().port)
        var account = try known ?? TouchtoneXMPPTests.account(name)
        account.port = relay.port
        self.account = account
        program = Program(account, store: store, names: names, wall: wall, files: files, stage: stage)
        waitUntil("\(name) is ready") { [program] in program.xmpp.context.isReady }
    }

    var chat: Chat { program.chat }
    var xmpp: XMPPAccountSession { program.xmpp }
    var address: ChatAddress { ChatAddress(account.jid) }

    /// Returns the state of a room in the list.
    func room(_ jid: JID) -> Room? { chat.buddies.row(of: ChatAddress(jid))?.room }

    /// Returns an occupant of a room.
    func person(_ name: String, in room: JID) throws -> RoomPerson {
        try XCTUnwrap(xmpp.roomSessions.people(in: ChatAddress(room)).first { $0.nickname == name })
    }

    func join(
        _ room: JID, as name: String, password: String = "", creates: Bool = true, isPrivate: Bool = false
    ) throws {
        let chat = chat
        try awaited(for: "\(name) in \(room)") {
            try await chat.join(
                room.description, as: name, password: password,
                creation: creates ? RoomCreation(isPrivate: isPrivate) : nil)
        }
    }

    /// Tries to enter, and returns the reason of the refusal.
    func refusal(_ room: JID, as name: String, creates: Bool = false) throws -> RoomError? {
        do {
            try join(room, as: name, creates: creates)
            return nil
        } catch let error as RoomError {
            return error
        }
    }

    func send(_ text: String, to jid: JID) { chat.send(text, to: ChatAddress(jid)) }

    /// The messages of a room, without its notices.
    func messages(_ jid: JID) -> [ChatMessage] {
        store.table.messages(of: ChatAddress(jid)).filter { $0.sender != .buddy }
    }

    func texts(_ jid: JID) -> [String] { messages(jid).map(\.text) }

    func notices(_ jid: JID) -> [String] {
        store.table.messages(of: ChatAddress(jid)).filter { $0.sender == .buddy }.map(\.text)
    }

    /// Breaks the connection.
    func cut() { relay.breakConnections() }

    /// Ends the program as a kill would, and starts it again.
    func restart() {
        relay.breakConnections()
        program = Program(account, store: store, names: names, wall: wall, files: files, stage: stage)
    }

    /// Reconnects at once, as if the network returned.
    func reconnect() { if case .waiting = program.client.state { program.xmpp.wakeUp() } }

    /// Lets the time pass after which the phone asks the archives again.
    func passTime() {
        // While nothing is read, silence does not end the connection.
        program.xmpp.setPaused(true)
        program.clock.advance(by: CatchUp.lag)
        program.xmpp.setPaused(false)
    }

    /// Whether the user is in a room, with all messages that were missed.
    func isReady(in room: JID) -> Bool {
        program.xmpp.context.isReady && program.xmpp.roomSessions.session(room)?.isReady == true
    }

    func end() { program.xmpp.signOut() }
}

/// An occupant with a stable connection, who sees what a room sends.
@MainActor
final class RawOccupant {
    let session: Session
    let room: JID
    let name: String
    private(set) var texts: [String] = []
    /// Called with each message of the room.
    var onMessage: (@MainActor (Message) -> Void)?

    init(_ name: String, in room: JID) throws {
        (session, self.room, self.name) = (try signedIn(name), room, name)
        session.client.onStanza = { [weak self] in self?.handle($0) }
        session.client.send(Presence().element)
        session.client.send(try XCTUnwrap(MultiUserChat.entering(room, as: name)).element)
        waitUntil("\(name) is in the room") { self.isInside }
    }

    private(set) var isInside = false

    private func handle(_ stanza: InboundStanza) {
        switch stanza {
        case .message(let message, _):
            if message.kind == .groupchat, let body = message.body { texts.append(body) }
            onMessage?(message)
        case .presence(let presence):
            if MultiUserChat.codes(in: presence).contains(110) { isInside = presence.kind == .available }
        default: break
        }
    }

    /// Sends a receipt and a marker to the room.
    func confirm(_ name: String, archiveName: String) {
        for var stanza in [
            Receipts.receipt(for: name, to: room), ChatMarkers.displayed(archiveName, to: room),
        ] {
            stanza.kind = .groupchat
            session.client.send(stanza.element)
        }
    }

    func say(_ text: String, id: String? = nil, extensions: [XMLElement] = []) {
        let id = id ?? "\(name)-\(String(repeating: "0", count: 16))-\(text)"
        session.client.send(Message(.groupchat, to: room, id: id, body: text, extensions: extensions).element)
    }
}

/// Returns the address of a room that does not exist yet.
@MainActor
func newRoom(_ server: String = "rooms.localhost") throws -> JID {
    try XCTUnwrap(JID("talk-\(UInt32.random(in: 0...UInt32.max))@\(server)"))
}

/// Returns two devices of one account, which have both entered a room that is bookmarked.
@MainActor
func twoDevices(in room: JID) throws -> (desk: RoomFixture, phone: RoomFixture) {
    let desk = try RoomFixture("grace")
    let phone = try RoomFixture("grace", account: desk.account)
    try desk.join(room, as: "Grace")
    waitUntil("the phone follows") { phone.isReady(in: room) }
    waitUntil("it is bookmarked") { desk.room(room)?.record.isBookmarked == true }
    return (desk, phone)
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests that each message arrives once and in order in spite of broken connections, lost streams and killed programs.
final class OutageTests: XMPPTestCase {
    func testEachMessageArrivesOnceAndInOrderUnderCuts() throws {
        try onMainActor {
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SplitMix64(seed: seed)
            // A query of ejabberd's archive takes as long as reading all of it.
            let rounds =
                TestServer.current == .prosody
                ? TestLength.cases(15, long: 50) : TestLength.cases(8, long: 20)
            let messages = 40
            let alan = try Counterpart()
            let stage = RandomStage(seed: seed)
            let grace = try OutageFixture(alan.address, stage)
            try grace.befriend(alan)
            let standing = { "with seed \(seed), \(alan.texts.count) out, \(grace.standing)" }
            for round in 0..<rounds {
                // Each kind comes once, and is recovered from.
                let isFirst = round < Cut.allCases.count
                let cut = Cut.allCases[
                    isFirst ? round : Int.random(in: 0..<Cut.allCases.count, using: &random)]
                let split = Int.random(in: 0...messages, using: &random)
                let moment = Int.random(in: 0...messages, using: &random)
                let known = grace.countOfTheirs
                for index in 0..<messages {
                    alan.send("\(round * messages + index)", to: grace.account.jid)
                    if index < split { grace.send("\(round * messages + index)") }
                }
                waitUntil("\(moment) of round \(round) have come (seed \(seed))") {
                    grace.reconnect()
                    return grace.countOfTheirs >= known + moment
                }
                try grace.suffer(cut)
                for index in split..<messages { grace.send("\(round * messages + index)") }
                // Sometimes the next cut comes before recovery is complete.
                if isFirst || Bool.random(using: &random) {
                    try grace.passTime(after: "\((round + 1) * messages - 1)")
                    waitUntil("round \(round) is over, \(standing())") {
                        grace.reconnect()
                        let count = (round + 1) * messages
                        return grace.countOfTheirs == count && alan.texts.count >= count
                    }
                }
            }
            let all = (0..<rounds * messages).map { "\($0)" }
            try grace.passTime(after: all[all.count - 1])
            waitUntil("all has arrived, \(standing())", seconds: 120) {
                grace.reconnect()
                return grace.countOfTheirs >= all.count && alan.texts.count >= all.count
                    && grace.isAllDelivered
            }
            XCTAssertEqual(grace.theirs.map(\.text), all, "seed \(seed)")
            XCTAssertEqual(grace.mine.map(\.text), all, "seed \(seed)")
            XCTAssertEqual(alan.texts, all, "seed \(seed)")
            XCTAssertEqual(Set(grace.mine.map(\.state)), [.delivered], "seed \(seed)")
            XCTAssertEqual(grace.store.table.buddies, [alan.address])
            XCTAssertGreaterThan(grace.resumptions, 0)
            XCTAssertGreaterThan(grace.beginnings, 1)
            // Later messages were decrypted before earlier ones.
            XCTAssertGreaterThan(stage.overtaken, 0)
            grace.end()
        }
    }
}

/// The way in which a connection is lost.
private enum Cut: CaseIterable {
    /// The connection breaks, and the stream can be resumed.
    case connection
    /// The connection breaks, and the server loses the stream.
    case stream
    /// The program is killed and started again.
    case program
}

/// A buddy that sends numbered messages on a stable connection.
@MainActor
private final class Counterpart {
    let session: Session
    private var seen = 0
    private(set) var texts: [String] = []

    init() throws {
        session = try signedIn("alan")
        session.client.onStanza = { [weak self] in self?.handle($0) }
        session.client.send(Presence().element)
    }

    var address: ChatAddress { ChatAddress(session.client.account.jid.bare.description) }

    func send(_ text: String, to jid: JID) {
        session.client.send(
            Message(
                to: jid.bare, id: "alan-\(String(repeating: "0", count: 12))-\(text)", body: text,
                extensions: [Receipts.request]
            ).element)
    }

    private func handle(_ stanza: InboundStanza) {
        switch stanza {
        case .message(let message, _):
            if let body = message.body { texts.append(body) }
            if message.extension(Receipts.namespace, "request") != nil, let id = message.id,
                let from = message.from
            {
                session.client.send(Receipts.receipt(for: id, to: from).element)
            }
        case .presence(let presence) where presence.kind == .subscribe:
            guard let from = presence.from else { return }
            session.client.send(Presence(.subscribed, to: from).element)
            session.client.send(Presence(.subscribe, to: from).element)
        default: break
        }
    }
}

/// The conversations of an account behind a relay, with a disk that outlives them.
@MainActor
private final class OutageFixture {
    let account: XMPPAccount
    let store = MemoryMessageStore()
    private(set) var resumptions = 0
    private(set) var beginnings = 0
    private let buddy: ChatAddress
    private let stage: RandomStage
    private let relay: Relay
    private let names = CountedNames()
    private let wall = FixedWallClock(4_000_000_000_000)
    private var counted = (all: 0, theirs: 0)
    private var program: Program?
    /// Another program of the account, which reads the archive.
    private let reader: Session

    /// The state that a kill ends.
    @MainActor
    private final class Program {
        let client: XMPPClient
        let xmpp: XMPPAccountSession
        let chat: Chat
        let clock = ManualScheduler()

        init(_ fixture: OutageFixture) {
            client = XMPPClient(
                account: fixture.account, clock: clock, lookup: FakeLookup(), network: FakeNetwork())
            xmpp = XMPPAccountSession(
                client: client, store: fixture.store, clock: clock, wall: fixture.wall, pictures: nil,
                pipeline: fixture.stage.pipeline(), encryption: fixture.stage.stage())
            chat = Chat(
                store: fixture.store, services: [xmpp], clock: clock, wall: fixture.wall,
                names: fixture.names.next)
            xmpp.whenKept = { [weak chat] completion in chat?.whenKept(completion) }
            let told = client.onEvent
            client.onEvent = { [weak fixture] event in
                if case .resumed = event { fixture?.resumptions += 1 }
                if case .began = event { fixture?.beginnings += 1 }
                told?(event)
            }
            xmpp.signIn()
        }
    }

    init(_ buddy: ChatAddress, _ stage: RandomStage) throws {
        relay = try Relay(to: try TestServer.shared().port)
        var account = try TouchtoneXMPPTests.account("grace")
        account.port = relay.port
        self.account = account
        (self.buddy, self.stage) = (buddy, stage)
        account.port = try TestServer.shared().port
        reader = Session(account)
        reader.client.signIn()
        program = Program(self)
        waitUntil("the archive can be read") { [reader] in reader.isOnline }
    }

    var theirs: [ChatMessage] { store.table.messages(of: buddy).filter { $0.sender != .me } }
    var mine: [ChatMessage] { store.table.messages(of: buddy).filter { $0.sender == .me } }
    /// The number of received messages.
    ///
    /// Each turn of the main loop reads it, so it is updated only if a message was added.
    var countOfTheirs: Int {
        let messages = store.table.messages(of: buddy)
        if messages.count != counted.all { counted = (messages.count, messages.count { $0.sender != .me }) }
        return counted.theirs
    }

    /// The messages that have come so far, for the failure of a test that waited in vain.
    var standing: String {
        let texts = Set(theirs.map(\.text))
        let missing = (0..<counted.all).map(String.init).first { !texts.contains($0) }
        let state = program.map { "\($0.client.state), ready: \($0.xmpp.context.isReady)" }
        return "\(texts.count) in, \(missing ?? "none") missing, \(state ?? "no program")"
    }

    /// Whether the buddy has confirmed each message of the user.
    var isAllDelivered: Bool {
        store.table.messages(of: buddy).allSatisfy { $0.sender != .me || $0.state == .delivered }
    }

    func befriend(_ other: Counterpart) throws {
        let buddy = buddy
        let chat = try XCTUnwrap(program?.chat)
        waitUntil("it is online") { chat.state == .online }
        let xmpp = try XCTUnwrap(program?.xmpp)
        try awaited { try await xmpp.rosterModule.add(buddy, name: "Alan") }
        waitUntil("they are buddies") { chat.buddies.row(of: buddy)?.availability == .online }
    }

    func send(_ text: String) { program?.chat.send(text, to: buddy) }

    /// Reconnects at once, as if the network returned.
    func reconnect() {
        if case .waiting? = program?.client.state { program?.xmpp.wakeUp() }
    }

    /// Waits until the phone or the archive has the buddy's message, and then lets the time pass after which the phone asks
    /// the archive again, and waits for the answer.
    ///
    /// ejabberd archives a message for a lost stream only when it gets to it, at the latest when the stream can no longer be
    /// resumed, and the phone may have asked before. Some messages of a resumed stream it never archives.
    func passTime(after text: String) throws {
        let limit = ContinuousClock.now + .seconds(90)
        var isThere = false
        while true {
            reconnect()
            // The newest page, because the archive may add what precedes a message that it already has.
            var query = Archive.Query(.before(nil), with: JID(buddy.text))
            query.maximum = Archive.maximumPerPage
            let page = try awaited { [reader, query] in try await reader.client.archive(query) }
            isThere = page.items.contains {
                $0.message.from?.bare.description == buddy.text && $0.message.body == text
            }
            isThere = isThere || theirs.last?.text == text
            guard !isThere, ContinuousClock.now < limit else { break }
            // An archive does not tell of new messages.
            var isOver = false
            let timer = MainLoop.after(milliseconds: 100) { isOver = true }
            waitUntil("it is asked again") { isOver }
            timer.cancel()
        }
        XCTAssert(isThere, "neither the phone nor the archive has \(text)")
        waitUntil("it has caught up") {
            reconnect()
            return program?.xmpp.context.isReady == true
        }
        // While nothing is read, silence does not end the connection.
        program?.xmpp.setPaused(true)
        program?.clock.advance(by: CatchUp.lag)
        program?.xmpp.setPaused(false)
        // A look may move messages page by page.
        let xmpp = try XCTUnwrap(program?.xmpp)
        waitUntil("it has asked the archive again") { xmpp.archive.catchUp.isComplete }
        try awaited { await xmpp.context.flush() }
    }

    func suffer(_ cut: Cut) throws {
        relay.breakConnections()
        guard let client = program?.client else { return }
        switch cut {
        case .connection: break
        case .stream:
            guard let jid = client.address else { break }
            waitUntil("the connection is lost") { client.state != .online }
            var other = account
            other.jid = jid
            other.port = try TestServer.shared().port
            let thief = Session(other)
            thief.client.signIn()
            waitUntil("another has its name") { thief.isOnline }
            thief.client.signOut()
        case .program:
            program = nil
            program = Program(self)
        }
    }

    func end() {
        program?.xmpp.signOut()
        reader.client.signOut()
    }
}

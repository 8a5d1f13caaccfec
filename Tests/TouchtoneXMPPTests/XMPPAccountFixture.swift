// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// The conversations of an account, with a record of their events.
@MainActor
final class XMPPAccountFixture {
    let client: XMPPClient
    let chat: XMPPAccountSession
    let clock = ManualScheduler()
    let network = FakeNetwork()
    let store: MemoryMessageStore
    let wall = FixedWallClock(4_000_000_000_000)
    private(set) var events: [ChatServiceEvent] = []
    private(set) var dropped: [String] = []

    init(
        _ account: XMPPAccount, store: MemoryMessageStore = MemoryMessageStore(),
        pictures: (any AvatarStore)? = nil, encryption: MessageStage<OutgoingMessage>? = nil,
        keys: (any KeyStore)? = nil, calls: CallDependencies? = nil, storage: EntryStorage? = nil
    ) {
        let watch = network
        client = XMPPClient(account: account, clock: clock, lookup: FakeLookup(), network: watch)
        client.serverStorage = storage
        self.store = store
        chat = XMPPAccountSession(
            client: client, store: store, clock: clock, wall: wall, pictures: pictures,
            encryption: encryption, keys: keys, calls: calls)
        chat.onEvent = { [weak self] event in
            self?.handle(event)
        }
        chat.onDropped = { [weak self] in self?.dropped.append($0) }
        chat.signIn()
    }

    var address: ChatAddress { ChatAddress(client.account.jid.bare.description) }
    var jid: JID { client.account.jid.bare }

    /// The number of times that the service became ready to send.
    private(set) var readyCount = 0
    private(set) var facts: [MessageUpdate] = []
    /// The messages received on the stream and at the archive's newest end, in the order in which they were reported.
    private(set) var came: [ReceivedMessage] = []

    private func handle(_ event: ChatServiceEvent) {
        events.append(event)
        switch event {
        case .ready: readyCount += 1
        case .updates(let new):
            store.apply(new) { _ in }
            facts += new
            for fact in new {
                switch fact {
                case .received(let message): came.append(message)
                case .archived(let piece): if case .newest = piece.end { came += piece.messages }
                default: break
                }
            }
        default: break
        }
    }

    /// Returns the position in the archive that the store has after all updates so far.
    func archiveCursor() throws -> String? {
        try awaited { [store] in try await store.archiveCursor() }
    }

    /// Their texts.
    var texts: [String] { came.map(\.text) }

    /// The states of the service, in order.
    var states: [AccountState] {
        events.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    /// The gateways that were found, in order.
    var gateways: [ChatAddress] {
        events.compactMap { if case .gateway(let gateway) = $0 { gateway } else { nil } }
    }

    /// The problem that requires action of the user; nil for none.
    var problem: AccountProblem? { if case .failed(let problem) = chat.state { problem } else { nil } }

    /// The buddies as last reported.
    var buddies: [ChatAddress: BuddyRecord] {
        var buddies: [ChatAddress: BuddyRecord] = [:]
        for event in events {
            switch event {
            case .buddies(let records, _):
                buddies = Dictionary(uniqueKeysWithValues: records.map { ($0.address, $0) })
            case .buddy(let record, _): buddies[record.address] = record
            case .buddyRemoved(let buddy, _): buddies[buddy] = nil
            default: break
            }
        }
        return buddies
    }

    /// The pending subscription requests.
    var requests: [ChatAddress] {
        var requests: [ChatAddress] = []
        for event in events {
            switch event {
            case .request(let buddy, _): if !requests.contains(buddy) { requests.append(buddy) }
            case .requestGone(let buddy): requests.removeAll { $0 == buddy }
            default: break
            }
        }
        return requests
    }

    /// Returns the last reported presence of a buddy's devices.
    func presence(of buddy: ChatAddress) -> [DevicePresence] {
        var devices: [String: DevicePresence] = [:]
        for event in events {
            switch event {
            case .presenceReset: devices = [:]
            case .presence(buddy, let device, let presence): devices[device] = presence
            default: break
            }
        }
        return devices.sorted { $0.key < $1.key }.map(\.value)
    }

    func forgetEvents() { (events, facts, came, readyCount) = ([], [], [], 0) }

    /// Lets time pass.
    ///
    /// While nothing is read, silence does not end the connection.
    func passTime(_ time: Duration) {
        chat.setPaused(true)
        clock.advance(by: time)
        chat.setPaused(false)
    }

    /// Sends a pending message.
    func send(_ text: String, to buddy: ChatAddress, name: String? = nil) {
        chat.messaging.send(message(text, to: buddy, name: name ?? text))
    }

    func message(
        _ text: String, to buddy: ChatAddress, name: String, state: MessageState = .waiting
    ) -> ChatMessage {
        ChatMessage(
            id: 0, conversation: ConversationID(buddy), sender: .me, content: MessageContent(text),
            time: wall.now, place: 0, state: state, name: name)
    }
}

/// Returns an account that is online and has caught up.
@MainActor
func fixture(
    _ name: String, store: MemoryMessageStore = MemoryMessageStore(), file: StaticString = #filePath,
    line: UInt = #line
) throws -> XMPPAccountFixture {
    let fixture = XMPPAccountFixture(try account(name), store: store)
    waitUntil("\(name) is ready", file: file, line: line) { fixture.readyCount == 1 }
    return fixture
}

/// Returns two accounts that are online.
@MainActor
func desks(file: StaticString = #filePath, line: UInt = #line) throws -> (
    XMPPAccountFixture, XMPPAccountFixture
) {
    (try fixture("grace", file: file, line: line), try fixture("alan", file: file, line: line))
}

/// Makes two accounts each other's buddies.
@MainActor
func befriend(_ one: XMPPAccountFixture, _ other: XMPPAccountFixture) throws {
    try awaited { try await one.chat.rosterModule.add(other.address, name: "") }
    waitUntil("one is asked") { other.requests == [one.address] }
    try awaited { try await other.chat.rosterModule.answerRequest(of: one.address, accept: true) }
    waitUntil("they are buddies") {
        [one.buddies[other.address], other.buddies[one.address]].allSatisfy {
            $0?.tellsMe == true && $0?.toldByMe == true
        } && !one.presence(of: other.address).isEmpty && !other.presence(of: one.address).isEmpty
    }
}

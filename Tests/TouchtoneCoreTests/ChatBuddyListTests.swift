// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatBuddyListTests {
    private func record(_ name: String, _ given: String = "") -> BuddyRecord {
        BuddyRecord(ChatAddress("\(name)@example.org"), name: given, tellsMe: true, toldByMe: true)
    }
    private func address(_ name: String) -> ChatAddress { ChatAddress("\(name)@example.org") }

    @Test func operatorIsListedWithoutAccount() async throws {
        let fixture = try await ChatFixture(buddies: [])
        #expect(fixture.chat.buddies.rows.map(\.name) == ["Operator"])
        let row = try #require(fixture.chat.buddies.rows.first)
        #expect(row.isOperator && row.isListed && row.availability == .online)
        fixture.service.tell(.buddies([], version: nil))
        fixture.service.tell(.presenceReset)
        fixture.chat.ownPresence.availability = .offline
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.buddies.rows.map(\.availability) == [.online])
    }

    @Test func nobodyIsOnlineWithoutConnection() async throws {
        let fixture = try await ChatFixture(buddies: [record("ada"), record("bob")])
        let room = ChatAddress("tea@rooms.example.org")
        func shown() -> [Availability] {
            [address("ada"), address("bob"), room].compactMap {
                fixture.chat.buddies.row(of: $0)?.availability
            }
        }
        fixture.service.tell(.state(.online))
        fixture.service.tell(.presence(address("ada"), device: "x", DevicePresence(.away)))
        fixture.service.tell(.typing(address("ada"), .composing))
        fixture.service.tell(.room(Room(RoomRecord(room, nickname: "me"), standing: .joined)))
        await fixture.pass(.seconds(1))
        #expect(shown() == [.away, .offline, .online] && fixture.chat.buddies.onlineCount == 2)
        // Short cuts are not shown, however often the phone tries again.
        fixture.service.tell(.state(.waiting("gone")))
        fixture.service.tell(.state(.connecting))
        await fixture.pass(.seconds(4))
        #expect(shown() == [.away, .offline, .online])
        fixture.service.tell(.state(.waiting("gone")))
        await fixture.pass(.seconds(1))
        #expect(shown() == [.offline, .offline, .offline])
        #expect(fixture.chat.buddies.row(of: address("ada"))?.isTyping == false)
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.buddies.onlineCount == 1, "the Operator")
        // The resumed stream has missed nothing.
        fixture.service.tell(.state(.online))
        #expect(shown() == [.away, .offline, .online])
        fixture.service.tell(.state(.signedOut))
        #expect(shown() == [.offline, .offline, .offline])
        fixture.service.tell(.state(.connecting))
        await fixture.pass(.seconds(10))
        #expect(shown() == [.offline, .offline, .offline])
    }

    @Test func availableBuddiesComeFirstThenByName() async throws {
        let names = ["zoe", "bert", "Anna", "Élise", "carl", "dora", "ernst"]
        let fixture = try await ChatFixture(buddies: names.map { record($0.lowercased(), $0) })
        let states: [(String, Availability)] = [
            ("zoe", .chat), ("bert", .online), ("anna", .away), ("élise", .extendedAway), ("carl", .busy),
        ]
        for (name, state) in states {
            fixture.service.tell(.presence(address(name), device: "x", DevicePresence(state)))
        }
        await fixture.pass(.seconds(1))
        #expect(
            fixture.chat.buddies.rows.map(\.name) == [
                "bert", "Operator", "zoe", "Anna", "Élise", "carl", "dora", "ernst",
            ])
        #expect(fixture.chat.buddies.onlineCount == 6)
        fixture.chat.buddies.sortKey = { Array($0.utf8.reversed()) }
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.buddies.rows.prefix(3).map(\.name) == ["zoe", "Operator", "bert"])
    }

    @Test func presenceOfHighestPriorityDeviceIsShown() async throws {
        let fixture = try await ChatFixture()
        func row() async -> String {
            await fixture.pass(.seconds(1))
            let row = fixture.chat.buddies.row(of: ada)
            return row.map { "\($0.availability) \($0.status)" } ?? "none"
        }
        func tell(_ device: String, _ presence: DevicePresence?) {
            fixture.service.tell(.presence(ada, device: device, presence))
        }
        #expect(await row() == "offline ")
        tell("desk", DevicePresence(.away, status: "at lunch", priority: 5))
        #expect(await row() == "away at lunch")
        tell("phone", DevicePresence(.online, status: "here", priority: 1))
        #expect(await row() == "away at lunch")
        tell("phone", DevicePresence(.online, status: "here", priority: 7))
        #expect(await row() == "online here")
        tell("phone", DevicePresence(.busy, status: "there", priority: 5))
        #expect(await row() == "away at lunch", "of equal ones the more available")
        tell("desk", nil)
        #expect(await row() == "busy there")
        tell("bot", DevicePresence(.chat, priority: -1))
        #expect(await row() == "busy there")
        tell("phone", nil)
        tell("bot", nil)
        #expect(await row() == "offline ", "once all are")
        #expect(fixture.chat.buddies.rows.count { $0.id == ada } == 1)
    }

    @Test func repeatedPresenceIsOneChange() async throws {
        let fixture = try await ChatFixture()
        await fixture.pass(.seconds(1))
        var changes: [BuddyList.Change] = []
        fixture.chat.buddies.observe(by: fixture) { changes.append($0) }
        for _ in 0..<1000 {
            fixture.service.tell(.presence(ada, device: "phone", DevicePresence(.online, status: "hi")))
        }
        await fixture.pass(.seconds(1))
        #expect(changes == [.rows])
        for index in 0..<1000 {
            fixture.service.tell(
                .presence(ada, device: "phone \(index)", DevicePresence(.online, status: "hi")))
        }
        await fixture.pass(.seconds(1))
        #expect(changes == [.rows], "from any number of devices")
        fixture.service.tell(
            .presence(ada, device: "phone", DevicePresence(.online, status: "hello", priority: 1)))
        #expect(changes == [.rows, .row(ada)])
        #expect(fixture.chat.buddies.rows.first { $0.id == ada }?.status == "hello")
        #expect(fixture.clock.pending == 0)
    }

    @Test func fiveThousandSignOnsCauseFewSorts() async throws {
        let buddies = (0..<5000).map { record("b\($0)", "Buddy \($0)") }
        let fixture = try await ChatFixture(buddies: buddies)
        await fixture.pass(.seconds(1))
        var changes: [BuddyList.Change] = []
        fixture.chat.buddies.observe(by: fixture) { changes.append($0) }
        for (index, buddy) in buddies.enumerated() {
            fixture.service.tell(.presence(buddy.address, device: "x", DevicePresence(.online)))
            // They arrive in 50 batches within a second.
            if index % 100 == 99 { fixture.clock.advance(by: .milliseconds(20)) }
        }
        await fixture.pass(.seconds(1))
        #expect(changes.count <= 11)
        #expect(changes.allSatisfy { $0 == .rows })
        #expect(fixture.chat.buddies.onlineCount == 5001)
        changes = []
        for buddy in buddies {
            fixture.service.tell(.presence(buddy.address, device: "x", DevicePresence(.away)))
        }
        await fixture.pass(.seconds(1))
        #expect(changes == [.rows], "all at once is one")
    }

    private func preview(_ name: String, _ time: Int64) -> MessagePreview {
        MessagePreview(
            ChatMessage(
                id: time, conversation: ConversationID(address(name)), sender: .buddy,
                content: MessageContent("hi"), time: ChatTime(milliseconds: time), place: time,
                state: .received))
    }

    @Test func messagesInTopmostConversationMoveNoRow() async throws {
        let fixture = try await ChatFixture(buddies: [record("ada"), record("bob")])
        let buddies = fixture.chat.buddies
        buddies.setLast(preview("ada", 1), of: address("ada"))
        buddies.setLast(preview("bob", 2), of: address("bob"))
        await fixture.pass(.seconds(1))
        var changes: [BuddyList.Change] = []
        buddies.observe(by: fixture) { changes.append($0) }
        for time in 3...9 { buddies.setLast(preview("bob", Int64(time)), of: address("bob")) }
        await fixture.pass(.seconds(1))
        #expect(changes == Array(repeating: .row(address("bob")), count: 7))
        changes = []
        buddies.setLast(preview("ada", 10), of: address("ada"))
        await fixture.pass(.seconds(1))
        #expect(changes == [.rows] && buddies.order.prefix(2) == [address("ada"), address("bob")])
        // Among the rows of another account, it may move.
        buddies.isMerged = true
        buddies.setLast(preview("ada", 11), of: address("ada"))
        await fixture.pass(.seconds(1))
        #expect(changes == [.rows, .rows])
    }

    @Test(arguments: Seeds.all)
    func rowsStandInOrderWhateverChanges(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let names = (0..<12).map { "b\($0)" }
        let fixture = try await ChatFixture(buddies: names.map { record($0) })
        let buddies = fixture.chat.buddies
        for _ in 0..<100 {
            let name = try #require(names.randomElement(using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: buddies.set([.pinned], of: address(name))
            case 1: buddies.set([], of: address(name))
            case 2: buddies.setLast(nil, of: address(name))
            case 3: buddies.set(DevicePresence(.away), of: "x", address(name))
            default:
                buddies.setLast(preview(name, Int64.random(in: 1...20, using: &random)), of: address(name))
            }
            if Bool.random(using: &random) { fixture.clock.advance(by: .milliseconds(60)) }
        }
        await fixture.pass(.seconds(1))
        var expected = BuddyOrder(.byTime)
        for buddy in buddies.buddies(where: \.isShown) { expected.add(buddy) }
        // Conversations of the same time are in any order.
        func key(_ address: ChatAddress) -> BuddyOrder.Group? {
            buddies.buddy(at: address).map { BuddyOrder.Group(of: $0, .byTime) }
        }
        #expect(buddies.order.map(key) == expected.sorted().map(key))
    }

    @Test(arguments: [
        ("gra", ["Grace Hopper"]), ("HOPPER", ["Grace Hopper"]), ("grace@", ["Grace Hopper"]),
        ("47223", ["Grace Hopper"]), ("4722346", ["Grace Hopper"]), ("467737", ["Grace Hopper"]),
        ("hop gra", ["Grace Hopper"]), ("7223", []), ("5673", ["José"]), ("555-01", ["+1 555 0100"]),
        ("+1 (555)", ["+1 555 0100"]), ("jose", ["José"]), ("josé", ["José"]), ("nobody", []),
        ("0", ["Operator", "+1 555 0100"]), ("6737", ["Operator"]), ("gateway", ["+1 555 0100"]),
        (" ", ["Grace Hopper", "José", "Operator", "+1 555 0100"]),
    ])
    func buddiesAreFoundByQuery(_ typed: String, _ found: [String]) async throws {
        let gateway = BuddyRecord(ChatAddress("+15550100@gateway.example.org"), name: "+1 555 0100")
        let fixture = try await ChatFixture(buddies: [
            record("grace", "Grace Hopper"), record("jp", "José"), gateway,
        ])
        let buddies = fixture.chat.buddies
        #expect(Set(buddies.found(typed).compactMap { buddies.row(of: $0)?.name }) == Set(found))
    }

    @Test func strangersWithMessagesAreListed() async throws {
        let fixture = try await ChatFixture(facts: [
            received("old", from: bob), .seen(buddy: bob, upTo: .place(.max)),
            received("new", from: address("carl")),
        ])
        #expect(
            Set(fixture.chat.buddies.rows.map(\.id)) == [bob, address("carl"), .operatorAddress, ada])
        let carl = fixture.chat.buddies.row(of: address("carl"))
        #expect(carl?.isListed == false && carl?.unread == 1)
        #expect(fixture.chat.buddies.found("bob") == [bob], "a buddy with a conversation is found")
    }

    @Test func rosterOfServiceReplacesStoredOne() async throws {
        let fixture = try await ChatFixture(buddies: [record("ada", "Ada"), record("bob", "Bob")])
        #expect(fixture.chat.buddies.rows.map(\.name) == ["Operator", "Ada", "Bob"])
        fixture.service.tell(.buddies([record("bob", " "), record("carl", "Carl")], version: "2"))
        await fixture.pass(.seconds(1))
        #expect(
            fixture.chat.buddies.rows.map(\.name) == ["Operator", "bob@example.org", "Carl"],
            "no name is empty")
        fixture.service.tell(.buddy(record("dora", "Dora"), version: "3"))
        fixture.service.tell(.buddyRemoved(bob, version: "4"))
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.buddies.rows.map(\.name) == ["Operator", "Carl", "Dora"])
        #expect(fixture.store.buddies.map(\.name) == ["Carl", "Dora"])
        #expect(fixture.store.version == "4")
        #expect(fixture.store.listSavings == 2, "not once for each change")
    }

    @Test func requestsWaitForUser() async throws {
        let fixture = try await ChatFixture()
        fixture.service.tell(.request(bob, text: "It is me"))
        fixture.service.tell(.request(bob, text: "It is me"))
        #expect(fixture.chat.buddies.requests == [.init(id: bob, text: "It is me")])
        fixture.service.error = .offline
        await #expect(throws: ChatServiceError.offline) {
            try await fixture.chat.answerRequest(of: bob, accept: true)
        }
        #expect(fixture.chat.buddies.requests.count == 1)
        fixture.service.error = nil
        try await fixture.chat.answerRequest(of: bob, accept: true)
        #expect(fixture.chat.buddies.requests == [])
        for index in 0..<1000 { fixture.service.tell(.request(address("spam\(index)"), text: "x")) }
        #expect(fixture.chat.buddies.requests.count == 200)
        fixture.service.tell(.requestGone(address("spam0")))
        #expect(fixture.chat.buddies.requests.first?.id == address("spam1"))
    }

    @Test func addingWaitsUntilTheConnectionIsSettled() async throws {
        let fixture = try await ChatFixture()
        fixture.service.tell(.state(.connecting))
        _ = fixture.service.takeCalls()
        let adding = Task { try await fixture.chat.add("bob@example.org", name: "Bob") }
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [])
        fixture.service.tell(.state(.online))
        try await adding.value
        #expect(fixture.service.takeCalls().contains(.add(bob, "Bob")))
    }

    @Test func buddiesAreAddedRenamedRemovedAndBlocked() async throws {
        let fixture = try await ChatFixture()
        await #expect(throws: ChatServiceError.self) { try await fixture.chat.add("no address", name: "") }
        try await fixture.chat.add("BOB@example.org", name: "Bob")
        try await fixture.chat.rename(bob, "Bobby")
        try await fixture.chat.setBlocked(true, bob)
        fixture.service.tell(.blocked([bob]))
        await fixture.tell(received("hello", from: bob))
        #expect(fixture.arrivals == [], "nothing is heard of who is blocked")
        _ = try await fixture.open(bob)
        try await fixture.chat.remove(bob)
        #expect(fixture.chat.selected == nil)
        #expect(
            fixture.service.calls == [
                .add(bob, "Bob"), .rename(bob, "Bobby"), .block(bob, true), .remove(bob),
            ])
        await #expect(throws: ChatServiceError.unsupported) {
            try await fixture.chat.remove(.operatorAddress)
        }
    }

    @Test func picturesAreBounded() async throws {
        let fixture = try await ChatFixture()
        var changes: [BuddyList.Change] = []
        fixture.chat.buddies.observe(by: fixture) { changes.append($0) }
        fixture.service.tell(.picture(ada, [1, 2, 3]))
        fixture.service.tell(.picture(ada, [1, 2, 3]))
        #expect(fixture.chat.buddies.picture(of: ada) == [1, 2, 3])
        #expect(changes == [.picture(ada)])
        fixture.service.tell(.picture(ada, nil))
        #expect(fixture.chat.buddies.picture(of: ada) == nil)
        fixture.service.tell(.picture(ada, [UInt8](repeating: 0, count: 600_000)))
        #expect(fixture.chat.buddies.picture(of: ada) == nil)
        for index in 0..<100 {
            fixture.service.tell(.picture(address("p\(index)"), [UInt8](repeating: 1, count: 500_000)))
        }
        #expect(fixture.chat.buddies.picture(of: address("p0")) == nil)
        #expect(fixture.chat.buddies.picture(of: address("p99")) != nil)
    }

    @Test func idleUserBecomesAwayUnlessStatusWasChosen() async throws {
        let fixture = try await ChatFixture()
        let away = AutoAway(Messenger(fixture.chat), clock: fixture.clock, limit: .seconds(600))
        await fixture.pass(.seconds(599))
        away.recordInput()
        await fixture.pass(.seconds(599))
        #expect(fixture.service.takeCalls() == [])
        #expect(fixture.clock.pending == 1)
        await fixture.pass(.seconds(1))
        #expect(fixture.service.takeCalls() == [.presence(OwnPresence(.away))])
        #expect(fixture.clock.pending == 0, "who is away wakes nothing")
        away.recordInput()
        #expect(fixture.service.takeCalls() == [.presence(OwnPresence(.online))])
        fixture.chat.ownPresence = OwnPresence(.busy, status: "work")
        _ = fixture.service.takeCalls()
        await fixture.pass(.seconds(600))
        #expect(fixture.chat.isIdle)
        #expect(fixture.service.takeCalls() == [], "who does not want to be disturbed stays so")
        away.recordInput()
        away.setLocked(true)
        away.recordInput()
        #expect(fixture.chat.isIdle)
        away.setLocked(false)
        #expect(!fixture.chat.isIdle)
    }

    @Test func desktopIdleTimeIsCheckedBeforeAway() async throws {
        let fixture = try await ChatFixture()
        let away = AutoAway(Messenger(fixture.chat), clock: fixture.clock, limit: .seconds(600))
        let desktop = Desktop()
        away.idleTime = { desktop.idle }
        await fixture.pass(.seconds(600))
        #expect(!fixture.chat.isIdle)
        await fixture.pass(.seconds(589))
        #expect(!fixture.chat.isIdle)
        desktop.idle = .seconds(600)
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.isIdle)
        desktop.idle = nil
        away.recordInput()
        await fixture.pass(.seconds(600))
        #expect(fixture.chat.isIdle, "where the desktop says nothing, the window knows")
    }
}

/// A desktop with a known idle time.
@MainActor
private final class Desktop {
    var idle: Duration? = .seconds(10)
}

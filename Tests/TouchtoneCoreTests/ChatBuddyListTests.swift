// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatBuddyListTests {
    private func record(_ name: String, _ given: String = "") -> BuddyRecord {
        BuddyRecord(ChatAddress("\(name)@example.org"), name: given, tellsMe: true, toldByMe: true)
    }
    private func address(_ name: String) -> ChatAddress { ChatAddress("\(name)@example.org") }

    @Test func theOperatorIsThereWithoutAnAccount() async throws {
        let desk = try await ChatDesk(buddies: [])
        #expect(desk.chat.buddies.rows.map(\.name) == ["Operator"])
        let row = try #require(desk.chat.buddies.rows.first)
        #expect(row.isExchange && row.isListed && row.availability == .online)
        desk.service.tell(.buddies([], version: nil))
        desk.service.tell(.presenceReset)
        desk.chat.ownPresence.availability = .offline
        await desk.pass(.seconds(1))
        #expect(desk.chat.buddies.rows.map(\.availability) == [.online])
    }

    @Test func theAvailableStandFirstThenGoesTheName() async throws {
        let names = ["zoe", "bert", "Anna", "Élise", "carl", "dora", "ernst"]
        let desk = try await ChatDesk(buddies: names.map { record($0.lowercased(), $0) })
        let states: [(String, Availability)] = [
            ("zoe", .chat), ("bert", .online), ("anna", .away), ("élise", .extendedAway), ("carl", .busy),
        ]
        for (name, state) in states {
            desk.service.tell(.presence(address(name), device: "x", DevicePresence(state)))
        }
        await desk.pass(.seconds(1))
        #expect(
            desk.chat.buddies.rows.map(\.name) == [
                "bert", "Operator", "zoe", "Anna", "Élise", "carl", "dora", "ernst",
            ])
        #expect(desk.chat.buddies.onlineCount == 6)
        desk.chat.buddies.sortKey = { Array($0.utf8.reversed()) }
        await desk.pass(.seconds(1))
        #expect(desk.chat.buddies.rows.prefix(3).map(\.name) == ["zoe", "Operator", "bert"])
    }

    @Test func theDeviceOfTheHighestPriorityCounts() async throws {
        let desk = try await ChatDesk()
        func row() async -> String {
            await desk.pass(.seconds(1))
            let row = desk.chat.buddies.row(of: ada)
            return row.map { "\($0.availability) \($0.status)" } ?? "none"
        }
        func tell(_ device: String, _ presence: DevicePresence?) {
            desk.service.tell(.presence(ada, device: device, presence))
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
        #expect(desk.chat.buddies.rows.count { $0.id == ada } == 1)
    }

    @Test func theSamePresenceAThousandTimesIsOneChange() async throws {
        let desk = try await ChatDesk()
        await desk.pass(.seconds(1))
        var changes: [BuddyList.Change] = []
        desk.chat.buddies.follow(desk) { changes.append($0) }
        for _ in 0..<1000 {
            desk.service.tell(.presence(ada, device: "phone", DevicePresence(.online, status: "hi")))
        }
        await desk.pass(.seconds(1))
        #expect(changes == [.rows])
        for index in 0..<1000 {
            desk.service.tell(.presence(ada, device: "phone \(index)", DevicePresence(.online, status: "hi")))
        }
        await desk.pass(.seconds(1))
        #expect(changes == [.rows], "from any number of devices")
        desk.service.tell(
            .presence(ada, device: "phone", DevicePresence(.online, status: "hello", priority: 1)))
        #expect(changes == [.rows, .row(ada)])
        #expect(desk.chat.buddies.rows.first { $0.id == ada }?.status == "hello")
        #expect(desk.clock.pending == 0)
    }

    @Test func fiveThousandWhoSignOnAreFewArrangements() async throws {
        let buddies = (0..<5000).map { record("b\($0)", "Buddy \($0)") }
        let desk = try await ChatDesk(buddies: buddies)
        await desk.pass(.seconds(1))
        var changes: [BuddyList.Change] = []
        desk.chat.buddies.follow(desk) { changes.append($0) }
        for (index, buddy) in buddies.enumerated() {
            desk.service.tell(.presence(buddy.address, device: "x", DevicePresence(.online)))
            // They come in 50 pieces, within a second.
            if index % 100 == 99 { desk.clock.advance(by: .milliseconds(20)) }
        }
        await desk.pass(.seconds(1))
        #expect(changes.count <= 11)
        #expect(changes.allSatisfy { $0 == .rows })
        #expect(desk.chat.buddies.onlineCount == 5001)
        changes = []
        for buddy in buddies {
            desk.service.tell(.presence(buddy.address, device: "x", DevicePresence(.away)))
        }
        await desk.pass(.seconds(1))
        #expect(changes == [.rows], "all at once is one")
    }

    @Test(arguments: [
        ("gra", ["Grace Hopper"]), ("HOPPER", ["Grace Hopper"]), ("grace@", ["Grace Hopper"]),
        ("47223", ["Grace Hopper"]), ("4722346", ["Grace Hopper"]), ("467737", ["Grace Hopper"]),
        ("hop gra", ["Grace Hopper"]), ("7223", []), ("5673", ["José"]), ("555-01", ["+1 555 0100"]),
        ("+1 (555)", ["+1 555 0100"]), ("jose", ["José"]), ("josé", ["José"]), ("nobody", []),
        ("0", ["Operator", "+1 555 0100"]), ("6737", ["Operator"]), ("gateway", ["+1 555 0100"]),
        (" ", ["Grace Hopper", "José", "Operator", "+1 555 0100"]),
    ])
    func theyAreFound(_ typed: String, _ found: [String]) async throws {
        let gateway = BuddyRecord(ChatAddress("+15550100@gateway.example.org"), name: "+1 555 0100")
        let desk = try await ChatDesk(buddies: [
            record("grace", "Grace Hopper"), record("jp", "José"), gateway,
        ])
        desk.chat.buddies.filter = typed
        await desk.pass(.seconds(1))
        #expect(Set(desk.chat.buddies.rows.map(\.name)) == Set(found))
    }

    @Test func strangersWhoWroteAreListedUntilTheyAreDealtWith() async throws {
        let desk = try await ChatDesk(facts: [
            came("old", from: bob), .seen(buddy: bob, upTo: .place(.max)), came("new", from: address("carl")),
        ])
        #expect(desk.chat.buddies.rows.map(\.id) == [.exchange, ada, address("carl")])
        #expect(desk.chat.buddies.rows.last?.isListed == false)
        #expect(desk.chat.buddies.rows.last?.unread == 1)
        desk.chat.buddies.filter = "bob"
        await desk.pass(.seconds(1))
        #expect(desk.chat.buddies.rows.map(\.id) == [bob], "whom one talked with is found")
    }

    @Test func theListOfTheServiceReplacesTheOneThatWasKept() async throws {
        let desk = try await ChatDesk(buddies: [record("ada", "Ada"), record("bob", "Bob")])
        #expect(desk.chat.buddies.rows.map(\.name) == ["Operator", "Ada", "Bob"])
        desk.service.tell(.buddies([record("bob", " "), record("carl", "Carl")], version: "2"))
        await desk.pass(.seconds(1))
        #expect(
            desk.chat.buddies.rows.map(\.name) == ["Operator", "bob@example.org", "Carl"], "no name is empty")
        desk.service.tell(.buddy(record("dora", "Dora"), version: "3"))
        desk.service.tell(.buddyRemoved(bob, version: "4"))
        await desk.pass(.seconds(1))
        #expect(desk.chat.buddies.rows.map(\.name) == ["Operator", "Carl", "Dora"])
        #expect(desk.store.buddies.map(\.name) == ["Carl", "Dora"])
        #expect(desk.store.version == "4")
        #expect(desk.store.listSavings == 2, "not once for each change")
    }

    @Test func requestsWaitForMeAlone() async throws {
        let desk = try await ChatDesk()
        desk.service.tell(.request(bob, text: "It is me"))
        desk.service.tell(.request(bob, text: "It is me"))
        #expect(desk.chat.buddies.requests == [.init(id: bob, text: "It is me")])
        desk.service.error = .offline
        await #expect(throws: ChatServiceError.offline) {
            try await desk.chat.answerRequest(of: bob, accept: true)
        }
        #expect(desk.chat.buddies.requests.count == 1)
        desk.service.error = nil
        try await desk.chat.answerRequest(of: bob, accept: true)
        #expect(desk.chat.buddies.requests == [])
        for index in 0..<1000 { desk.service.tell(.request(address("spam\(index)"), text: "x")) }
        #expect(desk.chat.buddies.requests.count == 200)
        desk.service.tell(.requestGone(address("spam0")))
        #expect(desk.chat.buddies.requests.first?.id == address("spam1"))
    }

    @Test func theyAreAddedNamedRemovedAndBlocked() async throws {
        let desk = try await ChatDesk()
        await #expect(throws: ChatServiceError.self) { try await desk.chat.add("no address", name: "") }
        try await desk.chat.add("BOB@example.org", name: "Bob")
        try await desk.chat.rename(bob, "Bobby")
        try await desk.chat.setBlocked(true, bob)
        desk.service.tell(.blocked([bob]))
        await desk.tell(came("hello", from: bob))
        #expect(desk.arrivals == [], "nothing is heard of who is blocked")
        _ = try await desk.open(bob)
        try await desk.chat.remove(bob)
        #expect(desk.chat.selected == nil)
        #expect(
            desk.service.calls == [
                .add(bob, "Bob"), .rename(bob, "Bobby"), .block(bob, true), .remove(bob),
            ])
        await #expect(throws: ChatServiceError.unsupported) { try await desk.chat.remove(.exchange) }
    }

    @Test func picturesHaveBounds() async throws {
        let desk = try await ChatDesk()
        var changes: [BuddyList.Change] = []
        desk.chat.buddies.follow(desk) { changes.append($0) }
        desk.service.tell(.picture(ada, [1, 2, 3]))
        desk.service.tell(.picture(ada, [1, 2, 3]))
        #expect(desk.chat.buddies.picture(of: ada) == [1, 2, 3])
        #expect(changes == [.picture(ada)])
        desk.service.tell(.picture(ada, nil))
        #expect(desk.chat.buddies.picture(of: ada) == nil)
        desk.service.tell(.picture(ada, [UInt8](repeating: 0, count: 600_000)))
        #expect(desk.chat.buddies.picture(of: ada) == nil)
        for index in 0..<100 {
            desk.service.tell(.picture(address("p\(index)"), [UInt8](repeating: 1, count: 500_000)))
        }
        #expect(desk.chat.buddies.picture(of: address("p0")) == nil)
        #expect(desk.chat.buddies.picture(of: address("p99")) != nil)
    }

    @Test func whoIsIdleIsAwayUnlessItSaidOtherwise() async throws {
        let desk = try await ChatDesk()
        let away = IdleAway(chat: desk.chat, clock: desk.clock, limit: .seconds(600))
        await desk.pass(.seconds(599))
        away.noteInput()
        await desk.pass(.seconds(599))
        #expect(desk.service.takeCalls() == [])
        #expect(desk.clock.pending == 1)
        await desk.pass(.seconds(1))
        #expect(desk.service.takeCalls() == [.presence(OwnPresence(.away))])
        #expect(desk.clock.pending == 0, "who is away wakes nothing")
        away.noteInput()
        #expect(desk.service.takeCalls() == [.presence(OwnPresence(.online))])
        desk.chat.ownPresence = OwnPresence(.busy, status: "work")
        _ = desk.service.takeCalls()
        await desk.pass(.seconds(600))
        #expect(desk.chat.isIdle)
        #expect(desk.service.takeCalls() == [], "who does not want to be disturbed stays so")
        away.noteInput()
        away.setLocked(true)
        away.noteInput()
        #expect(desk.chat.isIdle)
        away.setLocked(false)
        #expect(!desk.chat.isIdle)
    }

    @Test func theDesktopIsAskedBeforeIAmAway() async throws {
        let desk = try await ChatDesk()
        let away = IdleAway(chat: desk.chat, clock: desk.clock, limit: .seconds(600))
        let desktop = Desktop()
        away.idleTime = { desktop.idle }
        await desk.pass(.seconds(600))
        #expect(!desk.chat.isIdle)
        await desk.pass(.seconds(589))
        #expect(!desk.chat.isIdle)
        desktop.idle = .seconds(600)
        await desk.pass(.seconds(1))
        #expect(desk.chat.isIdle)
        desktop.idle = nil
        away.noteInput()
        await desk.pass(.seconds(600))
        #expect(desk.chat.isIdle, "where the desktop says nothing, the window knows")
    }
}

/// A desktop that knows how long nobody has used it.
@MainActor
private final class Desktop {
    var idle: Duration? = .seconds(10)
}

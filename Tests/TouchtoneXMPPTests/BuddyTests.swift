// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of buddies, presence, requests and blocks on an independent server.
final class BuddyTests: XMPPTestCase {
    func testBuddiesAreAddedRenamedAndRemoved() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try awaited { try await grace.chat.rosterModule.add(alan.address, name: "Alan") }
            waitUntil("it is told") { grace.buddies[alan.address]?.isAsked == true }
            XCTAssertEqual(grace.buddies[alan.address]?.name, "Alan")
            // Another program has put the buddy into a group, which must stay.
            let jid = alan.jid
            try awaited { try await grace.client.setBuddy(jid, name: "Alan", groups: ["Work", "ü"]) }
            try awaited { try await grace.chat.rosterModule.rename(alan.address, "Turing") }
            waitUntil("it is told") { grace.buddies[alan.address]?.name == "Turing" }
            let roster = try awaited { try await grace.client.roster() }
            XCTAssertEqual(roster?.items.first?.groups.sorted(), ["Work", "ü"])

            waitUntil("alan is asked") { alan.requests == [grace.address] }
            try awaited { try await alan.chat.rosterModule.answerRequest(of: grace.address, accept: true) }
            XCTAssertEqual(alan.requests, [])
            // Grace has added alan, so she is not asked in turn.
            waitUntil("both see each other") {
                !grace.presence(of: alan.address).isEmpty && !alan.presence(of: grace.address).isEmpty
            }
            XCTAssertEqual(grace.requests, [])
            try awaited { try await grace.chat.rosterModule.remove(alan.address) }
            waitUntil("it is gone") { grace.buddies.isEmpty }
            XCTAssertEqual(grace.presence(of: alan.address), [])
            waitUntil("alan sees nothing more") { alan.presence(of: grace.address).isEmpty }
            XCTAssertThrowsError(
                try awaited { try await grace.chat.rosterModule.add(grace.address, name: "") })
        }
    }

    func testUnknownGroupsAreKept() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let jid = alan.jid
            try awaited { try await grace.client.setBuddy(jid, name: "Alan", groups: ["Work"]) }
            waitUntil("it is told") { grace.buddies[alan.address] != nil }
            // At the next start the list is as stored: without groups.
            let store = MemoryMessageStore()
            XCTAssertNotNil(grace.version)
            store.saveBuddies(Array(grace.buddies.values), version: grace.version)
            grace.chat.setPresence(OwnPresence(.offline))
            let again = XMPPAccountFixture(grace.client.account, store: store)
            waitUntil("it is ready") { again.readyCount == 1 }
            XCTAssertEqual(again.buddies, [:])
            try awaited { try await again.chat.rosterModule.rename(alan.address, "Turing") }
            let roster = try awaited { try await again.client.roster() }
            XCTAssertEqual(roster?.items.first?.groups, ["Work"])
            XCTAssertEqual(roster?.items.first?.name, "Turing")
        }
    }

    func testOnlyUserAnswersRequest() throws {
        try onMainActor {
            let (grace, mallory) = (try fixture("grace"), try fixture("mallory"))
            mallory.client.send(
                Presence(.subscribe, to: grace.jid, status: "It's me, Alan").element)
            waitUntil("it is told") { grace.requests == [mallory.address] }
            guard
                case .request(_, let text)? = grace.events.last(where: {
                    if case .request = $0 { true } else { false }
                })
            else { return XCTFail("no request") }
            XCTAssertEqual(text, "It's me, Alan")
            // The request still exists at the next sign-in, and is removed when it is withdrawn.
            grace.chat.setPresence(OwnPresence(.offline))
            XCTAssertEqual(grace.requests, [])
            grace.chat.setPresence(OwnPresence(.online))
            waitUntil("it is told again") { grace.requests == [mallory.address] }
            XCTAssertNil(grace.buddies[mallory.address])
            XCTAssertEqual(mallory.presence(of: grace.address), [])
            try awaited {
                try await grace.chat.rosterModule.answerRequest(of: mallory.address, accept: false)
            }
            XCTAssertEqual(grace.requests, [])
            waitUntil("the answer has come") { mallory.buddies[grace.address]?.tellsMe != true }
        }
    }

    func testPresenceIsReportedUnchanged() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            XCTAssertEqual(grace.presence(of: alan.address), [DevicePresence(.online)])
            for availability in [Availability.chat, .away, .extendedAway, .busy] {
                alan.chat.setPresence(OwnPresence(availability, status: "at <lunch>"))
                waitUntil("\(availability) is told") {
                    grace.presence(of: alan.address) == [DevicePresence(availability, status: "at <lunch>")]
                }
            }
            let phone = XMPPAccountFixture(alan.client.account)
            waitUntil("two devices are here") { grace.presence(of: alan.address).count == 2 }
            alan.chat.setPresence(OwnPresence(.offline))
            waitUntil("one is here") { grace.presence(of: alan.address) == [DevicePresence(.online)] }
            phone.chat.setPresence(OwnPresence(.offline))
            waitUntil("none is here") { grace.presence(of: alan.address) == [] }
            // The user's presence is sent at each sign-in.
            alan.chat.setPresence(OwnPresence(.busy, status: "at work"))
            waitUntil("it is told") {
                grace.presence(of: alan.address) == [DevicePresence(.busy, status: "at work")]
            }
        }
    }

    func testRepeatedPresenceIsReportedOnce() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            grace.forgetEvents()
            for _ in 0..<1000 { alan.client.send(Presence(show: .away, status: "x").element) }
            alan.client.send(Presence(show: .chat).element)
            waitUntil("the last has come") { grace.presence(of: alan.address).last?.availability == .chat }
            let told = grace.events.count { if case .presence = $0 { true } else { false } }
            XCTAssertEqual(told, 2)
        }
    }

    func testBlockedBuddiesAreIgnored() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            try awaited { try await grace.chat.rosterModule.setBlocked(true, alan.address) }
            waitUntil("it is told") { grace.blocked == [alan.address] }
            XCTAssertEqual(grace.presence(of: alan.address), [])
            alan.send("let me in", to: grace.address, name: "m1")
            waitUntil("it is refused") {
                alan.facts.contains { if case .failed(_, "m1", _) = $0 { true } else { false } }
            }
            XCTAssertEqual(grace.texts, [])
            try awaited { try await grace.chat.rosterModule.setBlocked(false, alan.address) }
            waitUntil("it is told") { grace.blocked == [] }
            alan.send("hello", to: grace.address)
            waitUntil("it comes") { grace.texts == ["hello"] }
            XCTAssertThrowsError(
                try awaited { try await grace.chat.rosterModule.setBlocked(true, .operatorAddress) })
        }
    }

    func testFailedRequestsAreReported() throws {
        try onMainActor {
            let grace = try fixture("grace")
            grace.chat.setPresence(OwnPresence(.offline))
            let alan = ChatAddress("alan@localhost")
            for question in [
                { try await grace.chat.rosterModule.add(alan, name: "") },
                { try await grace.chat.rosterModule.rename(alan, "x") },
                { try await grace.chat.rosterModule.remove(alan) },
                { try await grace.chat.rosterModule.setBlocked(true, alan) },
                { try await grace.chat.rosterModule.answerRequest(of: alan, accept: true) },
                { _ = try await grace.chat.messaging.loadHistory(of: alan, before: nil) },
            ] as [@MainActor () async throws -> Void] {
                XCTAssertThrowsError(try awaited { try await question() }) { error in
                    XCTAssertEqual(error as? ChatServiceError, .offline)
                }
            }
        }
    }
}

extension XMPPAccountFixture {
    /// The last reported version of the buddy list.
    var version: String? {
        events.reduce(nil) { known, event in
            switch event {
            case .buddies(_, let version), .buddy(_, let version), .buddyRemoved(_, let version): version
            default: known
            }
        }
    }

    /// The blocked addresses.
    var blocked: Set<ChatAddress>? {
        events.reduce(nil) { known, event in if case .blocked(let blocked) = event { blocked } else { known }
        }
    }
}

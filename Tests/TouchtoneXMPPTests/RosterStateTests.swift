// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the limits on strangers and floods of presence.
@Suite struct RosterStateTests {
    private let alan = ChatAddress("alan@localhost")

    private func book(_ subscription: String = "both", ask: String = "") throws -> RosterState {
        var book = RosterState()
        _ = book.handle(
            try roster("<item jid='alan@localhost' subscription='\(subscription)' \(ask)/>"))
        return book
    }

    private func roster(_ items: String) throws -> Roster {
        let text = "<query xmlns='jabber:iq:roster' ver='1'>\(items)</query>"
        return try #require(Roster(try XMLElementTests.read(text)))
    }

    private func presence(_ attributes: String, _ inside: String = "") throws -> Presence {
        try #require(Presence(try XMLElementTests.read("<presence \(attributes)>\(inside)</presence>")))
    }

    private func count(_ presented: RosterState.Presented) -> Int? {
        guard case .events(let events) = presented else { return nil }
        return events.count
    }

    @Test func strangersAreNotShown() throws {
        var book = try book()
        let stranger = count(book.handle(try presence("from='mallory@localhost/x'")))
        #expect(stranger == 0)
        let buddy = count(book.handle(try presence("from='alan@localhost/x'")))
        #expect(buddy == 1)
        // The repeated request is not reported.
        let again = count(book.handle(try presence("from='alan@localhost/x'")))
        #expect(again == 0)
    }

    /// With a stored roster, presence arrives before the buddies that were added since then.
    @Test func earlyPresenceCountsOnceTheSenderIsListed() throws {
        for isPush in [false, true] {
            var book = try book()
            #expect(count(book.handle(try presence("from='grace@localhost/a'"))) == 0)
            #expect(count(book.handle(try presence("from='grace@localhost/b'", "<show>away</show>"))) == 0)
            #expect(count(book.handle(try presence("from='grace@localhost/a' type='unavailable'"))) == 0)
            let item = try roster("<item jid='grace@localhost' subscription='both'/>")
            let events = isPush ? book.change(item) : book.handle(item)
            let devices = events.compactMap { event in
                if case .presence(let buddy, let device, let presence) = event {
                    "\(buddy.text)/\(device) \(presence?.availability as Availability?)"
                } else {
                    nil
                }
            }
            #expect(devices == ["grace@localhost/b \(Availability.away as Availability?)"])
            #expect(count(book.handle(try presence("from='grace@localhost/b'", "<show>away</show>"))) == 0)
        }
    }

    @Test func earlyPresenceIsBoundedAndEndsWithTheStream() throws {
        var book = try book()
        for index in 0..<UnlistedPresence.maximum + 10 {
            _ = book.handle(try presence("from='m\(index / 50)@localhost/\(index)'"))
        }
        _ = book.handle(try presence("from='grace@localhost/a'"))
        let item = "<item jid='grace@localhost' subscription='both'/>"
        #expect(book.change(try roster(item)).count == 1)
        _ = book.handle(try presence("from='hal@localhost/a'"))
        _ = book.begin()
        _ = book.handle(try presence("from='ada@localhost/a'"))
        #expect(book.change(try roster("<item jid='hal@localhost' subscription='both'/>")).count == 1)
        #expect(book.change(try roster("<item jid='ada@localhost' subscription='both'/>")).count == 2)
    }

    @Test func devicesAndRequestsAreBounded() throws {
        var book = try book()
        var told = 0
        for index in 0..<1000 {
            told += count(book.handle(try presence("from='alan@localhost/\(index)'"))) ?? 0
        }
        #expect(told == RosterState.maximumDevices)
        // The disappearance of all of them is reported for each.
        let gone = count(book.handle(try presence("from='alan@localhost' type='unavailable'")))
        #expect(gone == told)
        told = 0
        for index in 0..<1000 {
            told += count(book.handle(try presence("from='m\(index)@localhost' type='subscribe'"))) ?? 0
        }
        #expect(told == RosterState.maximumRequests)
        let long = "<status>\(String(repeating: "x", count: 100_000))</status>"
        guard
            case .events(let events) = book.handle(try presence("from='alan@localhost/x'", long)),
            case .presence(_, _, let presence?)? = events.first
        else {
            Issue.record("no presence")
            return
        }
        #expect(presence.status.count == RosterState.maximumTextLength)
    }

    @Test(arguments: [
        ("none", "", false), ("from", "", false), ("to", "", true), ("none", "ask='subscribe'", true),
    ])
    func onlyMutualRequestIsAnswered(
        _ subscription: String, _ ask: String, _ isMutual: Bool
    ) throws {
        var book = try book(subscription, ask: ask)
        let presented = book.handle(try presence("from='alan@localhost' type='subscribe'"))
        #expect((count(presented) == nil) == isMutual)
        #expect(book.isAsking(alan) == !isMutual)
        // A stranger's request is never accepted automatically.
        let stranger = count(book.handle(try presence("from='mallory@localhost' type='subscribe'")))
        #expect(stranger == 1)
    }

    /// A subscription to a buddy's presence does not permit the buddy to see the user's, once declined.
    @Test(arguments: [("to", ""), ("none", "ask='subscribe'")])
    func declinedBuddyIsShownOnEachRequest(_ subscription: String, _ ask: String) throws {
        let subscribe = try presence("from='alan@localhost' type='subscribe'")
        var book = try book("none")
        _ = book.handle(subscribe)
        let declined = book.answered(alan) + book.setDeclined(true, alan)
        #expect(declined.count == 2)
        // The state as restored at the next start.
        var again = RosterState([try #require(book.record(of: alan))], version: "1")
        for _ in 0..<3 {
            let asked = count(again.handle(subscribe))
            #expect(asked == 1)
            _ = again.answered(alan)
            _ = again.handle(try roster("<item jid='alan@localhost' subscription='none'/>"))
        }
        // Requested since then, on another device or here.
        var elsewhere = again
        _ = elsewhere.change(try roster("<item jid='alan@localhost' subscription='none' ask='subscribe'/>"))
        _ = elsewhere.change(try roster("<item jid='alan@localhost' subscription='\(subscription)' \(ask)/>"))
        let mutual = count(elsewhere.handle(subscribe))
        #expect(mutual == nil)
        _ = again.setDeclined(false, alan)
        _ = again.change(try roster("<item jid='alan@localhost' subscription='\(subscription)' \(ask)/>"))
        let asked = count(again.handle(subscribe))
        #expect(asked == nil)
    }

    @Test func visibleBuddyIsDeclinedAllTheSame() throws {
        var book = try book("both")
        // The server has cancelled the subscription at the user's request.
        _ = book.setDeclined(true, alan)
        _ = book.change(try roster("<item jid='alan@localhost' subscription='to'/>"))
        let asked = count(book.handle(try presence("from='alan@localhost' type='subscribe'")))
        #expect(asked == 1)
        _ = book.change(try roster("<item jid='alan@localhost' subscription='both'/>"))
        #expect(book.record(of: alan)?.isDeclined == false, "accepted elsewhere")
    }

    @Test func subscriptionCancelledElsewhereIsNotRestored() throws {
        var book = try book("both")
        _ = book.change(try roster("<item jid='alan@localhost' subscription='to'/>"))
        let asked = count(book.handle(try presence("from='alan@localhost' type='subscribe'")))
        #expect(asked == 1)
    }

    @Test func blockedBuddiesAreRemoved() throws {
        var book = try book()
        _ = book.handle(try presence("from='alan@localhost/x'"))
        _ = book.handle(try presence("from='mallory@localhost' type='subscribe'"))
        let jids = try [#require(JID("alan@localhost")), #require(JID("mallory@localhost"))]
        let blocked = book.change(.blocked(jids))
        #expect(blocked.count == 3)
        #expect(book.blocked.count == 2)
        let one = book.change(.unblocked([jids[0]]))
        #expect(one.count == 1)
        let all = book.change(.unblockedAll)
        #expect(all.count == 1)
        #expect(book.blocked == [])
    }
}

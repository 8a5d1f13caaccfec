// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct BuddyOrderTests {
    private func buddy(_ address: String, _ name: String, _ availability: Availability) -> Buddy {
        var buddy = Buddy(ChatAddress(address), BuddyIdentity(), folding: .simple)
        buddy.take(BuddyRecord(ChatAddress(address), name: name)) { Array($0.utf8) }
        if availability != .offline { _ = buddy.set(DevicePresence(availability), of: "x") }
        return buddy
    }

    private func sorted(_ buddies: [Buddy], _ sorting: BuddyOrder.Sorting = .byPresence) -> [String] {
        var order = BuddyOrder(sorting)
        for buddy in buddies { order.add(buddy) }
        return order.sorted().map(\.text)
    }

    @Test func namesThatBeginAlikeAreComparedWhole() {
        let long = "a name of sixteen and more"
        let expected = ["6", "5", "3", "4", "1", "2", "7"]
        let buddies = [
            buddy("1", long + " a", .offline), buddy("2", long + " b", .offline),
            buddy("3", "a", .offline), buddy("4", "a b", .offline), buddy("5", "z", .away),
            buddy("6", "zz", .chat), buddy("7", long + " b", .offline),
        ]
        #expect(sorted(buddies) == expected)
        #expect(sorted(buddies.reversed()) == expected)
    }

    @Test func pinnedConversationsAreFirstThenTheNewestThenPeople() {
        func talked(_ address: String, _ time: Int64, pinned: Bool = false, hidden: Bool = false) -> Buddy {
            var buddy = buddy(address, address, .offline)
            buddy.last = MessagePreview(
                ChatMessage(
                    id: time, conversation: ConversationID(ChatAddress(address)), sender: .buddy,
                    content: MessageContent("hi"), time: ChatTime(milliseconds: time), place: 1,
                    state: .received))
            if pinned { buddy.settings.insert(.pinned) }
            if hidden { buddy.settings.insert(.hidden) }
            return buddy
        }
        let buddies = [
            buddy("online", "a", .online), buddy("offline", "b", .offline), talked("old", 1),
            talked("new", 3), talked("pinned", 2, pinned: true), talked("pinned, new", 4, pinned: true),
            talked("hidden", 9, hidden: true),
        ]
        let expected = ["pinned, new", "pinned", "new", "old", "online", "offline", "hidden"]
        #expect(sorted(buddies, .byTime) == expected)
        #expect(sorted(buddies.reversed(), .byTime) == expected)
        #expect(
            sorted(buddies) == ["pinned", "pinned, new", "online", "offline", "hidden", "new", "old"])
        for one in buddies {
            for other in buddies where one.address != other.address {
                let (index, otherIndex) = (
                    expected.firstIndex(of: one.address.text), expected.firstIndex(of: other.address.text)
                )
                #expect(BuddyOrder.precedes(one, other, .byTime) == (index ?? 0 < otherIndex ?? 0))
            }
        }
    }

    @Test(arguments: Seeds.all)
    func orderIsByAvailabilityThenNameThenAddress(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let buddies = (0..<300).map { number in
            let length = Int.random(in: 1...20, using: &random)
            let name = (0..<length).map { _ in Bool.random(using: &random) ? "a" : "é" }.joined()
            let availability = Availability.allCases.randomElement(using: &random) ?? .offline
            return buddy("\(number)", name, availability)
        }
        func rank(_ buddy: Buddy) -> Int { max(buddy.availability, .online).rawValue }
        let expected = buddies.sorted { left, right in
            guard rank(left) == rank(right) else { return rank(left) < rank(right) }
            guard left.sortKey == right.sortKey else {
                return left.sortKey.lexicographicallyPrecedes(right.sortKey)
            }
            return left.address < right.address
        }
        #expect(sorted(buddies) == expected.map(\.address.text))
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// The results of Core's tests of the merge with a table in memory apply to the file, too: both always agree.
@MainActor
@Suite struct MergeTests {
    @Test(arguments: Seeds.all)
    func fileHasSameMessagesAsMemoryTable(_ seed: UInt64) async throws {
        var facts = RandomFacts(seed: seed)
        let (fixture, memory) = (MessageStoreFixture(Home(in: Home.memory)), MemoryMessageTable())
        for round in 0..<40 {
            // The facts are sent without waiting, so that several form one transaction.
            var told: [Result<MessageChanges, StoreError>] = []
            var expected: [Result<MessageChanges, StoreError>] = []
            for _ in 0..<10 {
                let some = (0..<facts.number(1...5)).map { _ in facts.next() }
                expected.append(.success(try MessageMerger.apply(some, to: memory)))
                fixture.store.apply(some) { told.append($0) }
            }
            if round % 10 == 9 { await fixture.store.close() }
            await fixture.flush()
            try #require(told == expected, "round \(round)")
            try await compare(fixture, memory, "round \(round)")
        }
        await fixture.store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    private func compare(_ fixture: MessageStoreFixture, _ memory: MemoryMessageTable, _ when: Comment)
        async throws
    {
        let store = fixture.store
        let summary = try await store.summary()
        var waiting: [ChatMessage] = []
        for buddy in RandomFacts.buddies {
            let messages = memory.messages(of: buddy)
            #expect(try await fixture.all(buddy) == messages.filter(\.isShown), when)
            #expect(try await store.firstUnread(of: buddy) == messages.first(where: \.isUnread), when)
            #expect(
                try await store.lastMine(of: buddy)
                    == messages.last(where: { $0.sender == .me && $0.isShown }), when)
            #expect(summary.unread[buddy] ?? 0 == memory.unreadCount(buddy), when)
            #expect(
                summary.conversations[buddy]?.last
                    == messages.last(where: \.isShown).map(MessagePreview.init), when)
            waiting += messages.filter { $0.state == .waiting }
        }
        #expect(try await Set(store.waiting()) == Set(waiting), when)
        #expect(try await store.archiveCursor() == memory.archiveCursor(), when)
    }
}

/// A generator of facts with few names, so that they affect each other, and otherwise random.
private struct RandomFacts {
    static let buddies = ["ada", "grace"].map { ChatAddress($0) }
    private static let senders: [MessageSender] =
        [.me, .me, .buddy, .buddy, .buddy]
        + [("Ada", "1"), ("Countess", "1"), ("Ada", "2"), ("Ada", nil), ("1", nil)].map {
            .occupant(RoomOccupant(nickname: $0, id: $1))
        }
    private var random: SplitMix64
    private var count: Int64 = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func name() -> String {
        // Short names count as possibly repeated, long ones do not.
        let number = number(0...40)
        return number < 10 ? "\(number)" : "a-name-that-nobody-gives-twice-\(number)"
    }

    private mutating func time() -> ChatTime {
        count += 1
        return ChatTime(milliseconds: count)
    }

    private mutating func content() -> MessageContent {
        let text = "text \(number(0...3))"
        guard number(0...3) == 0 else { return MessageContent(text) }
        return MessageContent(
            text,
            files: (0..<number(0...2)).map { SharedFile(url: $0 == 0 ? nil : "u\($0)", name: "\(name())\t") },
            fallbacks: (0..<number(0...2)).map { .init($0..<number(0...9) + $0, for: name()) },
            encryption: number(0...2) == 0 ? name() : nil)
    }

    private mutating func relation() -> MessageRelation {
        switch number(0...8) {
        case 0, 1: return .corrects(name(), proof: .identity)
        case 2: return .repliesTo(MessageReply(to: .stanza(name()), by: Self.buddies[number(0...1)]))
        case 3: return .repliesTo(MessageReply(to: .archive("a\(number(0...200))"), by: nil))
        default: return .none
        }
    }

    private mutating func came(from buddy: ChatAddress) -> ReceivedMessage {
        ReceivedMessage(
            buddy: buddy, sender: Self.senders[number(0...Self.senders.count - 1)],
            content: content(), time: time(),
            name: number(0...5) == 0 ? nil : name(),
            archiveName: number(0...2) == 0 ? nil : "a\(number(0...200))",
            relation: relation(),
            receiptRequests: ReceiptRequests(rawValue: number(0...3)))
    }

    private mutating func annotation(of buddy: ChatAddress) -> MessageAnnotation {
        let kind: MessageAnnotation.Kind =
            switch number(0...9) {
            case 0: .retraction
            case 1: .moderation(reason: "spam")
            case 2: .reaction([])
            default: .reaction([["🎉", "👀", "👎"][number(0...2)], "👍"])
            }
        return MessageAnnotation(
            kind, of: number(0...1) == 0 ? .stanza(name()) : .archive("a\(number(0...200))"), buddy: buddy,
            sender: Self.senders[number(0...Self.senders.count - 1)],
            proof: number(0...2) == 0 ? .stay(ChatTime(milliseconds: Int64(number(0...400)))) : .identity,
            time: ChatTime(milliseconds: Int64(number(0...400))), name: name())
    }

    mutating func next() -> MessageUpdate {
        let buddy = Self.buddies[number(0...1)]
        switch number(0...16) {
        case 16: return .deletedHere(buddy: buddy, id: Int64(number(1...60)), time: time())
        case 0...2:
            return .composed(
                ComposedMessage(buddy: buddy, name: name(), text: "text \(number(0...3))", time: time()))
        case 3: return .corrected(buddy: buddy, name: name(), text: "corrected", by: name())
        case 4, 5: return .received(came(from: buddy))
        case 6, 7:
            let messages = (0..<number(0...6)).map { _ in came(from: Self.buddies[number(0...1)]) }
            return .archived(
                ArchivePage(.newest(upTo: number(0...3) == 0 ? nil : "a\(number(0...200))"), messages))
        case 8:
            return .archived(
                ArchivePage(.oldest(of: buddy), (0..<number(0...6)).map { _ in came(from: buddy) }))
        case 9: return .acknowledged(buddy: buddy, name: name())
        case 10:
            return number(0...1) == 0
                ? .delivered(buddy: buddy, name: name()) : .read(buddy: buddy, name: name())
        case 11: return .failed(buddy: buddy, name: name(), reason: "no")
        case 13, 14: return .annotated(annotation(of: buddy))
        case 12: return .retried(buddy: buddy, name: name(), newName: name())
        default:
            return .seen(
                buddy: buddy, upTo: number(0...1) == 0 ? .name(name()) : .place(Int64(number(-20...60))))
        }
    }
}

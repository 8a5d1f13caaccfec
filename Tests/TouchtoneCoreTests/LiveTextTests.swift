// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of real-time text in the open conversation: when it starts and ends, and what becomes of the text.
@MainActor
@Suite struct LiveTextTests {
    private func fixture() async throws -> (ChatFixture, Conversation) {
        let fixture = try await ChatFixture(
            buddies: [ada, bob].map { BuddyRecord($0, tellsMe: true, toldByMe: true) })
        await fixture.goOnline()
        fixture.chat.setRealTimeText(true, ada)
        return (fixture, try await fixture.open(ada))
    }

    private func begin(_ fixture: ChatFixture) {
        fixture.service.tell(.realTimeText(ada, .began))
        _ = fixture.service.typedTexts.takeCalls()
    }

    @Test func startsOnlyWhereTheUserWantsIt() async throws {
        let fixture = try await ChatFixture(
            buddies: [ada, bob].map { BuddyRecord($0, tellsMe: true, toldByMe: $0 == ada) })
        let calls = fixture.service.typedTexts.takeCalls
        let conversation = try await fixture.open(ada)
        #expect(conversation.liveText.standing == .off && calls() == [], "it is off by default")
        fixture.chat.setRealTimeText(true, ada)
        #expect(conversation.liveText.standing == .waiting && calls() == [.start(ada)])
        // One who does not see the user’s presence, the Operator and an unknown address.
        for other in [bob, .operatorAddress, ChatAddress("x@example.org")] {
            fixture.chat.setRealTimeText(true, other)
            #expect(!fixture.chat.mayUseRealTimeText(with: other))
            let conversation = try await fixture.open(other)
            #expect(conversation.liveText.standing == .off)
        }
        #expect(calls() == [.stop], "another conversation ends it")
        _ = try await fixture.open(ada)
        #expect(calls() == [.start(ada)], "the choice is kept")
    }

    @Test func endsWithTheChoiceTheAbsenceAndTheBuddy() async throws {
        let (fixture, conversation) = try await fixture()
        let calls = fixture.service.typedTexts.takeCalls
        let endings: [(end: () -> Void, back: () -> Void)] = [
            ({ fixture.chat.setRealTimeText(false, ada) }, { fixture.chat.setRealTimeText(true, ada) }),
            ({ fixture.chat.isIdle = true }, { fixture.chat.isIdle = false }),
            (
                { fixture.chat.ownPresence.availability = .extendedAway },
                { fixture.chat.ownPresence.availability = .busy }
            ),
            ({ fixture.service.tell(.blocked([ada])) }, { fixture.service.tell(.blocked([])) }),
            (
                { fixture.service.tell(.buddyRemoved(ada, version: nil)) },
                {
                    fixture.service.tell(
                        .buddy(BuddyRecord(ada, tellsMe: true, toldByMe: true), version: nil))
                }
            ),
        ]
        for (index, ending) in endings.enumerated() {
            begin(fixture)
            fixture.service.tell(.realTimeText(ada, .text("he")))
            #expect(conversation.liveText.standing == .active && conversation.liveText.text == "he")
            ending.end()
            #expect(conversation.liveText.standing == .off && conversation.liveText.text.isEmpty, "\(index)")
            #expect(calls() == [.stop])
            ending.back()
            #expect(calls() == [.start(ada)])
        }
        fixture.chat.select(nil)
        #expect(calls() == [.stop])
    }

    @Test func typedTextIsShownOnlyToOneWhoAskedForIt() async throws {
        let (fixture, conversation) = try await fixture()
        let calls = fixture.service.typedTexts.takeCalls
        _ = calls()
        conversation.draft = "secr"
        conversation.typed()
        #expect(calls() == [])
        fixture.service.tell(.realTimeText(bob, .began))
        #expect(calls() == [], "somebody else has asked")
        fixture.service.tell(.realTimeText(ada, .began))
        #expect(calls() == [.typed("secr")])
        conversation.draft = "hello\u{1}"
        conversation.typed()
        #expect(calls() == [.typed("hello")], "it is not what XML carries")
        conversation.send("hello")
        #expect(calls() == [.end])
        fixture.service.tell(.realTimeText(ada, .ended))
        conversation.draft = "x"
        conversation.typed()
        #expect(calls() == [] && conversation.liveText.standing == .waiting)
    }

    @Test func messageTakesThePlaceOfItsText() async throws {
        let (fixture, conversation) = try await fixture()
        begin(fixture)
        var shown: [[String]] = []
        let owner = Owner()
        conversation.observe(by: owner) { _ in
            shown.append(conversation.window.map(\.text) + [conversation.liveText.text])
        }
        fixture.service.tell(.realTimeText(ada, .text("hello")))
        fixture.service.tell(.updates([received("hello")]))
        fixture.service.tell(.realTimeText(ada, .sent))
        #expect(conversation.liveText.text == "hello", "it is shown until the message is")
        await fixture.rest()
        #expect(conversation.window.map(\.text) == ["hello"] && conversation.liveText.text.isEmpty)
        #expect(shown.last == ["hello", ""] && !shown.contains([""]))
        // The next text may begin before the message is stored.
        fixture.service.tell(.realTimeText(ada, .text("a")))
        fixture.service.tell(.updates([received("a")]))
        fixture.service.tell(.realTimeText(ada, .sent))
        fixture.service.tell(.realTimeText(ada, .text("b")))
        await fixture.rest()
        #expect(conversation.window.map(\.text) == ["hello", "a"] && conversation.liveText.text == "b")
        #expect(fixture.arrivals.count == 2, "only messages are reported")
        #expect(fixture.chat.buddies.row(of: ada)?.last?.text == "a")
    }

    @Test func wordsAreSpokenOnceWhenTheyAreComplete() {
        var words = SpokenWords()
        var said: [String] = []
        for text in ["h", "he", "hello", "hello ", "hello w", "hello world, ", "hello world, h"] {
            said.append(words.complete(in: text))
        }
        #expect(said == ["", "", "", "hello", "", "world,", ""])
        #expect(words.complete(in: "hello ") == "" && words.complete(in: "hello Ann ") == "Ann")
        #expect(words.complete(in: "Hello Ann and ") == "Hello Ann and", "the first word was changed")
        #expect(words.finish("Hello Ann and Bob") == "Bob")
        #expect(words.finish("whole message") == "whole message")
        #expect(words.complete(in: "a\nb") == "a" && words.complete(in: "") == "")
    }
}

/// The owner of an observation.
private final class Owner {}

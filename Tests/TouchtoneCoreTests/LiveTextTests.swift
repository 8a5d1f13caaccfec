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

    @Test func neverEndsItAndIsNotTold() async throws {
        let (fixture, conversation) = try await fixture()
        let texts = fixture.service.typedTexts
        begin(fixture)
        #expect(texts.isAllowed)
        fixture.chat.realTimeText = .never
        #expect(conversation.liveText.standing == .off && texts.takeCalls() == [.stop])
        #expect(!texts.isAllowed && !fixture.chat.mayUseRealTimeText(with: ada))
        texts.asking = [ada, bob]
        fixture.service.tell(.realTimeText(ada, .asked))
        fixture.chat.setRealTimeText(true, bob)
        #expect(try await !fixture.open(bob).liveText.isAsked)
        #expect(texts.takeCalls() == [], "a choice of the conversation's does not count")
        fixture.chat.realTimeText = .ask
        #expect(texts.isAllowed && texts.takeCalls() == [.start(bob)], "it counts again")
    }

    @Test func alwaysIsEverywhereUnlessItIsSwitchedOff() async throws {
        let fixture = try await ChatFixture(
            buddies: [ada, bob].map { BuddyRecord($0, tellsMe: true, toldByMe: $0 == ada) })
        await fixture.goOnline()
        let (chat, calls) = (fixture.chat, fixture.service.typedTexts.takeCalls)
        chat.realTimeText = .always
        let conversation = try await fixture.open(ada)
        #expect(conversation.liveText.standing == .off, "the next message may be encrypted")
        fixture.service.tell(.encryption(ada, .possible(KeySummary([:]))))
        #expect(calls() == [] && !chat.hasRealTimeText(with: ada))
        chat.encryptsNew = false
        #expect(calls() == [.start(ada)])
        chat.encryptsNew = true
        #expect(calls() == [.stop])
        fixture.service.tell(.encryption(ada, .impossible(.noKeys)))
        #expect(calls() == [.start(ada)] && chat.hasRealTimeText(with: ada))
        chat.setRealTimeText(false, ada)
        #expect(calls() == [.stop] && !chat.hasRealTimeText(with: ada) && chat.mayUseRealTimeText(with: ada))
        #expect(chat.buddies.buddy(at: ada)?.settings == .noRealTimeText)
        _ = try await fixture.open(bob)
        _ = try await fixture.open(ada)
        #expect(calls() == [], "the choice is kept, and bob does not see the user's presence")
        chat.setRealTimeText(true, ada)
        #expect(calls() == [.start(ada)] && chat.buddies.buddy(at: ada)?.settings == .realTimeText)
        chat.setEncrypted(true, ada)
        #expect(calls() == [.stop], "nothing is typed in the clear")
    }

    /// The user is asked while the buddy asks, if nothing was chosen; the buddy learns nothing of it.
    @Test func buddyWhoAsksIsShownUntilTheUserChooses() async throws {
        let fixture = try await ChatFixture(
            buddies: [ada, bob].map { BuddyRecord($0, tellsMe: true, toldByMe: true) })
        await fixture.goOnline()
        let (chat, texts) = (fixture.chat, fixture.service.typedTexts)
        let owner = Owner()
        var changes = 0
        let conversation = try await fixture.open(ada)
        conversation.observe(by: owner) { if $0 == .liveText { changes += 1 } }
        let asks = { (isAsking: Bool) in
            texts.asking = isAsking ? [ada, bob] : []
            fixture.service.tell(.realTimeText(ada, .asked))
        }
        asks(true)
        #expect(!conversation.liveText.isAsked, "the next message may be encrypted")
        for buddy in [ada, bob] { fixture.service.tell(.encryption(buddy, .impossible(.noKeys))) }
        #expect(conversation.liveText.isAsked && changes == 1)
        for _ in 0..<1000 { asks(true) }
        #expect(changes == 1 && conversation.liveText.standing == .off)
        asks(false)
        #expect(!conversation.liveText.isAsked && changes == 2)
        asks(true)
        #expect(texts.takeCalls() == [])
        chat.putOffRealTimeText(ada)
        #expect(!conversation.liveText.isAsked && texts.takeCalls() == [.putOff(ada)])
        #expect(chat.buddies.buddy(at: ada)?.settings == [], "it is no choice")
        let other = try await fixture.open(bob)
        #expect(other.liveText.isAsked, "he has asked before it was opened")
        chat.setRealTimeText(false, bob)
        #expect(!other.liveText.isAsked && texts.takeCalls() == [])
        _ = try await fixture.open(ada)
        texts.asking = [ada, bob]
        _ = try await fixture.open(bob)
        #expect(chat.selected?.liveText.isAsked == false, "the user has switched it off")
        chat.setRealTimeText(true, bob)
        #expect(texts.takeCalls() == [.start(bob)] && chat.selected?.liveText.isAsked == false)
        for use in [RealTimeTextUse.never, .always] {
            chat.realTimeText = use
            #expect(try await !fixture.open(ada).liveText.isAsked)
        }
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

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of how the store keeps the protection of messages.
@Suite struct ProtectionTests {
    private let buddy = ChatAddress("alan@example.org")
    private let table = MemoryMessageTable()

    private func apply(_ updates: MessageUpdate...) throws { _ = try MessageMerger.apply(updates, to: table) }

    private var protections: [Protection] { table.messages(of: buddy).map(\.content.protection) }

    private func received(
        _ text: String, _ protection: Protection = .none, name: String = "a-long-name-of-a-message",
        archiveName: String? = nil, relation: MessageRelation = .none
    ) -> ReceivedMessage {
        ReceivedMessage(
            buddy: buddy, sender: .buddy, content: MessageContent(text, protection: protection),
            time: ChatTime(milliseconds: 1000), name: name, archiveName: archiveName, relation: relation)
    }

    private func composed(_ text: String, _ name: String) -> MessageUpdate {
        .composed(
            ComposedMessage(buddy: buddy, name: name, text: text, time: ChatTime(milliseconds: 1)))
    }

    @Test func numberTellsProtection() {
        let all: [Protection] =
            [.none, .exposed] + KeyTrust.allCases.map { .encrypted($0) }
            + UnreadableReason.allCases.map { .unreadable($0) }
        #expect(all.map { Protection(number: $0.number) } == all)
        #expect(Set(all.map(\.number)).count == all.count)
        for number in [-1, 2, 9, 19, 29, 30, .max] { #expect(Protection(number: number) == .none) }
    }

    @Test func messageOfEncryptedConversationMustBeEncrypted() throws {
        try apply(composed("before", "m1"))
        table.choices[buddy] = .on(leavesOut: false)
        try apply(composed("after", "m2"))
        #expect(protections == [.none, .encrypted(.blind)])
        // What is changed or sent again now is sent as everything else is.
        try apply(.acknowledged(buddy: buddy, name: "m1"))
        try apply(.corrected(buddy: buddy, name: "m1", text: "changed", by: "c1"))
        #expect(protections == [.encrypted(.blind), .encrypted(.blind)])
    }

    @Test func ownMessageNamesThisDeviceWhileItIsEncrypted() throws {
        let devices = { table.messages(of: buddy).map(\.content.device) }
        try apply(composed("plain", "m1"))
        #expect(devices() == [nil])
        try apply(.protectedWaiting(true, buddy: buddy))
        #expect(devices() == [MessageContent.thisDevice])
        try apply(.protectedWaiting(false, buddy: buddy))
        #expect(devices() == [nil])
        // What another device has sent is corrected by this one.
        var elsewhere = received("theirs", .encrypted(.verified), name: "a-name-of-the-other-device")
        elsewhere.content.device = 7
        try apply(
            .received(
                ReceivedMessage(
                    buddy: buddy, sender: .me, content: elsewhere.content, time: elsewhere.time,
                    name: elsewhere.name)))
        #expect(devices() == [nil, 7])
        try apply(
            .corrected(buddy: buddy, name: "a-name-of-the-other-device", text: "mine", by: "c1"))
        #expect(devices() == [nil, MessageContent.thisDevice])
        #expect(protections == [.none, .encrypted(.verified)])
    }

    @Test func failedMessageIsSentAgainEncrypted() throws {
        try apply(
            composed("one", "m1"), .failed(buddy: buddy, name: "m1", reason: "why"))
        table.choices[buddy] = .on(leavesOut: true)
        try apply(.retried(buddy: buddy, name: "m1", newName: "m2"))
        #expect(protections == [.encrypted(.blind)])
    }

    @Test func choiceConcernsWaitingMessages() throws {
        try apply(composed("sent", "m1"), .acknowledged(buddy: buddy, name: "m1"), composed("waits", "m2"))
        try apply(.protectedWaiting(true, buddy: buddy))
        #expect(protections == [.none, .encrypted(.blind)])
        try apply(.protectedWaiting(false, buddy: buddy))
        #expect(protections == [.none, .none])
        try apply(.protected(buddy: buddy, name: "m2"))
        #expect(protections == [.none, .encrypted(.blind)])
    }

    @Test func correctionKeepsProtection() throws {
        table.choices[buddy] = .on(leavesOut: false)
        try apply(composed("one", "m1"))
        table.choices[buddy] = .off
        try apply(.corrected(buddy: buddy, name: "m1", text: "two", by: "c1"))
        #expect(protections == [.encrypted(.blind)])
    }

    @Test func plainMessageInEncryptedConversationIsMarked() throws {
        table.choices[buddy] = .on(leavesOut: false)
        try apply(.received(received("plain")))
        try apply(.received(received("secret", .encrypted(.verified), name: "another-long-name")))
        // Messages from before are what they were.
        let past = received("old", name: "an-old-message-of-the-past").past
        try apply(.archived(ArchivePage(.oldest(of: buddy), [past])))
        #expect(protections == [.none, .exposed, .encrypted(.verified)])
        // A correction in the clear is no better than a message.
        try apply(
            .received(
                received(
                    "forged", name: "c1-long-enough-name",
                    relation: .corrects("another-long-name", proof: .identity))))
        #expect(protections.last == .exposed)
    }

    @Test func plainMessageOfOwnOtherDeviceIsMarked() throws {
        table.choices[buddy] = .on(leavesOut: false)
        let mine = { (name: String) in
            ReceivedMessage(
                buddy: buddy, sender: .me, text: name, time: ChatTime(milliseconds: 1000), name: name)
        }
        try apply(.received(mine("written-elsewhere-in-the-clear")))
        try apply(
            .archived(ArchivePage(.oldest(of: buddy), [mine("written-before-all-of-this").past])))
        #expect(protections == [.none, .exposed])
        // What this device has sent is not marked when it comes back.
        table.choices[buddy] = .off
        try apply(composed("written-here-before-that", "a-name-of-this-device"))
        table.choices[buddy] = .on(leavesOut: false)
        var back = mine("written-here-before-that")
        back.name = "a-name-of-this-device"
        try apply(.received(back))
        #expect(protections.last == Protection.none)
    }

    @Test func comparedKeyStaysComparedWhenSwitchedOffAndOn() {
        #expect(KeyTrust.verified.switched(false).switched(true) == .verified)
        #expect(!KeyTrust.verified.switched(false).isTrusted)
        for trust in [KeyTrust.undecided, .blind, .distrusted] {
            #expect(trust.switched(true) == .blind && trust.switched(false) == .distrusted)
        }
    }

    @Test func repetitionOnlyTellsOfStoredMessage() throws {
        try apply(.received(received("secret", .encrypted(.blind))))
        var again = received("…", archiveName: "a1")
        again.isRepetition = true
        try apply(.received(again))
        let messages = table.messages(of: buddy)
        #expect(messages.map(\.text) == ["secret"] && messages.map(\.archiveName) == ["a1"])
        // An unknown one, or an unknown correction, shows nothing.
        var unknown = received("…", name: "never-seen-before-here", archiveName: "a2")
        unknown.isRepetition = true
        var correction = received(
            "…", name: "never-seen-correction",
            relation: .corrects("a-long-name-of-a-message", proof: .identity))
        correction.isRepetition = true
        try apply(.received(unknown), .received(correction))
        try apply(.archived(ArchivePage(.newest(upTo: "a3"), [unknown, correction])))
        try apply(.archived(ArchivePage(.oldest(of: buddy), [unknown, correction].map(\.past))))
        #expect(table.messages(of: buddy).map(\.text) == ["secret"])
    }

    @Test func unreadableMessageBecomesReadable() throws {
        let broken = received("", .unreadable(.brokenSession), archiveName: "a1")
        try apply(.archived(ArchivePage(.newest(upTo: "a1"), [broken])))
        #expect(protections == [.unreadable(.brokenSession)])
        // Nobody can put a text in its place that is not encrypted.
        try apply(.received(received("forged", archiveName: "a1")))
        #expect(protections == [.unreadable(.brokenSession)])
        let readable = received("found", .encrypted(.blind), archiveName: "a1")
        try apply(.archived(ArchivePage(.newest(upTo: "a1"), [readable])))
        #expect(table.messages(of: buddy).map(\.text) == ["found"])
        // And it stays so.
        try apply(.archived(ArchivePage(.newest(upTo: "a1"), [broken])))
        #expect(table.messages(of: buddy).map(\.text) == ["found"])
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests that a message in transit is not sent twice, and that no message overtakes another.
@Suite struct SendWindowTests {
    private let alan = ChatAddress("alan@localhost")

    private func message(_ name: String) throws -> XMLElement {
        Message.own("hi", to: try #require(alan.jid), name: name).element
    }

    private func receipt(_ name: String) throws -> XMLElement {
        Receipts.receipt(for: name, to: try #require(alan.jid)).element
    }

    @Test func messageIsInFlightUntilServerHasIt() throws {
        var outbox = SendWindow()
        _ = outbox.sends("a", bytes: 100)
        #expect(outbox.isSent("a"))
        let fact = outbox.acknowledged(try message("a"))
        #expect(fact == .acknowledged(buddy: alan, name: "a"))
        // The app, asked for pending messages earlier, may not know it yet.
        #expect(outbox.isSent("a"))
        let again = outbox.acknowledged(try message("a"))
        #expect(again == nil)
        _ = outbox.takeWaiting()
        #expect(!outbox.isSent("a"))
    }

    @Test(arguments: [Message.Destination.person, .room, .occupant])
    func fileIsSentByItsAddress(_ way: Message.Destination) throws {
        let url = "https://localhost/1/a.png"
        let message = Message.own(
            url, to: try #require(alan.jid), name: "a", file: SharedFile(url: url, name: "a.png"), way: way)
        #expect(message.body == url)
        #expect(OutOfBandData(in: message)?.url == url)
    }

    /// The limit is that of the server, after encoding.
    @Test func textIsLimitedByEncodedBytes() throws {
        let maximum = SendWindow.maximumStanzaSize
        #expect(!Messaging.canSend(String(repeating: "a", count: maximum), to: alan))
        #expect(Messaging.canSend(String(repeating: "a", count: maximum - 2000), to: alan))
        #expect(!Messaging.canSend(String(repeating: "&", count: maximum / 5), to: alan))
        #expect(!Messaging.canSend(String(repeating: "😀", count: maximum / 4), to: alan))
        #expect(Messaging.canSend(String(repeating: "😀", count: 1000), to: alan))
        #expect(!Messaging.canSend("hello", to: .operatorAddress))
        // Any text that can be sent can be corrected to the same length.
        var (longest, tooLong) = (maximum - 2000, maximum)
        while tooLong - longest > 1 {
            let middle = (longest + tooLong) / 2
            if Messaging.canSend(String(repeating: "a", count: middle), to: alan) {
                longest = middle
            } else {
                tooLong = middle
            }
        }
        let text = String(repeating: "a", count: longest)
        let name = "11111111111-2222222222222"
        let correction = Message.own(text, to: try #require(alan.jid), name: name, corrected: name).element
        #expect(correction.serialized(in: Namespace.client).utf8.count <= maximum)
    }

    @Test func failedMessageMayBeSentAgain() throws {
        var outbox = SendWindow()
        _ = outbox.sends("lost", bytes: 100)
        outbox.gaveUp(try message("lost"), isRefused: false)
        #expect(!outbox.isSent("lost"))
        _ = outbox.sends("failed", bytes: 100)
        outbox.failed("failed")
        #expect(!outbox.isSent("failed"))
        // The server's acknowledgement arrives after its error.
        let late = outbox.acknowledged(try message("failed"))
        #expect(late == nil)
        _ = outbox.sends("late", bytes: 100)
        _ = outbox.acknowledged(try message("late"))
        outbox.failed("late")
        #expect(!outbox.isSent("late"))
    }

    @Test func refusedMessageHoldsBackLaterOnes() throws {
        var outbox = SendWindow()
        _ = outbox.sends("a", bytes: 100)
        _ = outbox.sends("b", bytes: 100)
        outbox.gaveUp(try message("b"), isRefused: true)
        #expect(outbox.isStuffed && !outbox.isSent("b"))
        let early = outbox.hasRoomAgain()
        #expect(!early)
        _ = outbox.acknowledged(try message("a"))
        let hasRoom = outbox.hasRoomAgain()
        #expect(hasRoom)
        #expect(!outbox.isStuffed)
    }

    @Test func messageThatMayHaveArrivedIsKeptAsItWas() throws {
        let jid = try #require(alan.jid)
        var outbox = SendWindow()
        _ = outbox.sends("a", bytes: 100)
        #expect(outbox.returned(OutgoingMessage.own("hi", to: jid, of: alan, name: "a")) == nil)
        outbox.gaveUp(try message("a"), isRefused: false)
        #expect(
            outbox.returned(OutgoingMessage.own("hi", to: jid, of: alan, name: "a", asks: false))
                == (try message("a")))
        // The user has changed it, or it goes elsewhere.
        #expect(outbox.returned(OutgoingMessage.own("ho", to: jid, of: alan, name: "a")) == nil)
        #expect(outbox.returned(OutgoingMessage.own("hi", to: jid, of: alan, name: "a", way: .room)) == nil)
        #expect(outbox.returned(OutgoingMessage.own("hi", to: jid, of: alan, name: "b")) == nil)
        _ = outbox.sends("a", bytes: 100)
        _ = outbox.acknowledged(try message("a"))
        #expect(outbox.returned(OutgoingMessage.own("hi", to: jid, of: alan, name: "a")) == nil)
        // What was never sent has not arrived.
        _ = outbox.sends("b", bytes: 100)
        outbox.gaveUp(try message("b"), isRefused: true)
        #expect(outbox.returned(OutgoingMessage.own("hi", to: jid, of: alan, name: "b")) == nil)
    }

    @Test func windowIsBounded() throws {
        var outbox = SendWindow()
        var taken = 0
        while outbox.sends("\(taken)", bytes: 200_000) { taken += 1 }
        #expect(taken == SendWindow.maximumBytes / 200_000 && outbox.isStuffed)
        for index in 0..<taken { _ = outbox.acknowledged(try message("\(index)")) }
        let hasRoom = outbox.hasRoomAgain()
        #expect(hasRoom)
        // A single message is always sent.
        let large = outbox.sends("large", bytes: SendWindow.maximumBytes + 1)
        #expect(large)
    }

    @Test func receiptsWaitForStreamForLimitedTime() throws {
        var outbox = SendWindow()
        outbox.gaveUp(try receipt("1"), isRefused: false)
        outbox.keep(ChatMarkers.displayed("2", to: try #require(alan.jid)).element)
        // Typing states are irrelevant later.
        outbox.gaveUp(
            ChatState.composing.message(to: try #require(alan.jid)).element, isRefused: false)
        let waiting = outbox.takeWaiting()
        #expect(waiting.count == 2)
        let rest = outbox.takeWaiting()
        #expect(rest.isEmpty)
        for index in 0...SendWindow.maximumConfirmations { outbox.keep(try receipt("\(index)")) }
        let maximum = outbox.takeWaiting()
        #expect(maximum.count == SendWindow.maximumConfirmations)
    }
}

extension Message {
    /// Returns a message of the user’s in the clear.
    static func own(
        _ text: String, to jid: JID, name: String, corrected: String? = nil, file: SharedFile? = nil,
        way: Destination = .person, asks: Bool = true
    ) -> Message {
        OutgoingMessage.own(
            text, to: jid, of: ChatAddress(jid), name: name, corrected: corrected, file: file, way: way,
            asks: asks
        ).clear
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import OMEMOTestSupport
import TestSupport
import Testing
import TouchtoneCore
import TouchtoneOMEMO

/// Two devices whose messages are lost, repeated and out of order.
@Suite struct ConversationTests {
    private struct Sent {
        let key: EncryptedKey
        let text: [UInt8]
        let isFromFirst: Bool
        var isReceived = false
    }

    @Test(arguments: Seeds.all) func everyMessageIsDecryptedOnce(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (ann, bob) = try (
            TestDevice("ann@a.example", preKeys: 30), TestDevice("bob@b.example", preKeys: 30)
        )
        try ann.begin(with: bob)
        var sent: [Sent] = []
        for step in 0..<400 {
            let (isFromFirst, chance) = (
                Bool.random(using: &generator), Int.random(in: 0..<10, using: &generator)
            )
            let (sender, receiver) = isFromFirst ? (ann, bob) : (bob, ann)
            if chance == 0, step % 3 == 0 {
                // Healing, as after an error of either.
                try sender.begin(with: receiver)
            }
            if chance < 5, sender.storage.content.sessions[receiver.address] != nil {
                let text = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let key = try sender.encrypt(text, for: receiver)
                sent.append(Sent(key: key, text: text, isFromFirst: isFromFirst))
            } else if let index = sent.indices.suffix(12).randomElement(using: &generator) {
                try receive(&sent[index], ann, bob)
            }
        }
        #expect(sent.filter(\.isReceived).count > 50)
    }

    /// Decrypts a message, unless it was before.
    private func receive(_ message: inout Sent, _ ann: TestDevice, _ bob: TestDevice) throws {
        let (sender, receiver) = message.isFromFirst ? (ann, bob) : (bob, ann)
        let before = receiver.storage.content
        do throws(SessionError) {
            let text = try receiver.decrypt(message.key, from: sender)
            #expect(text == message.text)
            #expect(!message.isReceived)
            message.isReceived = true
        } catch {
            #expect(receiver.storage.content == before)
            // Five chains are kept in each session: a message of an older one can no longer be decrypted.
            #expect(
                error == .duplicate || error == .preKeyGone || error == .wrongKey || error == .noSession,
                "\(error)")
            if !message.isReceived { #expect(error != .duplicate) }
        }
    }

    @Test(arguments: Seeds.all) func shuffledMessagesOfOneChainAreDecrypted(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        var messages: [(key: EncryptedKey, text: [UInt8])] = []
        for number in 0..<100 as Range<UInt8> {
            messages.append((try ann.encrypt([number], for: bob), [number]))
        }
        messages = (messages + messages.prefix(50)).shuffled(using: &generator)
        var seen: Set<[UInt8]> = []
        for message in messages where Int.random(in: 0..<5, using: &generator) > 0 {
            if seen.insert(message.text).inserted {
                #expect(try bob.decrypt(message.key, from: ann) == message.text)
            } else {
                #expect(throws: SessionError.duplicate) { try bob.decrypt(message.key, from: ann) }
            }
        }
        #expect(bob.storage.content.preKeys.count == 2)
    }

    @Test func storageMayFailAtAnyCall() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        let engine = ann.engine
        try failEverywhere(ann) { () throws(SessionError) in
            try engine.makePreKeys(ids: 50..<53)
        }
        try failEverywhere(ann) { () throws(SessionError) in
            try engine.makeSignedPreKey(id: 5, time: ChatTime(milliseconds: 1))
        }
        try failEverywhere(ann) { () throws(SessionError) in
            _ = try engine.bundle(signedPreKey: 5, preKeys: 1...3)
        }
        try failEverywhere(ann) { () throws(SessionError) in try ann.begin(with: bob) }
        var key: EncryptedKey?
        try failEverywhere(ann) { () throws(SessionError) in key = try ann.encrypt([1], for: bob) }
        let first = try #require(key)
        try failEverywhere(bob) { () throws(SessionError) in _ = try bob.decrypt(first, from: ann) }
        let answer = try bob.encrypt([2], for: ann)
        try failEverywhere(ann) { () throws(SessionError) in
            #expect(try ann.decrypt(answer, from: bob) == [2])
        }
    }

    /// Performs an operation with a failure at the first call of the storage, the second, and so on, until it succeeds.
    private func failEverywhere(
        _ device: TestDevice, _ body: () throws(SessionError) -> Void
    ) throws {
        let before = device.storage.content
        for calls in 0..<100 {
            device.storage.callsUntilFailure = calls
            defer { device.storage.callsUntilFailure = nil }
            do throws(SessionError) {
                try body()
                #expect(calls > 0)
                return
            } catch {
                #expect(error == .store(MemoryKeyStorage.failure))
            }
            // The transaction is rolled back.
            device.storage.content = before
        }
        Issue.record("always fails")
    }
}

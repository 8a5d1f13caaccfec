// SPDX-License-Identifier: GPL-3.0-or-later

import OMEMOTestSupport
import TestSupport
import Testing
import TouchtoneCore
import TouchtoneOMEMO

@Suite struct EngineTests {
    @Test func identityHasLengthsOfProtocol() {
        let identity = SessionEngine.makeIdentity(device: 12)
        #expect(identity.device == 12)
        #expect(identity.publicKey.count == 33 && identity.publicKey.first == 5)
        #expect(identity.privateKey.count == 32)
        #expect(SessionEngine.makeIdentity(device: 12).privateKey != identity.privateKey)
    }

    @Test func deviceIDsArePositiveAndSigned() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            #expect((1...UInt32(Int32.max)).contains(SessionEngine.randomDevice(using: &generator)))
        }
        #expect(SessionEngine.randomDevice() != SessionEngine.randomDevice())
    }

    @Test func firstMessageBeginsSessionAndUsesPreKey() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        let key = try ann.encrypt([1, 2, 3], for: bob)
        #expect(key.isPreKey)
        #expect(try bob.decrypt(key, from: ann) == [1, 2, 3])
        #expect(bob.storage.content.preKeys.count == 2)
        #expect(bob.storage.content.identityKeys == [ann.address: ann.storage.content.identity.publicKey])
        #expect(ann.storage.content.identityKeys == [bob.address: bob.storage.content.identity.publicKey])
        let answer = try bob.encrypt([], for: ann)
        #expect(!answer.isPreKey)
        #expect(try ann.decrypt(answer, from: bob) == [])
        #expect(!(try ann.encrypt([4], for: bob)).isPreKey)
    }

    @Test func preKeyOfBundleIsRandom() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example", preKeys: 40))
        var used: Set<Set<UInt32>> = []
        for seed in 1...5 as ClosedRange<UInt64> {
            var generator = SplitMix64(seed: seed)
            let before = bob.storage.content
            try ann.engine.begin(with: bob.address, bundle: bob.bundle, using: &generator)
            _ = try bob.decrypt(try ann.encrypt([1], for: bob), from: ann)
            used.insert(Set(before.preKeys.keys).subtracting(bob.storage.content.preKeys.keys))
            bob.storage.content = before
        }
        #expect(used.count > 2 && used.allSatisfy { $0.count == 1 })
    }

    @Test func devicesOfAccountHaveSessionsOfTheirOwn() throws {
        let ann = try TestDevice("ann@a.example")
        let phones = [
            try TestDevice("bob@b.example", device: 1),
            try TestDevice("bob@b.example", device: .init(Int32.max)),
            try TestDevice("bob@c.example", device: 1),
        ]
        for phone in phones { try ann.begin(with: phone) }
        for phone in phones {
            #expect(try phone.decrypt(try ann.encrypt([9], for: phone), from: ann) == [9])
        }
        #expect(throws: SessionError.malformed) {
            try ann.engine.encrypt([1], for: DeviceAddress(ChatAddress("bob@b.example"), 0))
        }
        #expect(throws: SessionError.malformed) {
            try ann.engine.begin(
                with: DeviceAddress(ChatAddress("bob@b.example"), 1 << 31), bundle: phones[0].bundle)
        }
    }

    @Test func withoutSessionThereIsNone() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        #expect(throws: SessionError.noSession) { try ann.encrypt([1], for: bob) }
        try ann.begin(with: bob)
        _ = try bob.decrypt(try ann.encrypt([1], for: bob), from: ann)
        _ = try ann.decrypt(try bob.encrypt([1], for: ann), from: bob)
        let key = try ann.encrypt([2], for: bob)
        bob.storage.content.sessions = [:]
        let before = bob.storage.content
        #expect(throws: SessionError.noSession) { try bob.decrypt(key, from: ann) }
        #expect(bob.storage.content == before)
    }

    @Test func repetitionsAreKnown() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        let first = try ann.encrypt([1], for: bob)
        _ = try bob.decrypt(first, from: ann)
        let before = bob.storage.content
        for _ in 0..<100 {
            #expect(throws: SessionError.duplicate) { try bob.decrypt(first, from: ann) }
        }
        #expect(bob.storage.content == before)
        // As after the loss of the session.
        bob.storage.content.sessions = [:]
        #expect(throws: SessionError.preKeyGone) { try bob.decrypt(first, from: ann) }
    }

    @Test func rotatedSignedPreKeyIsGone() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        let first = try ann.encrypt([1], for: bob)
        try bob.engine.makeSignedPreKey(id: 2, time: ChatTime(milliseconds: 0))
        let bundle = try #require(try bob.engine.bundle(signedPreKey: 2, preKeys: 1..<10))
        #expect(bundle.signedPreKey != bob.bundle.signedPreKey && bundle.preKeys == bob.bundle.preKeys)
        #expect(try bob.engine.bundle(signedPreKey: 3, preKeys: 1..<10) == nil)
        bob.storage.content.signedPreKeys[1] = nil
        #expect(throws: SessionError.preKeyGone) { try bob.decrypt(first, from: ann) }
        try ann.engine.begin(with: bob.address, bundle: bundle)
        #expect(try bob.decrypt(try ann.encrypt([2], for: bob), from: ann) == [2])
    }

    @Test func olderSessionStillDecrypts() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        _ = try bob.decrypt(try ann.encrypt([1], for: bob), from: ann)
        let late = try bob.encrypt([2], for: ann)
        try ann.begin(with: bob)
        #expect(try ann.decrypt(late, from: bob) == [2])
        #expect(try bob.decrypt(try ann.encrypt([3], for: bob), from: ann) == [3])
    }

    @Test func bothMayBeginAtOnce() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        try bob.begin(with: ann)
        let (one, other) = (try ann.encrypt([1], for: bob), try bob.encrypt([2], for: ann))
        #expect(try ann.decrypt(other, from: bob) == [2])
        #expect(try bob.decrypt(one, from: ann) == [1])
        for number in 3...9 as ClosedRange<UInt8> {
            #expect(try bob.decrypt(try ann.encrypt([number], for: bob), from: ann) == [number])
            #expect(try ann.decrypt(try bob.encrypt([number], for: ann), from: bob) == [number])
        }
    }

    @Test(arguments: [false, true]) func missingMessagesHaveLimit(_ isAnswered: Bool) throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        if isAnswered {
            _ = try bob.decrypt(try ann.encrypt([0], for: bob), from: ann)
            _ = try ann.decrypt(try bob.encrypt([0], for: ann), from: bob)
        }
        var keys: [EncryptedKey] = []
        for _ in 0...2001 { keys.append(try ann.encrypt([1], for: bob)) }
        #expect(keys[0].isPreKey != isAnswered)
        let before = bob.storage.content
        #expect(throws: SessionError.tooFarAhead) { try bob.decrypt(keys[2001], from: ann) }
        #expect(bob.storage.content == before)
        #expect(try bob.decrypt(keys[2000], from: ann) == [1])
        #expect(try bob.decrypt(keys[2001], from: ann) == [1])
        #expect(try bob.decrypt(keys[1], from: ann) == [1])
        #expect(throws: SessionError.duplicate) { try bob.decrypt(keys[1], from: ann) }
    }

    @Test func messageOfAnotherSessionHasWrongKey() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        let eve = try TestDevice("eve@e.example")
        for device in [ann, eve] {
            try device.begin(with: bob)
            _ = try bob.decrypt(try device.encrypt([1], for: bob), from: device)
            _ = try device.decrypt(try bob.encrypt([1], for: device), from: bob)
        }
        let before = bob.storage.content
        let key = try eve.encrypt([2], for: bob)
        #expect(throws: SessionError.wrongKey) { try bob.decrypt(key, from: ann) }
        #expect(bob.storage.content == before)
        #expect(try bob.decrypt(key, from: eve) == [2])
    }

    @Test func changedIdentityIsRefused() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        let impostor = try TestDevice("ann@a.example")
        try bob.begin(with: ann)
        let before = bob.storage.content
        #expect(throws: SessionError.identityChanged) { try bob.begin(with: impostor) }
        try impostor.begin(with: bob)
        let key = try impostor.encrypt([1], for: bob)
        #expect(throws: SessionError.identityChanged) { try bob.decrypt(key, from: ann) }
        #expect(bob.storage.content == before)
        bob.storage.content.identityKeys = [:]
        #expect(try bob.decrypt(key, from: ann) == [1])
    }

    @Test func preKeyIDsHaveLimit() throws {
        let ann = try TestDevice("ann@a.example")
        try ann.engine.makePreKeys(ids: 0xFF_FFFE..<0xFF_FFFF)
        #expect(throws: SessionError.malformed) { try ann.engine.makePreKeys(ids: 0xFF_FFFE..<0x100_0000) }
        #expect(try ann.engine.publicPreKey(0xFF_FFFE)?.id == 0xFF_FFFE)
        #expect(try ann.engine.publicPreKey(99) == nil)
    }

    @Test func damagedRecordsAreRefused() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        let first = try ann.encrypt([1], for: bob)
        ann.storage.content.sessions[bob.address] = [1, 2, 3]
        #expect(throws: SessionError.malformed) { try ann.encrypt([1], for: bob) }
        for id in bob.storage.content.preKeys.keys { bob.storage.content.preKeys[id] = [0xFF] }
        #expect(throws: SessionError.malformed) { try bob.decrypt(first, from: ann) }
        bob.storage.content.signedPreKeys[1] = [0xFF]
        #expect(throws: SessionError.malformed) { try bob.engine.publicSignedPreKey(1) }
        #expect(throws: SessionError.malformed) { try bob.engine.publicPreKey(1) }
    }
}

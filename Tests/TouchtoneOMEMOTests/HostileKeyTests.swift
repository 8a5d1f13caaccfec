// SPDX-License-Identifier: GPL-3.0-or-later

import OMEMOTestSupport
import TestSupport
import Testing
import TouchtoneCore
import TouchtoneOMEMO

/// Tests of what a stranger or a server may send.
@Suite struct HostileKeyTests {
    @Test func bundlesOfOtherFormsAreRefused() throws {
        let good = try TestDevice("ann@a.example").bundle
        let preKey = try #require(good.preKeys.first)
        func bundle(
            identity: [UInt8]? = nil, id: UInt32 = 1, key: [UInt8]? = nil, signature: [UInt8]? = nil,
            preKeys: [KeyBundle.PreKey]? = nil
        ) -> KeyBundle? {
            KeyBundle(
                identityKey: identity ?? good.identityKey, signedPreKeyID: id,
                signedPreKey: key ?? good.signedPreKey, signature: signature ?? good.signature,
                preKeys: preKeys ?? good.preKeys)
        }
        #expect(bundle() == good)
        let wrong: [[UInt8]] = [
            [], Array(preKey.key.dropFirst()), Array(preKey.key.dropLast()), preKey.key + [0],
            [4] + preKey.key.dropFirst(),
        ]
        for key in wrong {
            #expect(bundle(identity: key) == nil)
            #expect(bundle(key: key) == nil)
            #expect(bundle(preKeys: [preKey, KeyBundle.PreKey(id: 2, key: key)]) == nil)
        }
        #expect(bundle(id: 1 << 31) == nil)
        #expect(bundle(preKeys: [KeyBundle.PreKey(id: 1 << 31, key: preKey.key)]) == nil)
        #expect(bundle(signature: Array(good.signature.dropLast())) == nil)
        #expect(bundle(signature: good.signature + [0]) == nil)
        #expect(bundle(preKeys: []) == nil)
        #expect(bundle(preKeys: Array(repeating: preKey, count: 1000)) != nil)
        #expect(bundle(preKeys: Array(repeating: preKey, count: 1001)) == nil)
    }

    @Test(arguments: [0, 31, 32, 63]) func wrongSignatureIsRefused(_ index: Int) throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        let good = bob.bundle
        var signature = good.signature
        signature[index] ^= 1
        let bad = try #require(
            KeyBundle(
                identityKey: good.identityKey, signedPreKeyID: 1, signedPreKey: good.signedPreKey,
                signature: signature, preKeys: good.preKeys))
        let before = ann.storage.content
        #expect(throws: SessionError.malformed) { try ann.engine.begin(with: bob.address, bundle: bad) }
        #expect(ann.storage.content == before)
    }

    @Test func signatureIsThatOfIdentity() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        let bad = try #require(
            KeyBundle(
                identityKey: ann.bundle.identityKey, signedPreKeyID: 1, signedPreKey: bob.bundle.signedPreKey,
                signature: bob.bundle.signature, preKeys: bob.bundle.preKeys))
        #expect(throws: SessionError.malformed) { try ann.engine.begin(with: bob.address, bundle: bad) }
    }

    @Test(arguments: Seeds.all) func randomBytesAreNoMessage(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        let first = try ann.encrypt([1], for: bob)
        _ = try bob.decrypt(first, from: ann)
        _ = try ann.decrypt(try bob.encrypt([1], for: ann), from: bob)
        let later = try ann.encrypt([2], for: bob)
        let before = bob.storage.content
        for round in 0..<2500 {
            var bytes: [UInt8]
            switch round % 3 {
            case 0:
                let count = Int.random(in: 0..<300, using: &generator)
                bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                if round % 2 == 0, !bytes.isEmpty { bytes[0] = 0x33 }
            default:
                // A real message with a changed bit, cut off, or longer.
                bytes = round % 3 == 1 ? first.bytes : later.bytes
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.removeSubrange(index...)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
                default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            let key = EncryptedKey(bytes: bytes, isPreKey: Bool.random(using: &generator))
            // Bits that the message's code does not cover, such as the registration id, may differ.
            if (try? bob.decrypt(key, from: ann)) != nil {
                #expect(round % 3 == 2)
                bob.storage.content = before
            }
            #expect(bob.storage.content == before)
        }
        #expect(try bob.decrypt(later, from: ann) == [2])
    }

    @Test func longMessageIsRefused() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        let bytes = [UInt8](repeating: 0x33, count: 1_000_000)
        for isPreKey in [false, true] {
            #expect(throws: SessionError.malformed) {
                try bob.decrypt(EncryptedKey(bytes: bytes, isPreKey: isPreKey), from: ann)
            }
        }
        #expect(bob.storage.calls < 50)
    }

    /// A prekey message whose inner message is not authentic leaves no identity key behind.
    @Test func unauthenticMessageSavesNothing() throws {
        let (ann, bob) = (try TestDevice("ann@a.example"), try TestDevice("bob@b.example"))
        try ann.begin(with: bob)
        let good = try ann.encrypt([1], for: bob)
        let before = bob.storage.content
        let writes = bob.storage.writes
        var failures = 0
        for index in good.bytes.indices {
            var bytes = good.bytes
            bytes[index] ^= 1
            do {
                _ = try bob.decrypt(EncryptedKey(bytes: bytes, isPreKey: true), from: ann)
                bob.storage.content = before
            } catch {
                failures += 1
                #expect(bob.storage.content == before)
            }
        }
        #expect(failures > good.bytes.count / 2)
        #expect(bob.storage.writes - writes <= 3 * (good.bytes.count - failures))
        #expect(try bob.decrypt(good, from: ann) == [1])
    }
}

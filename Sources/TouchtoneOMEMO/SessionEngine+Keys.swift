// SPDX-License-Identifier: GPL-3.0-or-later

import COMEMO
public import TouchtoneCore

extension SessionEngine {
    /// Returns a random id for a new device; the caller draws another one if the account has it already.
    public static func randomDevice(using generator: inout some RandomNumberGenerator) -> UInt32 {
        UInt32.random(in: DeviceAddress.numbers, using: &generator)
    }

    /// Returns a random id for a new device.
    public static func randomDevice() -> UInt32 {
        var generator = SystemRandomNumberGenerator()
        return randomDevice(using: &generator)
    }

    /// Returns the new identity of a device.
    public static func makeIdentity(device: UInt32) -> OwnIdentity {
        let context = SignalContext()
        do throws(SessionError) {
            let pair = try context.make { curve_generate_key_pair($1, &$0) }
            defer { signal_type_unref(pair) }
            return OwnIdentity(
                device: device,
                publicKey: try SignalContext.bytes {
                    ec_public_key_serialize(&$0, ec_key_pair_get_public(pair))
                },
                privateKey: try SignalContext.bytes {
                    ec_private_key_serialize(&$0, ec_key_pair_get_private(pair))
                })
        } catch {
            // The library only needs memory for it.
            preconditionFailure("out of memory")
        }
    }

    /// Makes and saves prekeys.
    ///
    /// A used one is deleted, so a bundle is filled up with new ids, never with used ones.
    public func makePreKeys(ids: Range<UInt32>) throws(SessionError) {
        // The library never deletes a prekey with the last of its ids.
        guard ids.upperBound <= UInt32(PRE_KEY_MEDIUM_MAX_VALUE) else { throw .malformed }
        for id in ids {
            let pair = try context.make { curve_generate_key_pair($1, &$0) }
            defer { signal_type_unref(pair) }
            let preKey = try context.make { result, _ in session_pre_key_create(&result, id, pair) }
            defer { signal_type_unref(preKey) }
            let record = try SignalContext.bytes { session_pre_key_serialize(&$0, preKey) }
            try bridge.reading { () throws(StoreError) in try bridge.storage.savePreKey(record, id: id) }
        }
    }

    /// Makes and saves a signed prekey.
    public func makeSignedPreKey(id: UInt32, time: ChatTime) throws(SessionError) {
        let identity = try bridge.reading(bridge.storage.ownIdentity)
        let publicKey = try context.publicKey(identity.publicKey)
        defer { signal_type_unref(publicKey) }
        let privateKey = try context.make {
            curve_decode_private_point(&$0, identity.privateKey, identity.privateKey.count, $1)
        }
        defer { signal_type_unref(privateKey) }
        let pair = try context.make { result, _ in
            ratchet_identity_key_pair_create(&result, publicKey, privateKey)
        }
        defer { signal_type_unref(pair) }
        let key = try context.make {
            signal_protocol_key_helper_generate_signed_pre_key(
                &$0, pair, id, UInt64(clamping: time.milliseconds), $1)
        }
        defer { signal_type_unref(key) }
        let record = try SignalContext.bytes { session_signed_pre_key_serialize(&$0, key) }
        try bridge.reading { () throws(StoreError) in try bridge.storage.saveSignedPreKey(record, id: id) }
    }

    /// Returns the public part of a prekey; nil if it was used.
    public func publicPreKey(_ id: UInt32) throws(SessionError) -> KeyBundle.PreKey? {
        let record = try bridge.reading { () throws(StoreError) in try bridge.storage.preKey(id) }
        guard let record else { return nil }
        let preKey = try context.make { session_pre_key_deserialize(&$0, record, record.count, $1) }
        defer { signal_type_unref(preKey) }
        let key = try SignalContext.bytes {
            ec_public_key_serialize(&$0, ec_key_pair_get_public(session_pre_key_get_key_pair(preKey)))
        }
        return KeyBundle.PreKey(id: id, key: key)
    }

    /// Returns the public part of a signed prekey, and its signature; nil if it is no longer kept.
    public func publicSignedPreKey(
        _ id: UInt32
    ) throws(SessionError) -> (key: [UInt8], signature: [UInt8])? {
        let record = try bridge.reading { () throws(StoreError) in try bridge.storage.signedPreKey(id) }
        guard let record else { return nil }
        let signed = try context.make { session_signed_pre_key_deserialize(&$0, record, record.count, $1) }
        defer { signal_type_unref(signed) }
        let key = try SignalContext.bytes {
            ec_public_key_serialize(&$0, ec_key_pair_get_public(session_signed_pre_key_get_key_pair(signed)))
        }
        let signature = UnsafeBufferPointer(
            start: session_signed_pre_key_get_signature(signed),
            count: session_signed_pre_key_get_signature_len(signed))
        return (key, Array(signature))
    }

    /// Returns the bundle to publish, with those of the prekeys that are left; nil if the signed prekey or all are gone.
    public func bundle(
        signedPreKey id: UInt32, preKeys ids: some Sequence<UInt32>
    ) throws(SessionError) -> KeyBundle? {
        guard let signed = try publicSignedPreKey(id) else { return nil }
        var preKeys: [KeyBundle.PreKey] = []
        for id in ids {
            if let preKey = try publicPreKey(id) { preKeys.append(preKey) }
        }
        return KeyBundle(
            identityKey: try bridge.reading(bridge.storage.ownIdentity).publicKey, signedPreKeyID: id,
            signedPreKey: signed.key, signature: signed.signature, preKeys: preKeys)
    }
}

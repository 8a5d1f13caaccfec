// SPDX-License-Identifier: GPL-3.0-or-later

import COMEMO
public import TouchtoneCore

/// The sessions of an account's own device with other devices, by libomemo-c (XEP-0384 0.3).
///
/// It has no state but that in the storage. Use it on one thread: the storage's.
public final class SessionEngine {
    let context = SignalContext()
    let bridge: StorageBridge
    private let stores: OpaquePointer

    /// The longest encrypted key; the library's have less than 300 bytes.
    static let maximumKeyLength = 4096
    /// How many messages the library looks ahead.
    private static let maximumSkipped: UInt32 = 2000

    public init(storage: any KeyStorage) {
        bridge = StorageBridge(storage: storage)
        stores = bridge.makeStores(in: context)
    }

    deinit { signal_protocol_store_context_destroy(stores) }

    /// Begins a session with a device, in the place of an older one, whose messages can still be decrypted.
    ///
    /// It takes any of the bundle’s prekeys. It throws `identityChanged` if the device was known with another identity
    /// key, and `malformed` for a wrong signature.
    public func begin(
        with device: DeviceAddress, bundle: KeyBundle, using generator: inout some RandomNumberGenerator
    ) throws(SessionError) {
        guard let preKey = bundle.preKeys.randomElement(using: &generator) else { throw .malformed }
        try perform(with: device) { () throws(SessionError) in
            try checkIdentity(bundle.identityKey, of: device)
            let publicKey = try context.publicKey(preKey.key)
            defer { signal_type_unref(publicKey) }
            let signedKey = try context.publicKey(bundle.signedPreKey)
            defer { signal_type_unref(signedKey) }
            let identityKey = try context.publicKey(bundle.identityKey)
            defer { signal_type_unref(identityKey) }
            let made = try context.make { result, _ in
                session_pre_key_bundle_create(
                    &result, device.device, 1, preKey.id, publicKey, bundle.signedPreKeyID, signedKey,
                    bundle.signature, bundle.signature.count, identityKey)
            }
            defer { signal_type_unref(made) }
            let builder = try context.make { session_builder_create(&$0, stores, bridge.address, $1) }
            defer { session_builder_free(builder) }
            let code = session_builder_process_pre_key_bundle(builder, made)
            guard code >= 0 else { throw SessionError(code: code) }
        }
    }

    /// Begins a session with a device, with any of the bundle’s prekeys.
    public func begin(with device: DeviceAddress, bundle: KeyBundle) throws(SessionError) {
        var generator = SystemRandomNumberGenerator()
        try begin(with: device, bundle: bundle, using: &generator)
    }

    /// Encrypts the key of a message.
    ///
    /// Commit the session before sending it: no key may be used twice.
    public func encrypt(_ key: [UInt8], for device: DeviceAddress) throws(SessionError) -> EncryptedKey {
        try perform(with: device) { () throws(SessionError) in
            guard bridge.session != nil else { throw .noSession }
            let cipher = try makeCipher()
            defer { session_cipher_free(cipher) }
            let message = try context.make { result, _ in
                session_cipher_encrypt(cipher, key, key.count, &result)
            }
            defer { signal_type_unref(message) }
            guard let bytes = ciphertext_message_get_serialized(message) else { throw .unavailable }
            return EncryptedKey(
                bytes: SignalContext.copy(bytes),
                isPreKey: ciphertext_message_get_type(message) == CIPHERTEXT_PREKEY_TYPE)
        }
    }

    /// Decrypts the key of a message, which may begin a session.
    ///
    /// It saves the identity key of an unknown device.
    public func decrypt(_ key: EncryptedKey, from device: DeviceAddress) throws(SessionError) -> [UInt8] {
        guard key.bytes.count <= Self.maximumKeyLength else { throw .malformed }
        return try perform(with: device) { () throws(SessionError) in
            let cipher = try makeCipher()
            defer { session_cipher_free(cipher) }
            return key.isPreKey
                ? try decryptFirst(key.bytes, from: device, with: cipher)
                : try decryptLater(key.bytes, with: cipher)
        }
    }

    private func decryptFirst(
        _ bytes: [UInt8], from device: DeviceAddress, with cipher: OpaquePointer
    ) throws(SessionError) -> [UInt8] {
        let message = try parse { pre_key_signal_message_deserialize(&$0, bytes, bytes.count, $1) }
        defer { signal_type_unref(message) }
        let identity = try SignalContext.bytes {
            ec_public_key_serialize(&$0, pre_key_signal_message_get_identity_key(message))
        }
        try checkIdentity(identity, of: device)
        return try decrypted(pre_key_signal_message_get_signal_message(message)) {
            session_cipher_decrypt_pre_key_signal_message(cipher, message, nil, &$0)
        }
    }

    private func decryptLater(_ bytes: [UInt8], with cipher: OpaquePointer) throws(SessionError) -> [UInt8] {
        let message = try parse { signal_message_deserialize(&$0, bytes, bytes.count, $1) }
        defer { signal_type_unref(message) }
        return try decrypted(message) { session_cipher_decrypt_signal_message(cipher, message, nil, &$0) }
    }

    /// Returns the message that a function of the library reads; any error means that the bytes are no message.
    private func parse(
        _ body: (inout OpaquePointer?, OpaquePointer) -> Int32
    ) throws(SessionError) -> OpaquePointer {
        do { return try context.make(body) } catch { throw error == .unavailable ? error : .malformed }
    }

    /// Returns the decrypted bytes of a message, or throws an error that says why there are none.
    private func decrypted(
        _ message: OpaquePointer?, _ body: (inout OpaquePointer?) -> Int32
    ) throws(SessionError) -> [UInt8] {
        do {
            return try SignalContext.bytes(body)
        } catch .wrongKey where isTooFarAhead(message) {
            throw .tooFarAhead
        }
    }

    /// Tells whether the number of a message is more than the library looks ahead, which has one code for both errors.
    private func isTooFarAhead(_ message: OpaquePointer?) -> Bool {
        let counter = signal_message_get_counter(message)
        guard counter > Self.maximumSkipped else { return false }
        var record: OpaquePointer?
        guard let session = bridge.session,
            session_record_deserialize(&record, session, session.count, context.pointer) >= 0, let record
        else { return true }
        defer { signal_type_unref(record) }
        var states = [session_record_get_state(record)]
        var node = session_record_get_previous_states_head(record)
        while let earlier = node {
            states.append(session_record_get_previous_states_element(earlier))
            node = session_record_get_previous_states_next(earlier)
        }
        let ratchetKey = signal_message_get_sender_ratchet_key(message)
        let chain = states.lazy.compactMap { state in
            state.flatMap { session_state_get_receiver_chain_key($0, ratchetKey) }
        }.first
        // A chain that is not known begins at 0.
        guard let chain else { return true }
        let index = ratchet_chain_key_get_index(chain)
        return counter > index && counter - index > Self.maximumSkipped
    }

    private func makeCipher() throws(SessionError) -> OpaquePointer {
        try context.make { session_cipher_create(&$0, stores, bridge.address, $1) }
    }

    /// Throws an error if the device is known with another identity key.
    private func checkIdentity(_ key: [UInt8], of device: DeviceAddress) throws(SessionError) {
        let known = try bridge.reading { () throws(StoreError) in
            try bridge.storage.identityKey(of: device)
        }
        if let known, known != key { throw .identityChanged }
    }

    /// Performs an operation with a device, and then writes what it has changed.
    private func perform<Value>(
        with device: DeviceAddress, _ body: () throws(SessionError) -> Value
    ) throws(SessionError) -> Value {
        guard DeviceAddress.isValid(device.device) else { throw .malformed }
        try bridge.begin(with: device)
        let value: Value
        do {
            value = try body()
        } catch {
            // The library's error follows from the storage's.
            try bridge.checkReads()
            throw error
        }
        try bridge.checkReads()
        try bridge.commit()
        return value
    }
}

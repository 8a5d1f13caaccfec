// SPDX-License-Identifier: GPL-3.0-or-later

import COMEMO
import TouchtoneCore

/// The library's view of the storage during one operation.
///
/// The library saves an identity key before it has checked the message, and cannot pass on an error of the storage. So
/// what it writes waits until the operation has succeeded, and the first error of a read is kept here.
final class StorageBridge {
    /// A write of the library.
    private enum Change {
        case session([UInt8])
        case identityKey([UInt8])
        case usedPreKey(UInt32)
    }

    let storage: any KeyStorage
    private var device = DeviceAddress(.operatorAddress, 0)
    private var changes: [Change] = []
    private var failure: StoreError?
    /// The session's record, as it was before the operation.
    private(set) var session: [UInt8]?

    /// The library's name of every device: it only hands it back to these functions, and keeps the pointer.
    let address: UnsafeMutablePointer<signal_protocol_address>

    init(storage: any KeyStorage) {
        self.storage = storage
        address = .allocate(capacity: 1)
        let name: StaticString = "device"
        name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) {
            address.initialize(
                to: signal_protocol_address(name: $0, name_len: name.utf8CodeUnitCount, device_id: 1))
        }
    }

    deinit { address.deallocate() }

    /// Begins an operation with a device.
    func begin(with device: DeviceAddress) throws(SessionError) {
        self.device = device
        changes = []
        failure = nil
        session = try reading { () throws(StoreError) in try storage.session(with: device) }
    }

    /// Throws the error that the storage has given the library, if any.
    func checkReads() throws(SessionError) {
        if let failure { throw .store(failure) }
    }

    /// Writes what the library has changed.
    func commit() throws(SessionError) {
        defer { changes = [] }
        try reading { () throws(StoreError) in
            for change in changes {
                switch change {
                case .session(let record): try storage.saveSession(record, with: device)
                case .identityKey(let key):
                    if try storage.identityKey(of: device) != key {
                        try storage.saveIdentityKey(key, of: device)
                    }
                case .usedPreKey(let id): try storage.deletePreKey(id)
                }
            }
        }
    }

    /// Returns what the storage returns, or throws its error as one of the engine.
    func reading<Value>(_ body: () throws(StoreError) -> Value) throws(SessionError) -> Value {
        do { return try body() } catch { throw .store(error) }
    }

    /// Returns what the storage returns to the library; nil, and keeps the error, if it fails.
    private func answer<Value>(_ body: () throws(StoreError) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    /// Gives the library a record; the given code if there is none.
    private func give(
        _ output: UnsafeMutablePointer<OpaquePointer?>?, missing: Int32,
        _ body: () throws(StoreError) -> [UInt8]?
    ) -> Int32 {
        guard let record = answer(body) else { return SG_ERR_UNKNOWN }
        guard let record else { return missing }
        return SignalCrypto.give(record, to: output)
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> StorageBridge? {
        data.map { Unmanaged<StorageBridge>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func bytes(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
    }
}

extension StorageBridge {
    /// Returns the stores of a context; the bridge must outlive it.
    func makeStores(in context: SignalContext) -> OpaquePointer {
        var stores: OpaquePointer?
        guard signal_protocol_store_context_create(&stores, context.pointer) == SG_SUCCESS, let stores else {
            preconditionFailure("out of memory")
        }
        let data = Unmanaged.passUnretained(self).toOpaque()
        var sessions = Self.sessions(data)
        var preKeys = Self.preKeys(data)
        var signedPreKeys = Self.signedPreKeys(data)
        var identities = Self.identities(data)
        signal_protocol_store_context_set_session_store(stores, &sessions)
        signal_protocol_store_context_set_pre_key_store(stores, &preKeys)
        signal_protocol_store_context_set_signed_pre_key_store(stores, &signedPreKeys)
        signal_protocol_store_context_set_identity_key_store(stores, &identities)
        return stores
    }

    private static func sessions(_ data: UnsafeMutableRawPointer) -> signal_protocol_session_store {
        signal_protocol_session_store(
            load_session_func: { output, _, _, data in
                guard let session = StorageBridge.of(data)?.session else { return 0 }
                let code = SignalCrypto.give(session, to: output)
                return code == SG_SUCCESS ? 1 : code
            },
            get_sub_device_sessions_func: { _, _, _, _ in 0 },
            store_session_func: { _, record, count, _, _, data in
                StorageBridge.of(data)?.changes.append(.session(StorageBridge.bytes(record, count)))
                return SG_SUCCESS
            },
            contains_session_func: { _, data in StorageBridge.of(data)?.session == nil ? 0 : 1 },
            // The library deletes no session by itself.
            delete_session_func: { _, _ in 0 },
            delete_all_sessions_func: { _, _, _ in 0 },
            destroy_func: nil, user_data: data)
    }

    private static func preKeys(_ data: UnsafeMutableRawPointer) -> signal_protocol_pre_key_store {
        signal_protocol_pre_key_store(
            load_pre_key: { output, id, data in
                guard let bridge = StorageBridge.of(data) else { return SG_ERR_UNKNOWN }
                return bridge.give(output, missing: SG_ERR_INVALID_KEY_ID) { () throws(StoreError) in
                    try bridge.storage.preKey(id)
                }
            },
            // The engine writes new keys itself.
            store_pre_key: { _, _, _, _ in SG_ERR_UNKNOWN },
            contains_pre_key: { id, data in
                guard let bridge = StorageBridge.of(data) else { return 0 }
                let key = bridge.answer { () throws(StoreError) in try bridge.storage.preKey(id) }
                return (key ?? nil) == nil ? 0 : 1
            },
            remove_pre_key: { id, data in
                StorageBridge.of(data)?.changes.append(.usedPreKey(id))
                return SG_SUCCESS
            },
            destroy_func: nil, user_data: data)
    }

    private static func signedPreKeys(_ data: UnsafeMutableRawPointer) -> signal_protocol_signed_pre_key_store
    {
        signal_protocol_signed_pre_key_store(
            load_signed_pre_key: { output, id, data in
                guard let bridge = StorageBridge.of(data) else { return SG_ERR_UNKNOWN }
                return bridge.give(output, missing: SG_ERR_INVALID_KEY_ID) { () throws(StoreError) in
                    try bridge.storage.signedPreKey(id)
                }
            },
            store_signed_pre_key: { _, _, _, _ in SG_ERR_UNKNOWN },
            contains_signed_pre_key: { id, data in
                guard let bridge = StorageBridge.of(data) else { return 0 }
                let key = bridge.answer { () throws(StoreError) in try bridge.storage.signedPreKey(id) }
                return (key ?? nil) == nil ? 0 : 1
            },
            remove_signed_pre_key: { _, _ in SG_ERR_UNKNOWN },
            destroy_func: nil, user_data: data)
    }

    private static func identities(_ data: UnsafeMutableRawPointer) -> signal_protocol_identity_key_store {
        signal_protocol_identity_key_store(
            get_identity_key_pair: { publicKey, privateKey, data in
                guard let bridge = StorageBridge.of(data),
                    let identity = bridge.answer(bridge.storage.ownIdentity)
                else { return SG_ERR_UNKNOWN }
                let code = SignalCrypto.give(identity.publicKey, to: publicKey)
                return code == SG_SUCCESS ? SignalCrypto.give(identity.privateKey, to: privateKey) : code
            },
            get_local_registration_id: { data, id in
                guard let bridge = StorageBridge.of(data),
                    let identity = bridge.answer(bridge.storage.ownIdentity)
                else { return SG_ERR_UNKNOWN }
                id?.pointee = identity.device
                return SG_SUCCESS
            },
            save_identity: { _, key, count, data in
                StorageBridge.of(data)?.changes.append(.identityKey(StorageBridge.bytes(key, count)))
                return SG_SUCCESS
            },
            // The engine refuses a changed key, and who is trusted is decided above it.
            is_trusted_identity: { _, _, _, _ in 1 },
            destroy_func: nil, user_data: data)
    }
}

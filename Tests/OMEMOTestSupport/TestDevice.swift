// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore
public import TouchtoneOMEMO

/// A device with an engine, keys in memory and a bundle.
public final class TestDevice {
    public let address: DeviceAddress
    public let storage: MemoryKeyStorage
    public let engine: SessionEngine
    public let bundle: KeyBundle

    /// Creates a device with prekeys whose ids count from 1.
    public init(_ account: String, device: UInt32 = 7, preKeys: UInt32 = 3) throws {
        address = DeviceAddress(ChatAddress(account), device)
        storage = MemoryKeyStorage(identity: SessionEngine.makeIdentity(device: device))
        engine = SessionEngine(storage: storage)
        try engine.makeSignedPreKey(id: 1, time: ChatTime(milliseconds: 1_700_000_000_000))
        try engine.makePreKeys(ids: 1..<preKeys + 1)
        guard let bundle = try engine.bundle(signedPreKey: 1, preKeys: 1..<preKeys + 1) else {
            throw SessionError.malformed
        }
        self.bundle = bundle
    }

    /// Begins a session with another device, with a prekey that it still has.
    public func begin(with other: TestDevice) throws(SessionError) {
        let ids = other.bundle.preKeys.map(\.id)
        guard let bundle = try other.engine.bundle(signedPreKey: 1, preKeys: ids) else { throw .malformed }
        try engine.begin(with: other.address, bundle: bundle)
    }

    public func encrypt(_ key: [UInt8], for other: TestDevice) throws(SessionError) -> EncryptedKey {
        try engine.encrypt(key, for: other.address)
    }

    public func decrypt(_ key: EncryptedKey, from other: TestDevice) throws(SessionError) -> [UInt8] {
        try engine.decrypt(key, from: other.address)
    }
}

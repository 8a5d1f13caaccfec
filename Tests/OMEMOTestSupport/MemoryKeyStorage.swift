// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore
public import TouchtoneOMEMO

/// Keys and sessions in memory, which can fail at any call.
public final class MemoryKeyStorage: KeyStorage {
    /// The stored content; copy and restore it as a transaction would.
    public struct Content: Hashable, CustomStringConvertible {
        public var identity: OwnIdentity
        public var sessions: [DeviceAddress: [UInt8]] = [:]
        public var preKeys: [UInt32: [UInt8]] = [:]
        public var signedPreKeys: [UInt32: [UInt8]] = [:]
        public var identityKeys: [DeviceAddress: [UInt8]] = [:]

        /// The numbers of what is stored, because the bytes say nothing in a failure, and there are thousands.
        public var description: String {
            "sessions with \(sessions.keys), prekeys \(preKeys.keys.sorted()), identities of \(identityKeys.keys), "
                + "hash \(hashValue)"
        }
    }

    public var content: Content
    /// The number of calls until one fails; nil if none does.
    public var callsUntilFailure: Int?
    public private(set) var calls = 0
    public private(set) var writes = 0

    public static let failure = StoreError.failed("disk")

    public init(identity: OwnIdentity) { content = Content(identity: identity) }

    private func call(isWrite: Bool = false) throws(StoreError) {
        calls += 1
        if let left = callsUntilFailure {
            guard left > 0 else { throw Self.failure }
            callsUntilFailure = left - 1
        }
        if isWrite { writes += 1 }
    }

    public func ownIdentity() throws(StoreError) -> OwnIdentity {
        try call()
        return content.identity
    }

    public func session(with device: DeviceAddress) throws(StoreError) -> [UInt8]? {
        try call()
        return content.sessions[device]
    }

    public func saveSession(_ record: [UInt8], with device: DeviceAddress) throws(StoreError) {
        try call(isWrite: true)
        content.sessions[device] = record
    }

    public func deleteSession(with device: DeviceAddress) throws(StoreError) {
        try call(isWrite: true)
        content.sessions[device] = nil
    }

    public func preKey(_ id: UInt32) throws(StoreError) -> [UInt8]? {
        try call()
        return content.preKeys[id]
    }

    public func savePreKey(_ record: [UInt8], id: UInt32) throws(StoreError) {
        try call(isWrite: true)
        content.preKeys[id] = record
    }

    public func deletePreKey(_ id: UInt32) throws(StoreError) {
        try call(isWrite: true)
        content.preKeys[id] = nil
    }

    public func signedPreKey(_ id: UInt32) throws(StoreError) -> [UInt8]? {
        try call()
        return content.signedPreKeys[id]
    }

    public func saveSignedPreKey(_ record: [UInt8], id: UInt32) throws(StoreError) {
        try call(isWrite: true)
        content.signedPreKeys[id] = record
    }

    public func identityKey(of device: DeviceAddress) throws(StoreError) -> [UInt8]? {
        try call()
        return content.identityKeys[device]
    }

    public func saveIdentityKey(_ key: [UInt8], of device: DeviceAddress) throws(StoreError) {
        try call(isWrite: true)
        content.identityKeys[device] = key
    }
}

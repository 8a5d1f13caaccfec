// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A store of keys that does not tell what the user has chosen, as on a disk that fails.
@MainActor
final class RefusingKeys: KeyStore {
    private let keys: any KeyStore
    /// The number of times that the choice was asked.
    private(set) var count = 0
    /// Called once when a message is opened, before it is.
    var onOpening: (@MainActor () -> Void)?

    init(_ keys: any KeyStore) { self.keys = keys }

    func encryptionChoice(of buddy: ChatAddress) async throws(StoreError) -> EncryptionChoice {
        count += 1
        throw .failed("the disk fails")
    }

    func ownKeys(at now: ChatTime) async throws(StoreError) -> OwnKeys { try await keys.ownKeys(at: now) }

    func makeOwnDevice(besides taken: Set<UInt32>, at now: ChatTime) async throws(StoreError) -> OwnKeys {
        try await keys.makeOwnDevice(besides: taken, at: now)
    }

    func replenish(at now: ChatTime) async throws(StoreError) -> OwnKeys { try await keys.replenish(at: now) }

    func open(_ message: SealedMessage, from accounts: [ChatAddress], at now: ChatTime)
        async throws(StoreError) -> OpenedMessage
    {
        onOpening?()
        onOpening = nil
        return try await keys.open(message, from: accounts, at: now)
    }

    func seal(_ text: String, for accounts: [ChatAddress], leavesOut: Bool) async throws(StoreError)
        -> Result<SealedMessage, EncryptionObstacle>
    {
        try await keys.seal(text, for: accounts, leavesOut: leavesOut)
    }

    func sealKeys(for device: DeviceAddress) async throws(StoreError) -> SealedMessage? {
        try await keys.sealKeys(for: device)
    }

    func setDevices(_ devices: [UInt32], of account: ChatAddress, at now: ChatTime)
        async throws(StoreError)
    {
        try await keys.setDevices(devices, of: account, at: now)
    }

    func devices(of account: ChatAddress) async throws(StoreError) -> [DeviceKey] {
        try await keys.devices(of: account)
    }

    func devicesWithoutSession(of accounts: [ChatAddress]) async throws(StoreError) -> [DeviceAddress] {
        try await keys.devicesWithoutSession(of: accounts)
    }

    func begin(with device: DeviceAddress, _ bundle: KeyBundle, at now: ChatTime)
        async throws(StoreError) -> Bool
    {
        try await keys.begin(with: device, bundle, at: now)
    }

    func setTrust(_ trust: KeyTrust, in device: DeviceAddress, key: [UInt8]) async throws(StoreError) {
        try await keys.setTrust(trust, in: device, key: key)
    }

    func setLabel(_ label: String, of device: DeviceAddress) async throws(StoreError) {
        try await keys.setLabel(label, of: device)
    }

    func dropSessions(with account: ChatAddress) async throws(StoreError) {
        try await keys.dropSessions(with: account)
    }

    func forgetKeys(of own: ChatAddress) { keys.forgetKeys(of: own) }
}

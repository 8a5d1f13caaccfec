// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore
internal import TouchtoneOMEMO

extension SQLiteStore: KeyStore {
    /// The time for which the keys of opened texts are kept, in case the texts come again before they are stored, and that
    /// for which it is known that they came.
    private static let (keptKeys, keptDigests) = (
        Duration.seconds(7 * 86_400), Duration.seconds(400 * 86_400)
    )

    public func ownKeys(at now: ChatTime) async throws(StoreError) -> OwnKeys {
        let (old, oldest) = (now - Self.keptKeys, now - Self.keptDigests)
        return try await makeKeys(at: now) { table throws(StoreError) in
            try table.database.run(KeyStatement.wipeOpened, [.integer(old.milliseconds)])
            try table.database.run(KeyStatement.dropOpened, [.integer(oldest.milliseconds)])
            return try table.replenish()
        }
    }

    public func makeOwnDevice(besides taken: Set<UInt32>, at now: ChatTime) async throws(StoreError)
        -> OwnKeys
    {
        try await makeKeys(at: now) { table throws(StoreError) in
            try table.makeDevice(besides: taken)
            return try table.replenish()
        }
    }

    public func replenish(at now: ChatTime) async throws(StoreError) -> OwnKeys {
        try await makeKeys(at: now) { table throws(StoreError) in try table.replenish() }
    }

    public func open(_ message: SealedMessage, from accounts: [ChatAddress], at now: ChatTime)
        async throws(StoreError) -> OpenedMessage
    {
        try await makeKeys(at: now) { table throws(StoreError) in try table.open(message, from: accounts) }
    }

    public func seal(_ text: String, for accounts: [ChatAddress], leavesOut: Bool) async throws(StoreError)
        -> Result<SealedMessage, EncryptionObstacle>
    {
        try await makeKeys { table throws(StoreError) in
            try table.seal(text, for: accounts, leavesOut: leavesOut)
        }
    }

    public func sealKeys(for device: DeviceAddress) async throws(StoreError) -> SealedMessage? {
        try await makeKeys { table throws(StoreError) in try table.sealKeys(for: device) }
    }

    public func setDevices(_ devices: [UInt32], of account: ChatAddress, at now: ChatTime)
        async throws(StoreError)
    {
        try await makeKeys(at: now) { table throws(StoreError) in try table.setDevices(devices, of: account) }
    }

    public func devices(of account: ChatAddress) async throws(StoreError) -> [DeviceKey] {
        try await askKeys { table throws(StoreError) in
            var devices = try table.devices(of: account)
            if account == table.database.account, let own = try table.identity() {
                devices.insert(
                    DeviceKey(
                        DeviceAddress(account, own.identity.device),
                        key: Array(own.identity.publicKey.dropFirst()), trust: .verified, isActive: true,
                        isThis: true, firstSeen: own.signedTime), at: 0)
            }
            return devices
        }
    }

    public func devicesWithoutSession(of accounts: [ChatAddress]) async throws(StoreError)
        -> [DeviceAddress]
    {
        try await askKeys { table throws(StoreError) in try table.devicesWithoutSession(of: accounts) }
    }

    public func begin(with device: DeviceAddress, _ bundle: KeyBundle, at now: ChatTime)
        async throws(StoreError) -> Bool
    {
        try await makeKeys(at: now) { table throws(StoreError) in
            do throws(SessionError) {
                var random = SystemRandomNumberGenerator()
                try table.engine.begin(with: device, bundle: bundle, using: &random)
                return true
            } catch .store(let error) {
                throw error
            } catch {
                return false
            }
        }
    }

    public func setTrust(_ trust: KeyTrust, in device: DeviceAddress, key: [UInt8])
        async throws(StoreError)
    {
        try await makeKeys { table throws(StoreError) in
            try table.run(
                .setTrust, table.values(of: device) + [.bytes(key), SQLValue(trust.rawValue)])
        }
    }

    public func setLabel(_ label: String, of device: DeviceAddress) async throws(StoreError) {
        try await makeKeys { table throws(StoreError) in
            try table.run(.setLabel, table.values(of: device) + [.text(label)])
        }
    }

    public func dropSessions(with account: ChatAddress) async throws(StoreError) {
        try await makeKeys { table throws(StoreError) in
            try table.run(.removeSessions, [.text(account.text)])
        }
    }

    public func forgetKeys(of own: ChatAddress) {
        let change = { @Sendable (database: StoreDatabase) throws(StoreError) in
            database.account = own
            try KeyTable(database, at: ChatTime(milliseconds: 0)).forgetAll()
        }
        write(.messages, isForgetting: true, change, completion: nil)
    }

    public func encryptionChoice(of buddy: ChatAddress) async throws(StoreError) -> EncryptionChoice {
        try await askKeys { table throws(StoreError) in try table.database.encryptionChoice(of: buddy) }
    }

    private func makeKeys<Value: Sendable>(
        at now: ChatTime = ChatTime(milliseconds: 0),
        _ body: @escaping @Sendable (KeyTable) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let account = account
        return try await make(.messages) { database throws(StoreError) in
            database.account = account
            return try body(KeyTable(database, at: now))
        }
    }

    private func askKeys<Value: Sendable>(
        _ body: @escaping @Sendable (KeyTable) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let account = account
        return try await ask(.messages) { database throws(StoreError) in
            database.account = account
            return try body(KeyTable(database, at: ChatTime(milliseconds: 0)))
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore
internal import TouchtoneOMEMO

/// The keys and sessions of the current account, as the engine uses them, within a transaction of the caller.
final class KeyTable: KeyStorage {
    let database: StoreDatabase
    let owner: SQLValue
    let now: ChatTime
    private(set) lazy var engine = SessionEngine(storage: self)

    init(_ database: StoreDatabase, at now: ChatTime) {
        (self.database, self.now) = (database, now)
        owner = .text(database.prefix)
    }

    func run(_ statement: KeyStatement, _ values: [SQLValue] = []) throws(StoreError) {
        try database.run(statement, [owner] + values)
    }

    func rows<Value>(
        _ statement: KeyStatement, _ values: [SQLValue] = [], _ row: (Statement.Row) -> Value
    ) throws(StoreError) -> [Value] {
        try database.rows(statement, [owner] + values, row)
    }

    // MARK: KeyStorage

    func ownIdentity() throws(StoreError) -> OwnIdentity {
        guard let identity = try identity()?.identity else { throw .foundDamaged }
        return identity
    }

    func session(with device: DeviceAddress) throws(StoreError) -> [UInt8]? {
        try rows(.session, values(of: device)) { $0.bytes(0) }.first
    }

    func saveSession(_ record: [UInt8], with device: DeviceAddress) throws(StoreError) {
        try run(.setSession, values(of: device) + [.bytes(record)])
    }

    func deleteSession(with device: DeviceAddress) throws(StoreError) {
        try run(.removeSession, values(of: device))
    }

    func preKey(_ id: UInt32) throws(StoreError) -> [UInt8]? { try record(id, isSigned: false) }

    func savePreKey(_ record: [UInt8], id: UInt32) throws(StoreError) {
        try run(.setPreKey, [SQLValue(false), .integer(Int64(id)), .bytes(record)])
    }

    func deletePreKey(_ id: UInt32) throws(StoreError) { try run(.removePreKey, [.integer(Int64(id))]) }

    func signedPreKey(_ id: UInt32) throws(StoreError) -> [UInt8]? { try record(id, isSigned: true) }

    func saveSignedPreKey(_ record: [UInt8], id: UInt32) throws(StoreError) {
        try run(.setPreKey, [SQLValue(true), .integer(Int64(id)), .bytes(record)])
    }

    func identityKey(of device: DeviceAddress) throws(StoreError) -> [UInt8]? {
        try self.device(device)?.key.map { [5] + $0 }
    }

    /// Keeps the key of a device, which is trusted unless another one of its owner is verified.
    func saveIdentityKey(_ key: [UInt8], of device: DeviceAddress) throws(StoreError) {
        let known = try self.device(device)
        guard known?.key != Array(key.dropFirst()) else { return }
        try add(device, isActive: false)
        let asks = try rows(.hasVerified, [.text(device.account.text)]) { $0.integer(0) > 0 }.first ?? false
        let trust: KeyTrust = asks ? .undecided : .blind
        try run(.setKey, values(of: device) + [.bytes(Array(key.dropFirst())), SQLValue(trust.rawValue)])
    }

    private func record(_ id: UInt32, isSigned: Bool) throws(StoreError) -> [UInt8]? {
        try rows(.preKey, [SQLValue(isSigned), .integer(Int64(id))]) { $0.bytes(0) }.first
    }
}

// MARK: - Devices

extension KeyTable {
    func values(of device: DeviceAddress) -> [SQLValue] {
        [.text(device.account.text), .integer(Int64(device.device))]
    }

    func devices(of account: ChatAddress) throws(StoreError) -> [DeviceKey] {
        try rows(.devices, [.text(account.text)]) { DeviceKey($0) }
    }

    func device(_ address: DeviceAddress) throws(StoreError) -> DeviceKey? {
        try rows(.device, values(of: address)) { DeviceKey($0) }.first
    }

    func add(_ device: DeviceAddress, isActive: Bool) throws(StoreError) {
        try run(.addDevice, values(of: device) + [SQLValue(isActive), .integer(now.milliseconds)])
    }

    /// The greatest number of devices of an account that are followed: others could state any number.
    static let maximumDevices = 50

    /// Records the list of an account’s devices; those that are not in it any more stay, so that their messages are still read.
    func setDevices(_ ids: [UInt32], of account: ChatAddress) throws(StoreError) {
        let own = account == database.account ? try identity()?.identity.device : nil
        let valid = ids.filter { DeviceAddress.isValid($0) && $0 != own }
        let listed = Set(valid.prefix(Self.maximumDevices))
        let known = try devices(of: account)
        let changed = known.filter { $0.isActive != listed.contains($0.address.device) }
        let new = listed.subtracting(known.map(\.address.device))
        // The server sends the lists of all buddies at each sign-in, nearly always as they were.
        guard !changed.isEmpty || !new.isEmpty else { return }
        for device in changed {
            try run(.setActive, values(of: device.address) + [SQLValue(!device.isActive)])
        }
        for id in new { try add(DeviceAddress(account, id), isActive: true) }
        try run(.forgetDevices, [.text(account.text)])
    }

    func devicesWithoutSession(of accounts: [ChatAddress]) throws(StoreError) -> [DeviceAddress] {
        var devices: [DeviceAddress] = []
        for account in accounts {
            devices += try rows(.withoutSession, [.text(account.text)]) {
                DeviceAddress(account, UInt32(clamping: $0.integer(0)))
            }
        }
        return devices
    }
}

extension DeviceKey {
    fileprivate init(_ row: Statement.Row) {
        let key = row.bytes(2)
        self.init(
            DeviceAddress(ChatAddress(row.text(0)), UInt32(clamping: row.integer(1))),
            key: key.count == 32 ? key : nil, trust: KeyTrust(rawValue: Int(row.integer(3))) ?? .undecided,
            isActive: row.bool(4), firstSeen: ChatTime(milliseconds: row.integer(5)),
            lastSeen: row.optionalInteger(6).map { ChatTime(milliseconds: $0) }, label: row.text(7))
    }
}

// MARK: - This device

extension KeyTable {
    struct Identity {
        let identity: OwnIdentity
        var nextPreKey: UInt32
        var signed: UInt32
        var signedTime: ChatTime
    }

    func identity() throws(StoreError) -> Identity? {
        try rows(.identity) { row in
            Identity(
                identity: OwnIdentity(
                    device: UInt32(clamping: row.integer(0)), publicKey: row.bytes(1),
                    privateKey: row.bytes(2)),
                nextPreKey: UInt32(clamping: row.integer(3)), signed: UInt32(clamping: row.integer(4)),
                signedTime: ChatTime(milliseconds: row.integer(5)))
        }.first
    }

    /// The time after which a device signs a new key; the last two are kept for messages on their way.
    private static let rotation = Duration.seconds(30 * 86_400)

    /// Makes this device, in place of the one that it was.
    func makeDevice(besides taken: Set<UInt32>) throws(StoreError) {
        try run(.removeAllPreKeys)
        try run(.removeAllSessions)
        var device: UInt32
        repeat { device = SessionEngine.randomDevice() } while taken.contains(device)
        let own = SessionEngine.makeIdentity(device: device)
        try run(
            .setIdentity, [.integer(Int64(own.device)), .bytes(own.publicKey), .bytes(own.privateKey)])
    }

    /// Removes everything of the account.
    func forgetAll() throws(StoreError) {
        for statement in [
            KeyStatement.removeIdentity, .removeAllPreKeys, .removeAllSessions, .removeAllDevices,
            .removeAllOpened,
        ] { try run(statement) }
        try database.noteDeletion()
    }

    /// Makes the keys that are missing, and returns all public ones.
    func replenish() throws(StoreError) -> OwnKeys {
        if try identity() == nil { try makeDevice(besides: []) }
        guard var own = try identity() else { throw .foundDamaged }
        let count = try rows(.preKeys) { $0.integer(0) }.count
        if count < KeyBundle.preKeyCount {
            let end = own.nextPreKey + UInt32(KeyBundle.preKeyCount - count)
            let ids = own.nextPreKey..<end
            try engine.checked { engine throws(SessionError) in try engine.makePreKeys(ids: ids) }
            own.nextPreKey = end
        }
        if own.signed == 0 || own.signedTime < now - Self.rotation {
            own.signed += 1
            own.signedTime = now
            let signed = own.signed
            try engine.checked { engine throws(SessionError) in
                try engine.makeSignedPreKey(id: signed, time: now)
            }
            if signed > 2 { try run(.removeOldSignedPreKeys, [.integer(Int64(signed) - 1)]) }
        }
        try run(
            .noteKeys,
            [
                .integer(Int64(own.nextPreKey)), .integer(Int64(own.signed)),
                .integer(own.signedTime.milliseconds),
            ])
        return try keys(own)
    }

    private func keys(_ own: Identity) throws(StoreError) -> OwnKeys {
        let ids = try rows(.preKeys, [], { UInt32(clamping: $0.integer(0)) })
        let bundle = try engine.checked { engine throws(SessionError) in
            try engine.bundle(signedPreKey: own.signed, preKeys: ids)
        }
        guard let bundle else { throw .foundDamaged }
        return OwnKeys(device: own.identity.device, bundle: bundle, nextPreKey: own.nextPreKey)
    }
}

extension SessionEngine {
    /// Runs what cannot fail with intact keys.
    func checked<Value>(
        _ body: (SessionEngine) throws(SessionError) -> Value
    ) throws(StoreError) -> Value {
        do throws(SessionError) {
            return try body(self)
        } catch .store(let error) {
            throw error
        } catch {
            throw .foundDamaged
        }
    }
}

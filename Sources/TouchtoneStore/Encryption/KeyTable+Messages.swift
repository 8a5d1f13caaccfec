// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSodium
internal import TouchtoneCore
internal import TouchtoneOMEMO

// MARK: - Opening

extension KeyTable {
    /// The number of messages of a device without one to it after which it gets a sign of life, as python-omemo has it.
    private static let heartbeat: Int64 = 53
    /// The greatest number of a message's keys that are tried, and of the accounts that may have sent it.
    private static let maximumTries = 20
    private static let maximumAccounts = 100

    func open(_ message: SealedMessage, from accounts: [ChatAddress]) throws(StoreError) -> OpenedMessage {
        guard let own = try identity()?.identity else {
            return unreadable(.notForThisDevice, message)
        }
        // This device's own messages come back from archives and rooms; it has no key for itself.
        if message.device == own.device, let account = database.account,
            accounts.isEmpty || accounts.contains(account)
        {
            return OpenedMessage(.repetition, from: DeviceAddress(account, own.device), trust: .verified)
        }
        guard DeviceAddress.isValid(message.device) else { return unreadable(.malformed, message) }
        let keys = message.keys.filter { $0.device == own.device && !$0.bytes.isEmpty }
        guard !keys.isEmpty else { return unreadable(.notForThisDevice, message) }
        if let known = try known(message, keys) { return known }
        // Some rooms do not say whose an archived message is.
        let accounts = try accounts.isEmpty ? owners(of: message.device) : accounts
        guard !accounts.isEmpty else { return unreadable(.unknownSender, message) }
        var failure: (SessionError, DeviceAddress)?
        for account in try likely(accounts, message.device) {
            let sender = DeviceAddress(account, message.device)
            for key in keys.prefix(Self.maximumTries) {
                do throws(SessionError) {
                    let secret = try engine.decrypt(
                        EncryptedKey(bytes: key.bytes, isPreKey: key.isPreKey), from: sender)
                    return try note(message, key, secret, from: sender)
                } catch .store(let error) {
                    throw error
                } catch {
                    if failure == nil || accounts.count == 1 { failure = (error, sender) }
                }
            }
        }
        return try refused(message, failure)
    }

    private func owners(of device: UInt32) throws(StoreError) -> [ChatAddress] {
        try rows(.accounts, [.integer(Int64(device))]) { ChatAddress($0.text(0)) }
    }

    /// Returns the accounts with such a device first: each of a room's members may have sent the message.
    private func likely(_ accounts: [ChatAddress], _ device: UInt32) throws(StoreError) -> [ChatAddress] {
        guard accounts.count > 1 else { return accounts }
        var (known, others): ([ChatAddress], [ChatAddress]) = ([], [])
        for account in accounts.prefix(Self.maximumAccounts) {
            if try self.device(DeviceAddress(account, device)) != nil {
                known.append(account)
            } else {
                others.append(account)
            }
        }
        return known.isEmpty ? others : known
    }

    private func note(
        _ message: SealedMessage, _ key: SealedMessage.Key, _ opened: [UInt8], from sender: DeviceAddress
    ) throws(SessionError) -> OpenedMessage {
        do throws(StoreError) {
            return try record(message, key, opened, from: sender)
        } catch {
            throw .store(error)
        }
    }

    private func record(
        _ message: SealedMessage, _ key: SealedMessage.Key, _ opened: [UInt8], from sender: DeviceAddress
    ) throws(StoreError) -> OpenedMessage {
        try add(sender, isActive: false)
        let unanswered =
            try rows(.seen, values(of: sender) + [.integer(now.milliseconds)]) { $0.integer(0) }.first ?? 0
        let kept: SQLValue = message.payload == nil ? .null : .bytes(opened)
        try run(
            .addOpened,
            [.bytes(digest(of: key))] + values(of: sender) + [kept, .integer(now.milliseconds)])
        let wantsAnswer = key.isPreKey || unanswered >= Self.heartbeat
        return OpenedMessage(
            content(of: message, by: opened), from: sender, trust: try trust(in: sender),
            wantsAnswer: wantsAnswer, usedPreKey: key.isPreKey)
    }

    private func content(of message: SealedMessage, by opened: [UInt8]) -> OpenedMessage.Content {
        guard let payload = message.payload else { return .keys }
        let text = SealedText(iv: message.vector, payload: payload, keyAndTag: opened).open()
        return text.map { .text($0) } ?? .unreadable(.malformed)
    }

    private func trust(in device: DeviceAddress) throws(StoreError) -> KeyTrust {
        try self.device(device)?.trust ?? .undecided
    }

    /// Returns what a message says that was opened before; nil if it was not.
    private func known(_ message: SealedMessage, _ keys: [SealedMessage.Key]) throws(StoreError)
        -> OpenedMessage?
    {
        for key in keys.prefix(Self.maximumTries) {
            let row = try rows(.opened, [.bytes(digest(of: key))]) { row in
                (
                    DeviceAddress(ChatAddress(row.text(0)), UInt32(clamping: row.integer(1))), row.bytes(2)
                )
            }.first
            guard let (sender, kept) = row else { continue }
            guard sender.device == message.device else { return unreadable(.malformed, message) }
            let trust = try trust(in: sender)
            if message.payload == nil { return OpenedMessage(.keys, from: sender, trust: trust) }
            // The text is in the store, and its key is not kept for long.
            guard !kept.isEmpty else { return OpenedMessage(.repetition, from: sender, trust: trust) }
            return OpenedMessage(content(of: message, by: kept), from: sender, trust: trust)
        }
        return nil
    }

    private func refused(_ message: SealedMessage, _ failure: (SessionError, DeviceAddress)?)
        throws(StoreError)
        -> OpenedMessage
    {
        guard let (error, sender) = failure else { return unreadable(.notForThisDevice, message) }
        switch error {
        case .duplicate, .preKeyGone, .noSession, .wrongKey, .tooFarAhead:
            let content: OpenedMessage.Content =
                message.payload == nil ? .keys : .unreadable(.brokenSession)
            return OpenedMessage(
                content, from: sender, trust: try trust(in: sender),
                needsSession: error != .duplicate && error != .tooFarAhead)
        case .identityChanged: return unreadable(.changedKey, message)
        case .malformed: return unreadable(.malformed, message)
        case .unavailable: return unreadable(.brokenSession, message)
        case .store(let error): throw error
        }
    }

    private func unreadable(_ reason: UnreadableReason, _ message: SealedMessage) -> OpenedMessage {
        OpenedMessage(message.payload == nil ? .keys : .unreadable(reason))
    }

    /// Returns a digest by which an encrypted key is known again.
    private func digest(of key: SealedMessage.Key) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&digest, digest.count, key.bytes, UInt64(key.bytes.count), nil, 0)
        return digest
    }
}

// MARK: - Sealing

extension KeyTable {
    /// Encrypts a text for the trusted devices of the accounts and of the user’s own account.
    func seal(_ text: String, for accounts: [ChatAddress], leavesOut: Bool) throws(StoreError)
        -> Result<SealedMessage, EncryptionObstacle>
    {
        guard let own = database.account, let device = try identity()?.identity.device else {
            return .failure(.unreachable(accounts.first ?? .operatorAddress))
        }
        var recipients: [DeviceAddress] = []
        var undecided: [DeviceKey] = []
        var obstacle: EncryptionObstacle?
        for account in accounts {
            let found = try usable(of: account)
            recipients += found.devices
            undecided += found.undecided
            obstacle = obstacle ?? found.obstacle(account)
        }
        let othersCount = recipients.count
        if !accounts.contains(own) {
            let mine = try usable(of: own)
            recipients += mine.devices
            undecided += mine.undecided
        }
        if !leavesOut {
            if !undecided.isEmpty { return .failure(.undecided(undecided)) }
            if let obstacle { return .failure(obstacle) }
        }
        let isAlone = accounts.allSatisfy { $0 == own }
        guard othersCount > 0 || isAlone && !recipients.isEmpty else {
            return .failure(obstacle ?? .noneTrusted(accounts.first ?? own))
        }
        guard let sealed = try? SealedText.seal(text) else {
            return .failure(.unreachable(accounts.first ?? own))
        }
        let keys = try keys(sealed.keyAndTag, for: recipients)
        guard !keys.isEmpty else { return .failure(.unreachable(accounts.first ?? own)) }
        return .success(
            SealedMessage(device: device, keys: keys, vector: sealed.iv, payload: sealed.payload))
    }

    func sealKeys(for device: DeviceAddress) throws(StoreError) -> SealedMessage? {
        guard let own = try identity()?.identity.device, try session(with: device) != nil,
            let sealed = try? SealedText.seal("")
        else { return nil }
        let keys = try keys(sealed.keyAndTag, for: [device])
        return keys.isEmpty
            ? nil : SealedMessage(device: own, keys: keys, vector: sealed.iv, payload: nil)
    }

    private struct Usable {
        var devices: [DeviceAddress] = []
        var undecided: [DeviceKey] = []
        var (hasAny, hasTrusted) = (false, false)

        func obstacle(_ account: ChatAddress) -> EncryptionObstacle? {
            if !devices.isEmpty || !undecided.isEmpty { return nil }
            if !hasAny { return .noDevices(account) }
            return hasTrusted ? .unreachable(account) : .noneTrusted(account)
        }
    }

    private func usable(of account: ChatAddress) throws(StoreError) -> Usable {
        var usable = Usable()
        // The key of a device without a session is not known, or has changed.
        let missing = Set(try devicesWithoutSession(of: [account]))
        for device in try devices(of: account) where device.isActive {
            usable.hasAny = true
            let hasSession = !missing.contains(device.address)
            switch device.trust {
            case .blind, .verified:
                usable.hasTrusted = true
                if hasSession { usable.devices.append(device.address) }
            case .undecided:
                if device.key != nil { usable.undecided.append(device) } else { usable.hasTrusted = true }
            case .distrusted, .setAside: break
            }
        }
        return usable
    }

    private func keys(_ key: [UInt8], for devices: [DeviceAddress]) throws(StoreError)
        -> [SealedMessage.Key]
    {
        var keys: [SealedMessage.Key] = []
        for device in devices {
            do throws(SessionError) {
                let encrypted = try engine.encrypt(key, for: device)
                keys.append(
                    SealedMessage.Key(
                        device: device.device, bytes: encrypted.bytes, isPreKey: encrypted.isPreKey))
            } catch .store(let error) {
                throw error
            } catch {
                // A damaged session: a new one begins with the next message.
                try deleteSession(with: device)
                continue
            }
            try run(.answered, values(of: device))
        }
        return keys
    }
}

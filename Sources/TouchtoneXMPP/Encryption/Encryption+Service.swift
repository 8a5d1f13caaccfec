// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The requests of the user.
extension Encryption: EncryptionService {
    func decide(for buddy: ChatAddress) async -> Bool? {
        guard keys != nil else { return false }
        // The presence of keys is known only to the server.
        guard account.isReady else { return nil }
        return try? await decides(buddy)
    }

    func learn(of buddy: ChatAddress) {
        guard keys != nil else { return }
        watch(buddy)
        guard account.isReady else { return }
        account.stream.run { [self] in
            if let support = try? await support(of: buddy) { account.emit([.encryption(buddy, support)]) }
        }
    }

    func devices(in buddy: ChatAddress) async throws(StoreError) -> [DeviceKey] {
        guard let keys else { return [] }
        var found: [DeviceKey] = []
        if case .success(let accounts) = await recipients(of: buddy) {
            _ = try await devices.prepare(accounts + [own])
            for account in accounts where account != own { found += try await keys.devices(of: account) }
        }
        return found + (try await keys.devices(of: own))
    }

    func setTrust(_ trust: KeyTrust, in device: DeviceKey) async throws(StoreError) {
        guard let keys, let key = device.key else { return }
        try await keys.setTrust(trust, in: device.address, key: key)
        report(device.address.account)
        retryAll()
    }

    func setLabel(_ label: String, of device: DeviceKey) async throws(StoreError) {
        try await keys?.setLabel(PlainText.line(label, maximum: 60), of: device.address)
    }

    func remove(_ device: DeviceKey) async throws(ChatServiceError) {
        guard account.client.state == .online else { throw .offline }
        do throws(RequestError) {
            try await publisher.remove(device.address.device)
        } catch {
            throw ChatServiceError(error)
        }
        // The server does not tell every device of its own changes.
        let others = (try? await keys?.devices(of: own)) ?? []
        let left = others.filter { $0.isActive && !$0.isThis && $0.address != device.address }
        await devices.take(left.map(\.address.device), of: own)
    }

    func startAnew(with buddy: ChatAddress) async throws(StoreError) {
        guard let keys, case .success(let accounts) = await recipients(of: buddy) else { return }
        for account in accounts { try await keys.dropSessions(with: account) }
        devices.forgetFailures()
        _ = try await devices.prepare(accounts)
        for account in accounts {
            for device in try await keys.devices(of: account) where device.isActive && device.key != nil {
                try await answer(device.address, keys)
            }
        }
    }
}

// MARK: - Conversations

extension Encryption {
    /// Returns whether a conversation can be encrypted, as far as the server tells.
    func support(of buddy: ChatAddress) async throws(StoreError) -> EncryptionSupport {
        guard let keys, !publisher.isRefused else { return .impossible(.server) }
        let accounts: [ChatAddress]
        switch await recipients(of: buddy) {
        case .success(let found): accounts = found
        case .failure(.openRoom): return .impossible(.openRoom)
        case .failure: return .unknown
        }
        var counts: [KeyTrust: Int] = [:]
        for account in accounts {
            guard await devices.learn(account) else { return .unknown }
            let active = try await keys.devices(of: account).filter(\.isActive)
            if active.isEmpty { return .impossible(.noKeys) }
            for device in active {
                // A key that is not known yet is trusted once it is, unless another one is verified.
                let asks = active.contains { $0.trust == .verified || $0.trust == .setAside }
                let trust = device.key == nil && !asks ? .blind : device.trust
                counts[trust, default: 0] += 1
            }
        }
        return accounts.isEmpty ? .impossible(.noKeys) : .possible(KeySummary(counts))
    }

    /// Returns the accounts for whose devices the messages of a conversation are encrypted.
    func recipients(of buddy: ChatAddress) async -> Result<[ChatAddress], EncryptionObstacle> {
        guard let jid = buddy.jid else { return .failure(.openRoom) }
        guard let session = rooms.session(jid) else { return .success([buddy]) }
        guard jid.isBare, session.state.isPrivate else { return .failure(.openRoom) }
        guard let members = await members.of(session, in: rooms) else { return .failure(.unknownMembers) }
        // It may have been opened meanwhile.
        guard session.state.isPrivate else { return .failure(.openRoom) }
        return .success(members.map { ChatAddress($0) }.sorted())
    }

    /// Reports what is known of the conversation with an account whose keys have changed.
    func report(_ owner: ChatAddress) { if owner != own, isWatched(owner) { learn(of: owner) } }
}

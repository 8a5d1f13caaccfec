// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The devices of accounts, and the sessions with them, which are fetched when a message first needs them.
@MainActor
final class DeviceDirectory {
    /// The time for which a device whose keys could not be had is not asked again.
    private static let patience = Duration.seconds(300)
    /// The greatest number of bundles that are fetched at a time: each has about 11 KB.
    private static let maximumAtOnce = 4

    private let account: AccountContext
    private let keys: (any KeyStore)?
    /// The accounts whose list is known on this stream.
    private var known: Set<ChatAddress> = []
    private var asked: [ChatAddress: Task<Bool, Never>] = [:]
    private var fetched: [DeviceAddress: Task<Bool, Never>] = [:]
    /// The devices whose keys could not be had, with the time of the attempt.
    private var failed: [DeviceAddress: Duration] = [:]

    init(of account: AccountContext, _ keys: (any KeyStore)?) { (self.account, self.keys) = (account, keys) }

    func begin() { (known, asked, fetched, failed) = ([], [:], [:], [:]) }

    func forgetFailures() { failed = [:] }

    /// Records the list of an account.
    func take(_ list: [UInt32], of owner: ChatAddress) async {
        known.insert(owner)
        try? await keys?.setDevices(list, of: owner, at: account.wall.now)
    }

    /// Learns the list of an account; returns whether it is known.
    func learn(_ owner: ChatAddress) async -> Bool {
        if known.contains(owner) { return true }
        if let task = asked[owner] { return await task.value }
        let task = Task { [weak self] in await self?.ask(owner) ?? false }
        asked[owner] = task
        let isKnown = await task.value
        if asked[owner] == task { asked[owner] = nil }
        return isKnown
    }

    private func ask(_ owner: ChatAddress) async -> Bool {
        guard let jid = owner.jid else { return false }
        let stream = account.stream
        let answer = await Result.of { () throws(RequestError) in
            try await account.client.published(OMEMO.devices, by: jid)
        }
        guard !stream.isOver else { return false }
        // A list that came meanwhile is newer.
        if known.contains(owner) { return true }
        switch answer {
        case .success(let items): await take(OMEMO.devices(in: items) ?? [], of: owner)
        // Nothing is published, or the server has no place for it.
        case .failure(.refused(let error)) where !error.isOfDelay: await take([], of: owner)
        case .failure: return false
        }
        return true
    }

    /// Begins the missing sessions with the devices of accounts; returns those accounts whose devices are not known.
    func prepare(_ accounts: [ChatAddress]) async throws(StoreError) -> Set<ChatAddress> {
        guard let keys else { return [] }
        let questions = accounts.map { account in Task { await learn(account) } }
        var unknown: Set<ChatAddress> = []
        for (account, question) in zip(accounts, questions) where await !question.value {
            unknown.insert(account)
        }
        let earliest = account.clock.now - Self.patience
        var missing = try await keys.devicesWithoutSession(of: accounts).filter { device in
            failed[device].map { $0 < earliest } ?? true
        }
        while !missing.isEmpty {
            let some = missing.prefix(Self.maximumAtOnce)
            missing.removeFirst(some.count)
            let tasks = some.map { device in fetch(device) }
            for task in tasks { _ = await task.value }
        }
        return unknown
    }

    /// Begins a new session with a device, whose old one is broken; returns whether it has begun.
    func renew(_ device: DeviceAddress) async throws(StoreError) -> Bool {
        failed[device] = nil
        return await fetch(device).value
    }

    private func fetch(_ device: DeviceAddress) -> Task<Bool, Never> {
        if let task = fetched[device] { return task }
        let task = Task { [weak self] in
            let isDone = await self?.begin(with: device) ?? false
            self?.fetched[device] = nil
            return isDone
        }
        fetched[device] = task
        return task
    }

    private func begin(with device: DeviceAddress) async -> Bool {
        guard let keys, let jid = device.account.jid else { return false }
        let items = await Result.of { () throws(RequestError) in
            try await account.client.published(OMEMO.bundle(of: device.device), by: jid)
        }
        if let items = try? items.get(), let bundle = OMEMO.bundle(in: items),
            (try? await keys.begin(with: device, bundle, at: account.wall.now)) == true
        {
            failed[device] = nil
            return true
        }
        failed[device] = account.clock.now
        return false
    }
}

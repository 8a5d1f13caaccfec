// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The publication of this device’s keys, and of its number in the account’s list.
@MainActor
final class KeyPublisher {
    /// The number of times on a stream that the number is added again to a list from which it was taken: another program may
    /// take it out as often.
    private static let maximumAdditions = 3

    private let account: AccountContext
    private let keys: (any KeyStore)?
    private var own: OwnKeys?
    /// The devices in the account’s list, as far as the server has told.
    private var listed: [UInt32] = []
    private var additions = 0
    private var isStarted = false
    /// Whether the keys are on the server; nil until it is known.
    private(set) var isAccepted: Bool?
    /// Whether the server cannot keep keys: it has no place for them, or does not let everybody read or does not keep what is
    /// published.
    private(set) var isRefused = false
    /// Called when the server turns out not to keep keys; set once, by `Encryption`.
    var onRefusal: (@MainActor () -> Void)?

    init(of account: AccountContext, _ keys: (any KeyStore)?) { (self.account, self.keys) = (account, keys) }

    func begin() {
        (own, listed, additions, isStarted, isAccepted, isRefused) = (nil, [], 0, false, nil, false)
    }

    /// Returns this device’s keys, which exist from the first call on.
    func ownKeys() async throws(StoreError) -> OwnKeys? {
        if own == nil { own = try await keys?.ownKeys(at: account.wall.now) }
        return own
    }

    /// Publishes what the server does not have, once on each stream.
    func start() {
        guard !isStarted, keys != nil else { return }
        isStarted = true
        let stream = account.stream
        stream.run { [self] in
            do {
                try await publish(stream)
            } catch {
                guard !stream.isOver else { return }
                account.onDropped?("the keys could not be published: \(error)")
                isAccepted = false
                if case RequestError.refused(let reason) = error, !reason.isOfDelay {
                    isRefused = true
                    onRefusal?()
                }
            }
        }
    }

    private func publish(_ stream: TaskScope) async throws {
        guard var mine = try await ownKeys(), let keys else { return }
        var list = try await published(OMEMO.devices).flatMap { OMEMO.devices(in: $0) } ?? []
        try stream.check()
        let bundle = try await published(OMEMO.bundle(of: mine.device)).flatMap { OMEMO.bundle(in: $0) }
        try stream.check()
        if let bundle, mine.isOlder(than: bundle) {
            // The sessions of an older copy would go wrong with everybody.
            mine = try await keys.makeOwnDevice(besides: Set(list), at: account.wall.now)
            own = mine
        } else if bundle == nil, list.contains(mine.device) {
            list.removeAll { $0 == mine.device }
        }
        if bundle != mine.bundle { try await publish(mine) }
        try stream.check()
        if !list.contains(mine.device) {
            try await publish(list + [mine.device])
            try stream.check()
            list = try await published(OMEMO.devices).flatMap { OMEMO.devices(in: $0) } ?? []
            try stream.check()
            // A server may accept what it does not keep.
            guard !list.isEmpty else { throw Self.notKept }
        }
        isAccepted = true
        // Another device may have published its list at the same time.
        check(list)
    }

    private static let notKept = RequestError.refused(StanzaError(.cancel, "item-not-found"))

    /// Returns the items of a node; nil if there is none.
    private func published(_ node: String) async throws(RequestError) -> [PubSub.Item]? {
        do throws(RequestError) {
            return try await account.client.published(node)
        } catch .refused(let error) where error.condition == "item-not-found" {
            return nil
        }
    }

    private func publish(_ mine: OwnKeys) async throws(RequestError) {
        try await account.client.publishOpenly(
            OMEMO.element(of: mine.bundle), in: OMEMO.bundle(of: mine.device))
    }

    private func publish(_ list: [UInt32]) async throws(RequestError) {
        try await account.client.publishOpenly(OMEMO.list(list), in: OMEMO.devices)
    }

    /// Adds this device to a list from which another program has taken it.
    func check(_ list: [UInt32]) {
        listed = list
        guard isAccepted == true, let own, !list.contains(own.device), additions < Self.maximumAdditions
        else { return }
        additions += 1
        account.stream.run { [self] in try? await publish(list + [own.device]) }
    }

    /// Makes and publishes new keys in place of those that were used.
    func replenish() async {
        guard let keys, isAccepted == true else { return }
        guard let mine = try? await keys.replenish(at: account.wall.now) else { return }
        own = mine
        do throws(RequestError) {
            try await publish(mine)
        } catch {
            account.onDropped?("new keys could not be published: \(error)")
        }
    }

    /// Takes this device off the list, and removes its keys, without waiting for the server: the account is removed.
    func leave() {
        guard isAccepted == true, let own, account.client.state == .online else { return }
        let others = listed.filter { $0 != own.device }
        account.client.sendOpenly(OMEMO.list(others), in: OMEMO.devices)
        account.client.sendDeletion(of: OMEMO.bundle(of: own.device))
    }

    /// Takes another device of the user’s off the list, with its keys.
    func remove(_ device: UInt32) async throws(RequestError) {
        let list = try await published(OMEMO.devices).flatMap { OMEMO.devices(in: $0) } ?? []
        if list.contains(device) { try await publish(list.filter { $0 != device }) }
        do throws(RequestError) {
            try await account.client.deleteNode(OMEMO.bundle(of: device))
        } catch .refused {
            // It has none, or it is gone already.
        }
    }
}

extension OwnKeys {
    /// Whether the published keys are later ones of this device, or those of another one.
    ///
    /// An older copy of the store may have made keys again that have other ones of their number on the server.
    fileprivate func isOlder(than published: KeyBundle) -> Bool {
        guard published.identityKey == bundle.identityKey, published.signedPreKeyID <= bundle.signedPreKeyID
        else { return true }
        if published.signedPreKeyID == bundle.signedPreKeyID, published.signedPreKey != bundle.signedPreKey {
            return true
        }
        let own = Dictionary(bundle.preKeys.map { ($0.id, $0.key) }) { first, _ in first }
        return published.preKeys.contains { key in
            key.id >= nextPreKey || own[key.id].map { $0 != key.key } ?? false
        }
    }
}

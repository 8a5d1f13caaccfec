// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The encryption of the account’s conversations (XEP-0384 version 0.3).
///
/// A message is encrypted when it is sent, and decrypted when it comes, both in the store, where the sessions are. What follows
/// from a received message, such as an answer or new keys, waits until everything missed has been read.
@MainActor
final class Encryption: StreamModule {
    nonisolated static let features = [OMEMO.devices + "+notify"]

    let account: AccountContext
    let rooms: RoomSessions
    /// The store of keys; nil encrypts nothing.
    let keys: (any KeyStore)?
    let devices: DeviceDirectory
    let publisher: KeyPublisher
    let members: RoomMembers
    /// The conversations whose encryption the user has asked about.
    private var watched: Set<ChatAddress> = []
    var isAutomatic = true
    /// The reasons why the messages of conversations wait.
    private var obstacles: [ChatAddress: EncryptionObstacle] = [:]
    private var retryTimer: (any ScheduledTimer)?
    /// The devices that wait for a message of this one, and those with which a new session is needed.
    private var (unanswered, broken): (Set<DeviceAddress>, Set<DeviceAddress>) = ([], [])
    /// The devices with which a new session was begun on this stream because the old one was broken.
    private var healed: Set<DeviceAddress> = []
    private var usedPreKey = false
    private var isTidying = false
    private var tidyTimer: (any ScheduledTimer)?

    init(of account: AccountContext, _ rooms: RoomSessions, keys: (any KeyStore)?) {
        (self.account, self.rooms, self.keys) = (account, rooms, keys)
        devices = DeviceDirectory(of: account, keys)
        publisher = KeyPublisher(of: account, keys)
        members = RoomMembers(account.clock)
        publisher.onRefusal = { [weak self] in
            guard let self else { return }
            for buddy in watched.sorted() { learn(of: buddy) }
        }
    }

    var own: ChatAddress { ChatAddress(account.client.account.jid.bare) }

    func begin() {
        devices.begin()
        publisher.begin()
        members.forget()
        resume()
        retryTimer?.cancel()
        (healed, isTidying, retryTimer) = ([], false, nil)
    }

    /// Forgets what was in the way: a request may have failed with the connection, and all that waits is requested again.
    func resume() { for buddy in obstacles.keys.sorted() { set(nil, buddy) } }

    func forget() {
        begin()
        (unanswered, broken, usedPreKey, watched) = ([], [], false, [])
    }

    /// Takes this device off the account’s list, because the account is removed.
    func leave() {
        publisher.leave()
        forget()
    }

    /// Publishes this device’s keys, if the user wants any, and does what messages have asked for meanwhile.
    func start() {
        guard keys != nil else { return }
        if isAutomatic { publisher.start() }
        tidy()
    }

    func handle(_ stanza: InboundStanza) -> Bool {
        guard case .published(let change) = stanza, change.node == OMEMO.devices else { return false }
        guard keys != nil, account.isOwnOrBuddy(change.owner) else { return true }
        let list = change.isEmptied ? [] : OMEMO.devices(in: change.items)
        guard let list else { return true }
        let owner = ChatAddress(change.owner)
        let stream = account.stream
        stream.run { [self] in
            await devices.take(list, of: owner)
            guard !stream.isOver else { return }
            if owner == own { publisher.check(list) }
            report(owner)
            // What was missing may be there now.
            let waiting = obstacles.keys.filter { $0 == owner || isRoom($0) }
            if !waiting.isEmpty { retry(waiting) }
        }
        return true
    }

    private func isRoom(_ buddy: ChatAddress) -> Bool { rooms.session(buddy.jid) != nil }

    // MARK: Sending

    /// Decides how a message is sent, and encrypts it.
    func encrypt(_ message: OutgoingMessage) async -> OutgoingMessage {
        var message = message
        guard case .open = message.form, let text = message.secret, let keys else { return message }
        do throws(StoreError) {
            if message.isExposed, try await decides(message.buddy) {
                // The file lies in the clear on the server: it is uploaded again.
                if let name = message.base.id { account.emit([.protected(buddy: message.buddy, name: name)]) }
                message.form = .renewed
                return message
            }
            switch try await keys.encryptionChoice(of: message.buddy) {
            case .on(let leavesOut): message.form = try await encrypted(text, message.buddy, leavesOut)
            case _ where message.mustBeEncrypted:
                message.form = try await encrypted(text, message.buddy, false)
            case .off: message.form = .clear
            case .automatic:
                guard try await decides(message.buddy) else {
                    message.form = .clear
                    return message
                }
                if let name = message.base.id {
                    account.emit([.protected(buddy: message.buddy, name: name)])
                }
                message.form = try await encrypted(text, message.buddy, false)
            }
        } catch {
            // The store tells the user. The disk may have room later.
            message.form = .held
            retryLater()
        }
        return message
    }

    /// Decides whether what is sent to a conversation is encrypted.
    func decides(_ buddy: ChatAddress) async throws(StoreError) -> Bool {
        guard let keys else { return false }
        switch try await keys.encryptionChoice(of: buddy) {
        case .on: return true
        case .off: return false
        case .automatic:
            guard isAutomatic, try await isPossible(buddy) else { return false }
            // It is on the disk before anything is sent: the store works in order.
            account.emit([.encryptionBegan(buddy)])
            return true
        }
    }

    private func encrypted(_ text: String, _ buddy: ChatAddress, _ leavesOut: Bool)
        async throws(StoreError) -> OutgoingMessage.Form
    {
        // Nothing overtakes what waits; `retry` requests all of it again.
        guard let keys, obstacles[buddy] == nil else { return .held }
        switch await recipients(of: buddy) {
        case .failure(let obstacle): return hold(buddy, obstacle)
        case .success(let accounts):
            // Who can read it can answer, whatever the preference is.
            publisher.start()
            _ = try await publisher.ownKeys()
            let unknown = try await devices.prepare(accounts + [own])
            switch try await keys.seal(text, for: accounts, leavesOut: leavesOut) {
            case .success(let sealed): return .encrypted(OMEMO.elements(of: sealed))
            case .failure(.noDevices(let account)) where unknown.contains(account):
                return hold(buddy, .unreachable(account))
            case .failure(let obstacle): return hold(buddy, obstacle)
            }
        }
    }

    private func hold(_ buddy: ChatAddress, _ obstacle: EncryptionObstacle) -> OutgoingMessage.Form {
        set(obstacle, buddy)
        if case .unreachable = obstacle { retryLater() }
        return .held
    }

    private func set(_ obstacle: EncryptionObstacle?, _ buddy: ChatAddress) {
        guard obstacles[buddy] != obstacle else { return }
        obstacles[buddy] = obstacle
        account.emit([.encryptionObstacle(buddy, obstacle)])
    }

    /// Returns whether the other side of a conversation without a choice has keys.
    private func isPossible(_ buddy: ChatAddress) async throws(StoreError) -> Bool {
        guard case .possible = try await support(of: buddy) else { return false }
        return true
    }

    private func retryLater() {
        guard retryTimer == nil else { return }
        retryTimer = account.clock.schedule(after: Self.patience) { [weak self] in
            guard let self else { return }
            retryTimer = nil
            retryAll()
        }
    }

    func watch(_ buddy: ChatAddress) { watched.insert(buddy) }

    func isWatched(_ buddy: ChatAddress) -> Bool { watched.contains(buddy) || obstacles[buddy] != nil }

    /// Sends all waiting messages again.
    func retryAll() { retry(Array(obstacles.keys)) }

    /// Sends the waiting messages of a conversation again, from the first one on.
    func retry(_ buddy: ChatAddress) { retry([buddy]) }

    private func retry(_ buddies: [ChatAddress]) {
        devices.forgetFailures()
        for buddy in buddies.sorted() { set(nil, buddy) }
        account.requestWaiting()
    }

    // MARK: Receiving

    /// Opens the encrypted part of a message.
    func decrypt(_ stanza: ReceivedStanza) async -> ReceivedStanza {
        guard let keys, let element = OMEMO.encrypted(in: stanza.message) else { return stanza }
        var stanza = stanza
        guard let sealed = SealedMessage(element) else {
            let hasText = element.child("payload") != nil
            stanza.opened = OpenedMessage(hasText ? .unreadable(.malformed) : .keys)
            return stanza
        }
        if stanza.senders.isEmpty, let room = rooms.session(stanza.message.from), room.state.isPrivate {
            await members.learnKeys(of: room, in: rooms, and: own, by: devices)
        }
        let opened = await open(sealed, from: stanza.senders, with: keys)
        stanza.opened = opened
        note(opened, isArchived: stanza.isArchived)
        return stanza
    }

    /// Opens a message; while the disk refuses, it waits, because nothing may be lost.
    private func open(_ sealed: SealedMessage, from senders: [ChatAddress], with keys: any KeyStore)
        async -> OpenedMessage
    {
        while true {
            do throws(StoreError) {
                return try await keys.open(sealed, from: senders, at: account.wall.now)
            } catch {
                account.onDropped?("an encrypted message waits for the disk: \(error)")
                await account.sleep(Self.pause)
            }
        }
    }

    private func note(_ opened: OpenedMessage, isArchived: Bool) {
        if case .unreadable(let reason) = opened.content {
            account.onDropped?("an encrypted message cannot be read: \(reason)")
        }
        usedPreKey = usedPreKey || opened.usedPreKey
        guard let sender = opened.sender else { return tidy() }
        guard mayAnswer(sender.account) else { return tidy() }
        if opened.wantsAnswer { unanswered.insert(sender) }
        // In an archive, a message of an old session may come again and again.
        if opened.needsSession, !isArchived, healed.insert(sender).inserted { broken.insert(sender) }
        tidy()
    }

    /// Returns whether an account may learn by an answer that the user is online.
    private func mayAnswer(_ sender: ChatAddress) -> Bool {
        sender == own || account.mayKnow(sender)
            || rooms.sessions.values.contains { session in
                session.state.isPrivate
                    && session.state.occupants.values.contains { occupant in
                        occupant.item.jid.map { ChatAddress($0.bare) } == sender
                    }
            }
    }

    // MARK: Afterwards

    /// The time after which devices that could not be reached are asked again for waiting messages.
    private static let patience = Duration.seconds(120)

    /// The time during which what messages ask for is gathered.
    private static let pause = Duration.seconds(2)

    /// Answers devices, begins sessions again and publishes new keys, a little later, once everything missed is there.
    private func tidy() {
        guard !isTidying, account.isReady, usedPreKey || !unanswered.isEmpty || !broken.isEmpty else {
            return
        }
        isTidying = true
        let stream = account.stream
        tidyTimer = account.clock.schedule(after: Self.pause) { [weak self] in
            stream.run { await self?.tidyNow(stream) }
        }
    }

    private func tidyNow(_ stream: TaskScope) async {
        isTidying = false
        guard account.isReady, let keys else { return }
        let (answers, renewals) = (unanswered.subtracting(broken), broken)
        (unanswered, broken) = ([], [])
        do throws(StoreError) {
            for device in renewals.sorted() {
                guard try await devices.renew(device), !stream.isOver else { continue }
                try await answer(device, keys)
            }
            for device in answers.sorted() where !stream.isOver { try await answer(device, keys) }
            if usedPreKey, !stream.isOver {
                usedPreKey = false
                await publisher.replenish()
            }
        } catch {
            account.onDropped?("devices could not be answered: \(error)")
        }
    }

    /// Sends a device a message without a text, which moves its session on.
    func answer(_ device: DeviceAddress, _ keys: any KeyStore) async throws(StoreError) {
        guard let jid = device.account.jid, let sealed = try await keys.sealKeys(for: device),
            account.isReady
        else { return }
        account.send(
            Message(.chat, to: jid.bare, id: RandomText.make(16), extensions: OMEMO.elements(of: sealed))
                .element)
    }
}

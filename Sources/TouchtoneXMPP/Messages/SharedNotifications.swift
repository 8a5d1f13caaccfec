// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The user's choice of notifications for each person, shared with the account's other devices.
///
/// The elements are those of XEP-0492, which stores them in bookmarks, and bookmarks are of rooms alone. Those of people are
/// in a private node of the account (XEP-0223), one item for each address.
@MainActor
final class SharedNotifications: StreamModule {
    nonisolated static let features = [PubSub.notifications + "+notify"]
    /// The greatest number of people whose choices are followed.
    static let maximumChoices = 1000

    private let account: AccountContext
    private var isOffered = false
    /// Whether the choices on the server were received on this stream.
    private(set) var isKnown = false
    private var isSharing = false
    /// The choices on the server, with what other programs have stored in them.
    private var choices: [ChatAddress: XMLElement] = [:]
    /// The choices that the user has made here, of which the server does not know.
    private var unshared: [ChatAddress: NotificationLevel] = [:]

    init(of account: AccountContext) { self.account = account }

    func begin() { (isOffered, isKnown, isSharing) = (false, false, false) }

    func forget() {
        begin()
        (choices, unshared) = ([:], [:])
    }

    func handle(_ stanza: InboundStanza) -> Bool {
        guard case .published(let change) = stanza, change.node == PubSub.notifications else { return false }
        for jid in change.retracted.compactMap({ JID($0) }) { choices[ChatAddress(jid)] = nil }
        if change.isEmptied { choices = [:] }
        take(change.items)
        return true
    }

    /// Learns the features of the account's server, and requests the choices if it keeps some.
    func learn(_ features: Set<String>) {
        isOffered = SharedReading.needed.isSubset(of: features)
        load()
    }

    /// Takes the choices of an earlier run of the program of which the server does not know.
    func load(_ conversations: [ChatAddress: ConversationSummary]) {
        let waiting = conversations.filter { $0.value.settings.contains(.muteToShare) }
        for (buddy, summary) in waiting.prefix(Self.maximumChoices)
        where unshared[buddy] == nil && buddy.isPerson {
            unshared[buddy] = summary.settings.contains(.muted) ? .never : .always
        }
    }

    func resume() {
        load()
        share()
    }

    private func load() {
        guard isOffered, !isKnown else { return }
        let stream = account.stream
        stream.run { [self] in
            let answer = await Result.of { () throws(RequestError) in
                try await account.client.published(PubSub.notifications)
            }
            guard !stream.isOver else { return }
            switch answer {
            case .success(let items): take(items)
            // Nobody has made a choice yet.
            case .failure(.refused(let error)) where error.condition == "item-not-found": break
            case .failure(let error):
                account.onDropped?("it is not known which people are muted: \(error)")
                return
            }
            isKnown = true
            share()
        }
    }

    private func take(_ items: [PubSub.Item]) {
        var events: [ChatServiceEvent] = []
        for item in items.suffix(Self.maximumChoices) {
            guard let jid = JID(item.id), jid.isBare, !jid.local.isEmpty, let payload = item.payload,
                let level = NotificationSettings.level(of: payload)
            else { continue }
            let buddy = ChatAddress(jid)
            guard choices.count < Self.maximumChoices || choices[buddy] != nil, unshared[buddy] == nil
            else { continue }
            choices[buddy] = payload
            events.append(.choice(buddy, .notifications(level)))
        }
        account.emit(events)
    }

    /// Tells the other devices of a choice, now or on the next stream.
    func set(_ level: NotificationLevel, for buddy: ChatAddress) {
        // What is chosen for an occupant of a room ends with the room.
        guard buddy.isPerson else { return account.emit([.choice(buddy, .notificationsShared)]) }
        unshared[buddy] = level
        share()
    }

    private func share() {
        guard isOffered, isKnown, !isSharing, !unshared.isEmpty else { return }
        isSharing = true
        let stream = account.stream
        stream.run { [self] in
            while !stream.isOver, isOffered, isKnown, let (buddy, level) = unshared.first {
                await share(level, for: buddy, on: stream)
            }
            if !stream.isOver { isSharing = false }
        }
    }

    private func share(_ level: NotificationLevel, for buddy: ChatAddress, on stream: TaskScope) async {
        let payload = NotificationSettings.setting(level, inNotify: choices[buddy])
        let answer = await Result.of { () throws(RequestError) in
            try await account.client.publishPrivately(
                payload, id: buddy.text, in: PubSub.notifications)
        }
        guard !stream.isOver else { return }
        switch answer {
        case .success:
            choices[buddy] = payload
            // The user may have chosen again meanwhile.
            guard unshared[buddy] == level else { return }
            unshared[buddy] = nil
            account.emit([.choice(buddy, .notificationsShared)])
        case .failure(.disconnected): isKnown = false
        case .failure(let error):
            account.onDropped?("the server does not keep who is muted: \(error)")
            (isOffered, unshared) = (false, [:])
        }
    }
}

extension ChatAddress {
    /// Whether it is the address of an account, and not of a server or of an occupant of a room.
    fileprivate var isPerson: Bool { jid.map { $0.isBare && !$0.local.isEmpty } == true }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What the server says of buddies: who they are, who is here, who asks, whom it keeps away.
///
/// Each change gives the events that tell of it, and none where nothing has changed.
struct RosterState {
    /// The most devices of a buddy's, and the most requests, that are looked at: the rest is a flood.
    static let maximumDevices = 64, maximumRequests = 500
    /// The most characters of a buddy's own words that are passed on.
    static let maximumTextLength = 1000

    private struct Entry {
        var record: BuddyRecord
        /// Where it is sorted in, by other programs; nil where that is not known.
        var groups: [String]?
    }

    /// What names this state of the list; nil if nobody has said.
    private(set) var version: String?
    private(set) var blocked: Set<ChatAddress> = []
    private var buddies: [ChatAddress: Entry] = [:]
    private var devices: [ChatAddress: [String: DevicePresence]] = [:]
    private var requests: Set<ChatAddress> = []

    /// Creates it, with what was known before.
    init(_ records: [BuddyRecord] = [], version: String? = nil) {
        self.version = version
        for record in records { buddies[record.address] = Entry(record: record) }
    }

    /// What is known of somebody; nil for who is no buddy.
    func record(of buddy: ChatAddress) -> BuddyRecord? { buddies[buddy]?.record }

    /// Where a buddy is sorted in; nil if that is not known.
    func groups(of buddy: ChatAddress) -> [String]? {
        guard let known = buddies[buddy] else { return [] }
        return known.groups
    }

    /// Whether somebody waits for an answer.
    func isAsking(_ buddy: ChatAddress) -> Bool { requests.contains(buddy) }

    /// A new stream: who is here is not known any more, and who still waits for an answer is told of again.
    mutating func begin() -> [ChatServiceEvent] {
        defer { (devices, requests) = ([:], []) }
        return [.presenceReset] + requests.sorted().map { .requestGone($0) }
    }
}

// MARK: - The list

extension RosterState {
    /// The whole list.
    mutating func take(_ roster: Roster) -> [ChatServiceEvent] {
        version = roster.version
        let before = buddies
        buddies = [:]
        for item in roster.items where item.subscription != .remove {
            let record = BuddyRecord(item, after: before[ChatAddress(item.jid)]?.record)
            buddies[record.address] = Entry(record: record, groups: item.groups)
        }
        return [.buddies(buddies.values.map(\.record).sorted { $0.address < $1.address }, version: version)]
    }

    /// A change in it.
    mutating func change(_ roster: Roster) -> [ChatServiceEvent] {
        guard let item = roster.items.first else { return [] }
        version = roster.version ?? version
        let address = ChatAddress(item.jid)
        guard item.subscription != .remove else {
            guard buddies.removeValue(forKey: address) != nil else { return [] }
            return gone(address) + [.buddyRemoved(address, version: version)]
        }
        let record = BuddyRecord(item, after: buddies[address]?.record)
        buddies[address] = Entry(record: record, groups: item.groups)
        var events: [ChatServiceEvent] = [.buddy(record, version: version)]
        if !record.tellsMe { events += gone(address) }
        // Answered, here or elsewhere.
        if record.toldByMe, requests.remove(address) != nil { events.append(.requestGone(address)) }
        return events
    }

    private mutating func gone(_ buddy: ChatAddress) -> [ChatServiceEvent] {
        (devices.removeValue(forKey: buddy) ?? [:]).keys.sorted().map {
            .presence(buddy, device: $0, nil)
        }
    }
}

// MARK: - Presence

extension RosterState {
    /// What came of a presence.
    enum Presented {
        /// To be told of.
        case events([ChatServiceEvent])
        /// I have asked for this buddy's presence, and have not declined the buddy since: the answer is yes.
        case mutual(JID)
    }

    /// Takes a presence.
    mutating func take(_ presence: Presence) -> Presented {
        guard let from = presence.from else { return .events([]) }
        let buddy = ChatAddress(from)
        switch presence.kind {
        case .available: return .events(available(presence, buddy, from.resource))
        case .unavailable: return .events(unavailable(buddy, from.resource))
        case .subscribe:
            if let record = buddies[buddy]?.record, record.tellsMe || record.isAsked, !record.isDeclined {
                return .mutual(from.bare)
            }
            return .events(asked(by: buddy, presence))
        case .unsubscribe: return .events(answered(buddy))
        case .subscribed, .unsubscribed, .probe, .error: return .events([])
        }
    }

    /// Somebody waits for an answer no more.
    mutating func answered(_ buddy: ChatAddress) -> [ChatServiceEvent] {
        requests.remove(buddy) == nil ? [] : [.requestGone(buddy)]
    }

    /// I have declined that somebody sees my presence, or have asked for theirs.
    mutating func setDeclined(_ isDeclined: Bool, _ buddy: ChatAddress) -> [ChatServiceEvent] {
        guard var record = buddies[buddy]?.record, record.isDeclined != isDeclined else { return [] }
        record.isDeclined = isDeclined
        buddies[buddy]?.record = record
        return [.buddy(record, version: version)]
    }

    private mutating func asked(by buddy: ChatAddress, _ presence: Presence) -> [ChatServiceEvent] {
        guard requests.contains(buddy) || requests.count < Self.maximumRequests else { return [] }
        requests.insert(buddy)
        return [.request(buddy, text: Self.shortened(presence.status))]
    }

    private mutating func available(
        _ presence: Presence, _ buddy: ChatAddress, _ device: String
    ) -> [ChatServiceEvent] {
        // Strangers may show themselves, but nobody has asked them to.
        guard buddies[buddy] != nil else { return [] }
        let now = DevicePresence(
            Availability(presence.show), status: Self.shortened(presence.status),
            priority: Int(presence.priority))
        let known = devices[buddy, default: [:]]
        guard known[device] != now, known[device] != nil || known.count < Self.maximumDevices else {
            return []
        }
        devices[buddy, default: [:]][device] = now
        return [.presence(buddy, device: device, now)]
    }

    private mutating func unavailable(_ buddy: ChatAddress, _ device: String) -> [ChatServiceEvent] {
        // Of the account as a whole: none of its devices is here.
        if device.isEmpty { return gone(buddy) }
        guard devices[buddy]?.removeValue(forKey: device) != nil else { return [] }
        return [.presence(buddy, device: device, nil)]
    }

    private static func shortened(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumTextLength)))
    }
}

// MARK: - Who is kept away

extension RosterState {
    /// The whole list of the blocked.
    mutating func take(blocked jids: [JID]) -> [ChatServiceEvent] {
        setBlocked(Set(jids.filter(\.isBare).map { ChatAddress($0) }))
    }

    /// A change in it.
    mutating func change(_ change: Blocking.Change) -> [ChatServiceEvent] {
        switch change {
        case .blocked(let jids): setBlocked(blocked.union(jids.filter(\.isBare).map { ChatAddress($0) }))
        case .unblocked(let jids):
            setBlocked(blocked.subtracting(jids.filter(\.isBare).map { ChatAddress($0) }))
        case .unblockedAll: setBlocked([])
        }
    }

    private mutating func setBlocked(_ now: Set<ChatAddress>) -> [ChatServiceEvent] {
        let new = now.subtracting(blocked).sorted()
        blocked = now
        // The server tells nothing more of them, not that they went, either.
        var events: [ChatServiceEvent] = [.blocked(now)]
        for buddy in new { events += gone(buddy) + answered(buddy) }
        return events
    }
}

extension BuddyRecord {
    /// Takes over an item of the server's list.
    ///
    /// - Parameter old: the record before; the list does not say who was declined.
    init(_ item: RosterItem, after old: BuddyRecord?) {
        self.init(
            ChatAddress(item.jid), name: item.name,
            tellsMe: item.subscription == .to || item.subscription == .both,
            toldByMe: item.subscription == .from || item.subscription == .both, isAsked: item.isAsked)
        // Another device may have asked since, or have accepted or taken away what was accepted.
        let hasAskedSince = isAsked && old?.isAsked == false
        let isRefused = old?.isDeclined == true || old?.toldByMe == true
        isDeclined = isRefused && !toldByMe && !hasAskedSince
    }
}

extension Availability {
    init(_ show: Presence.Show) {
        self =
            switch show {
            case .chat: .chat
            case .online: .online
            case .away: .away
            case .extendedAway: .extendedAway
            case .doNotDisturb: .busy
            }
    }

    /// What presence says of it; one that is offline says nothing of that kind.
    var show: Presence.Show {
        switch self {
        case .chat: .chat
        case .online, .offline: .online
        case .away: .away
        case .extendedAway: .extendedAway
        case .busy: .doNotDisturb
        }
    }
}

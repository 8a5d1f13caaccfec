// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The server's view of the roster: its items, their presence, pending subscription requests and the block list.
///
/// Each change returns the events to report, or none if nothing changed.
struct RosterState {
    /// The greatest number of a buddy's devices, and of requests, to store: more are a flood.
    static let maximumDevices = 64, maximumRequests = 500
    /// The greatest length of a buddy's status text, in characters.
    static let maximumTextLength = 1000

    private struct Entry {
        var record: BuddyRecord
        /// The groups that other clients sorted the buddy into; nil if they are unknown.
        var groups: [String]?
    }

    /// The roster version; nil if it is unknown.
    private(set) var version: String?
    private(set) var blocked: Set<ChatAddress> = []
    private var buddies: [ChatAddress: Entry] = [:]
    private var devices: [ChatAddress: [String: DevicePresence]] = [:]
    /// The presence of people outside the roster, which is reported once the roster lists them.
    ///
    /// With a stored roster, presence arrives before the server has told of the buddies that were added since.
    private var unlisted = UnlistedPresence()
    private var requests: Set<ChatAddress> = []

    init(_ records: [BuddyRecord] = [], version: String? = nil) {
        self.version = version
        for record in records { buddies[record.address] = Entry(record: record) }
    }

    func record(of buddy: ChatAddress) -> BuddyRecord? { buddies[buddy]?.record }

    /// Returns a buddy's groups; nil if they are unknown.
    func groups(of buddy: ChatAddress) -> [String]? {
        guard let known = buddies[buddy] else { return [] }
        return known.groups
    }

    /// The servers in the roster, such as gateways.
    var servers: [JID] { buddies.keys.compactMap(\.jid).filter { $0.local.isEmpty && $0.isBare } }

    func isAsking(_ buddy: ChatAddress) -> Bool { requests.contains(buddy) }

    /// Resets presence and pending requests for a new stream; the server sends both again.
    mutating func begin() -> [ChatServiceEvent] {
        defer { (devices, unlisted, requests) = ([:], UnlistedPresence(), []) }
        return [.presenceReset] + requests.sorted().map { .requestGone($0) }
    }
}

// MARK: - Roster

extension RosterState {
    mutating func handle(_ roster: Roster) -> [ChatServiceEvent] {
        version = roster.version
        let before = buddies
        buddies = [:]
        for item in roster.items where item.subscription != .remove {
            let record = BuddyRecord(item, after: before[ChatAddress(item.jid)]?.record)
            buddies[record.address] = Entry(record: record, groups: item.groups)
        }
        let records = buddies.values.map(\.record).sorted { $0.address < $1.address }
        let listed = unlisted.people.filter { buddies[$0] != nil }.sorted()
        return [.buddies(records, version: version)] + listed.flatMap { nowListed($0) }
    }

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
        events += record.tellsMe ? nowListed(address) : gone(address)
        // The request was accepted, here or on another device.
        if record.toldByMe, requests.remove(address) != nil { events.append(.requestGone(address)) }
        return events
    }

    /// Reports the presence that arrived before the roster listed its sender.
    private mutating func nowListed(_ buddy: ChatAddress) -> [ChatServiceEvent] {
        let early = unlisted.remove(buddy)
        devices[buddy, default: [:]].merge(early) { known, _ in known }
        return early.sorted { $0.key < $1.key }.map { .presence(buddy, device: $0.key, $0.value) }
    }

    private mutating func gone(_ buddy: ChatAddress) -> [ChatServiceEvent] {
        _ = unlisted.remove(buddy)
        return (devices.removeValue(forKey: buddy) ?? [:]).keys.sorted().map {
            .presence(buddy, device: $0, nil)
        }
    }
}

// MARK: - Presence

extension RosterState {
    enum Presented {
        case events([ChatServiceEvent])
        /// A request from a buddy whose presence I requested, and whom I have not declined since: it is accepted
        /// automatically.
        case mutual(JID)
    }

    mutating func handle(_ presence: Presence) -> Presented {
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

    mutating func answered(_ buddy: ChatAddress) -> [ChatServiceEvent] {
        requests.remove(buddy) == nil ? [] : [.requestGone(buddy)]
    }

    /// Sets whether I have declined a buddy's subscription; requesting the buddy's presence clears it.
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
        let now = DevicePresence(
            Availability(presence.show), status: Self.shortened(presence.status),
            priority: Int(presence.priority))
        // Strangers may send presence, but it is not shown.
        guard buddies[buddy] != nil else {
            unlisted.set(now, of: device, buddy)
            return []
        }
        let known = devices[buddy, default: [:]]
        guard known[device] != now, known[device] != nil || known.count < Self.maximumDevices else {
            return []
        }
        devices[buddy, default: [:]][device] = now
        return [.presence(buddy, device: device, now)]
    }

    private mutating func unavailable(_ buddy: ChatAddress, _ device: String) -> [ChatServiceEvent] {
        // Presence of the bare address: none of the account's devices is online.
        if device.isEmpty { return gone(buddy) }
        unlisted.set(nil, of: device, buddy)
        guard devices[buddy]?.removeValue(forKey: device) != nil else { return [] }
        return [.presence(buddy, device: device, nil)]
    }

    private static func shortened(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumTextLength)))
    }
}

// MARK: - Block list

extension RosterState {
    mutating func handle(blocked jids: [JID]) -> [ChatServiceEvent] {
        setBlocked(Set(jids.filter(\.isBare).map { ChatAddress($0) }))
    }

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
        // The server reports nothing more about blocked addresses, not even that they went offline.
        var events: [ChatServiceEvent] = [.blocked(now)]
        for buddy in new { events += gone(buddy) + answered(buddy) }
        return events
    }
}

/// The presence of people outside the roster; more than 2,000 devices are ignored.
struct UnlistedPresence {
    static let maximum = 2000
    private var devices: [ChatAddress: [String: DevicePresence]] = [:]
    private var count = 0

    var people: some Collection<ChatAddress> { devices.keys }

    mutating func set(_ presence: DevicePresence?, of device: String, _ person: ChatAddress) {
        var known = devices[person] ?? [:]
        let hasRoom = count < Self.maximum && known.count < RosterState.maximumDevices
        guard presence == nil || hasRoom || known[device] != nil else { return }
        known[device] = presence
        _ = remove(person)
        guard !known.isEmpty else { return }
        devices[person] = known
        count += known.count
    }

    mutating func remove(_ person: ChatAddress) -> [String: DevicePresence] {
        let known = devices.removeValue(forKey: person) ?? [:]
        count -= known.count
        return known
    }
}

extension BuddyRecord {
    /// Creates the record of a roster item.
    ///
    /// - Parameter old: The previous record; the roster does not contain declined requests.
    init(_ item: RosterItem, after old: BuddyRecord?) {
        self.init(
            ChatAddress(item.jid), name: item.name,
            tellsMe: item.subscription == .to || item.subscription == .both,
            toldByMe: item.subscription == .from || item.subscription == .both, isAsked: item.isAsked)
        // Another device may have requested the presence since then, or accepted or revoked the subscription.
        let hasAskedSince = isAsked && old?.isAsked == false
        let isRefused = old?.isDeclined == true || old?.toldByMe == true
        isDeclined = isRefused && !toldByMe && !hasAskedSince
    }
}

extension Availability {
    init(_ show: Presence.Show) { self = Self.allCases.first { $0.show == show } ?? .online }

    /// The presence's `show` value; `.online` for `.offline`, which has none.
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

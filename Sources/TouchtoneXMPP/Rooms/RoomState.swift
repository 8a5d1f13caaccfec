// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The state of a room, as its presence and messages describe it, without I/O.
///
/// Only stanzas of the room itself may be passed to it: the caller finds the room by the sender's bare address.
struct RoomState {
    /// The greatest number of occupants to store: more are a flood.
    static let maximumOccupants = 20_000
    /// The greatest number of occupants for which entering and leaving is told.
    static let maximumTold = 50
    static let maximumTopicLength = 2000
    /// The number of messages that an occupant without an identifier may correct.
    static let maximumCorrectable = 20
    /// The greatest number of occupants for which each message is confirmed by all.
    static let maximumConfirming = 50

    enum Phase: Hashable {
        case outside, joining, inside
    }

    enum Change: Hashable {
        /// The user is in the room, which may be new.
        case entered(isNew: Bool)
        case refused(RoomError)
        /// The people, or the user's rights, have changed.
        case people
        case topic
        /// The user is outside; nil if the room does not say why.
        case removed(RoomNotice.Removal?)
        case destroyed
        /// The configuration has changed, and so possibly who may enter or see addresses.
        case configuration
        case notice(RoomNotice)
    }

    /// A message that an occupant has sent during its stay.
    struct Said: Hashable {
        let name: String
        let time: ChatTime
    }

    struct Occupant: Hashable {
        var item: RoomItem
        var show: Presence.Show
        /// The identifier that the room assigned (XEP-0421).
        var id: String?
        /// The occupant's last messages under this nickname, which it may correct, if the room assigns no identifiers.
        var said: [Said] = []
    }

    let room: JID
    private(set) var phase = Phase.outside
    /// The user's nickname, as the room knows it.
    private(set) var nickname = ""
    /// The identifier that the room assigned to the user; nil if there is none.
    private(set) var ownID: String?
    private(set) var occupants: [String: Occupant] = [:]
    private(set) var topic = ""
    private(set) var features: Set<String> = []
    /// Whether the room belongs to another kind of chat, such as IRC, which may keep messages to itself.
    private(set) var isGateway = false
    /// Whether the room has sent back a message with the ID that the user gave it.
    private var keepsIDs = false
    /// Whether the room marks the user's own presence, as most do.
    private var marksOwn = false
    private var isRenaming = false
    /// Whether past messages may still follow: the topic ends them.
    private var isInHistory = false
    /// Whether the user enters the room for the first time, so that none of its past is new.
    private var isFirstVisit = false

    init(_ room: JID) { self.room = room.bare }

    var hasArchive: Bool { features.contains(Archive.namespace) }
    /// Whether the room assigns identifiers to its occupants, and removes forged ones.
    var hasIDs: Bool { features.contains(MultiUserChat.occupantID) }
    /// Whether the room may change the IDs of messages, and split them.
    var mayChangeMessages: Bool { isGateway || !keepsIDs && !features.contains(MultiUserChat.stableIDs) }
    /// Whether only members enter the room, and all of them see each other's addresses.
    ///
    /// Only there may anybody learn what the user has received and read: elsewhere, strangers would.
    var isPrivate: Bool { features.isSuperset(of: ["muc_membersonly", "muc_nonanonymous"]) }
    /// Whether messages to all occupants ask for receipts and markers, and are confirmed by them.
    var asksForReceipts: Bool { isPrivate && occupants.count <= Self.maximumConfirming }

    /// The full address of the user in the room; nil if the user is not in it.
    var ownJID: JID? { phase == .outside ? nil : room.with(resource: nickname) }

    var rights: RoomRights {
        guard phase == .inside, let item = occupants[nickname]?.item else { return [] }
        var rights: RoomRights = item.role == .visitor ? [] : .speak
        if item.role == .moderator {
            rights.insert(.kick)
            if Retraction.isModerated(by: features) { rights.insert(.moderate) }
        }
        if item.affiliation == .admin || item.affiliation == .owner { rights.insert(.ban) }
        if item.affiliation == .owner { rights.insert(.own) }
        return rights
    }

    /// Starts to enter the room under a nickname that the room may change.
    mutating func begin(
        as nickname: String, features: Set<String>, isGateway: Bool = false, isFirstVisit: Bool = false
    ) {
        (self.features, self.isFirstVisit, self.isGateway) = (features, isFirstVisit, isGateway)
        self.nickname = room.with(resource: nickname)?.resource ?? nickname
        (phase, occupants, ownID, isInHistory, marksOwn) = (.joining, [:], nil, true, false)
        isRenaming = false
    }

    /// Updates who may enter the room and see addresses.
    mutating func setConfiguration(_ new: Set<String>) {
        features = features.filter { !$0.hasPrefix("muc_") }.union(new.filter { $0.hasPrefix("muc_") })
    }

    /// Starts to change the user's nickname, which the room may refuse.
    mutating func beginRenaming() { isRenaming = phase == .inside }

    mutating func end() { (phase, occupants, isInHistory) = (.outside, [:], false) }

    /// Learns from a message of the user's that came back with the ID that the user gave it.
    mutating func noteKeptID() { keepsIDs = true }

    /// Ends the past messages: later ones are new, whatever they say about their time.
    mutating func endHistory() { isInHistory = false }
}

// MARK: - Presence

extension RoomState {
    mutating func handle(_ presence: Presence) -> [Change] {
        guard let from = presence.from, from.bare == room, phase != .outside else { return [] }
        switch presence.kind {
        case .error:
            guard phase == .joining || isRenaming else { return [] }
            // The user stays in the room under the previous nickname.
            if isRenaming { isRenaming = false } else { end() }
            return [.refused(RoomError(presence.error ?? StanzaError(.cancel, "undefined-condition")))]
        case .available: return from.isBare ? [] : available(presence, from.resource)
        case .unavailable: return from.isBare ? [] : unavailable(presence, from.resource)
        case .subscribe, .subscribed, .unsubscribe, .unsubscribed, .probe: return []
        }
    }

    private mutating func available(_ presence: Presence, _ name: String) -> [Change] {
        let codes = MultiUserChat.codes(in: presence)
        let known = occupants[name]
        let isEntry = phase == .joining && codes.contains(110)
        guard known != nil || occupants.count < Self.maximumOccupants || isEntry else { return [] }
        let occupant = Occupant(
            item: RoomItem(in: presence).standing, show: presence.show,
            id: hasIDs ? MultiUserChat.occupantID(in: presence.extensions) : nil, said: known?.said ?? [])
        occupants[name] = occupant
        if codes.contains(110) || !marksOwn && name == nickname {
            marksOwn = marksOwn || codes.contains(110)
            (nickname, ownID) = (name, occupant.id)
            if phase == .joining {
                phase = .inside
                let notice: [Change] = codes.contains(100) ? [.notice(.showsAddresses(isNew: false))] : []
                return [.entered(isNew: codes.contains(201))] + notice
            }
        }
        guard phase == .inside, known != occupant else { return [] }
        let isTold = known == nil && occupants.count <= Self.maximumTold
        return (isTold ? [.notice(.entered(name))] : []) + [.people]
    }

    private mutating func unavailable(_ presence: Presence, _ name: String) -> [Change] {
        // A previous session of the user's with the same nickname may end while a new one begins.
        guard phase == .inside else {
            if name != nickname { occupants[name] = nil }
            return []
        }
        let (codes, item) = (MultiUserChat.codes(in: presence), RoomItem(in: presence))
        // The room ends for all, also if it does not mark the user's own presence, as ejabberd's.
        if let destruction = item.destruction { return destroyed(destruction) }
        let isMe = codes.contains(110) || !marksOwn && name == nickname
        guard let occupant = occupants.removeValue(forKey: name) else { return [] }
        if codes.contains(303), let new = item.nickname.flatMap({ room.with(resource: $0)?.resource }),
            !new.isEmpty
        {
            // Messages under this nickname may be those of a former occupant.
            occupants[new] = occupant
            occupants[new]?.said = []
            if isMe || name == nickname { (nickname, isRenaming) = (new, false) }
            return [.notice(.renamed(from: name, to: new, isMe: nickname == new)), .people]
        }
        let removal = Self.removals.first { codes.contains($0.key) }?.value
        guard isMe else {
            let notice: RoomNotice? =
                removal.map { .removed(name, $0, by: item.actor, reason: item.reason) }
                ?? (occupants.count < Self.maximumTold ? .left(name) : nil)
            return (notice.map { [.notice($0)] } ?? []) + [.people]
        }
        end()
        let notice: [Change] =
            removal.map { [.notice(.removed(nil, $0, by: item.actor, reason: item.reason))] } ?? []
        return notice + [.removed(removal)]
    }

    private mutating func destroyed(_ destruction: RoomItem.Destruction) -> [Change] {
        end()
        return [
            .notice(.destroyed(alternative: destruction.alternative, reason: destruction.reason)),
            .destroyed,
        ]
    }

    /// The status codes of removals, in the order in which they count.
    private static let removals: KeyValuePairs<Int, RoomNotice.Removal> = [
        301: .banned, 332: .shutdown, 333: .technical, 321: .affiliation, 322: .membersOnly, 307: .kicked,
    ]
}

// MARK: - Messages

extension RoomState {
    /// - Returns: The message to read, unless it only changes the room, and the changes.
    mutating func receive(_ message: Message, own: JID, now: ChatTime) -> (
        inbound: InboundMessage?, changes: [Change]
    ) {
        guard let from = message.from, from.bare == room, message.kind == .groupchat, phase != .outside else {
            return (nil, [])
        }
        if from.isBare, let changes = handleConfiguration(message) { return (nil, changes) }
        if let subject = message.subject, message.body == nil, message.thread == nil {
            return (nil, setTopic(subject, by: from.resource))
        }
        let roomStamp = Delay.stamp(in: message.extensions, by: room)
        let stamp = roomStamp ?? (isInHistory ? Delay.stamp(in: message.extensions) : nil)
        let inbound = InboundMessage(
            message: message, source: .stream(stamp),
            reader: reader(for: from.resource, stamp, own: own, now: now))
        // What the message is called and when it came is not encrypted.
        if stamp == nil, !hasIDs, let said = inbound.reader.read(message, inbound.source).message,
            let name = said.name
        {
            // A correction may name the previous one, which is as old as its original.
            let original = occupants[from.resource]?.said.first { $0.name == said.relation.corrected }
            note(Said(name: name, time: original?.time ?? said.time), by: from.resource)
        }
        return (inbound, [])
    }

    /// Handles a change of the configuration, which only the room itself announces (XEP-0045 section 10.2.1).
    private mutating func handleConfiguration(_ message: Message) -> [Change]? {
        let codes = MultiUserChat.codes(in: message.extensions)
        guard message.body == nil, !codes.isDisjoint(with: [104, 172, 173, 174]) else { return nil }
        // Until the room tells its features, it counts as one that everybody may enter.
        setConfiguration([])
        return (codes.contains(172) ? [.notice(.showsAddresses(isNew: true))] : []) + [.configuration]
    }

    private mutating func note(_ said: Said, by name: String) {
        // A resumed stream may repeat a message, which came the first time.
        guard var all = occupants[name]?.said, !all.contains(where: { $0.name == said.name }) else { return }
        all.append(said)
        occupants[name]?.said = all.suffix(Self.maximumCorrectable)
    }

    private func reader(for name: String, _ stamp: Timestamp?, own: JID, now: ChatTime) -> MessageReader {
        var policy = policy(own: own, now: now)
        if stamp != nil { policy.isPast = isInHistory && isFirstVisit }
        if stamp == nil { policy.correctable = occupants[name]?.said ?? [] }
        return MessageReader(policy: policy)
    }

    func policy(own: JID, now: ChatTime) -> RoomPolicy { RoomPolicy(state: self, own: own, now: now) }

    private mutating func setTopic(_ text: String, by name: String) -> [Change] {
        let new = String(text.prefix(Self.maximumTopicLength))
        let isFirst = isInHistory
        isInHistory = false
        guard new != topic else { return [] }
        topic = new
        return (isFirst ? [] : [.notice(.topic(new, by: name.isEmpty ? nil : name))]) + [.topic]
    }
}

extension RoomError {
    /// Creates the reason for a refused presence (XEP-0045 section 7.2).
    init(_ error: StanzaError) {
        self =
            switch error.condition {
            case "conflict": .nicknameTaken
            case "not-acceptable", "jid-malformed": .nicknameInvalid
            case "not-authorized": .password
            case "registration-required": .membersOnly
            case "forbidden": .banned
            case "item-not-found", "gone": .missing
            case "service-unavailable": .full
            default: .refused(error.reasonForUser)
            }
    }
}

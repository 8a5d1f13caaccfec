// SPDX-License-Identifier: GPL-3.0-or-later

/// The known state of one address, whether or not it is on the roster.
struct Buddy {
    let address: ChatAddress
    /// The buddy’s roster entry; nil if the buddy is not on the roster.
    var record: BuddyRecord?
    private(set) var devices = Devices()
    var typing = Typing.active
    var unread = 0
    var isBlocked = false
    /// Whether the buddy is shown although it is not on the roster, because the conversation was used in this run.
    var isHeard = false
    /// The state of the room; nil if the address is not that of a room in the list.
    var room: Room?
    /// Whether an unread message of the room mentions the user.
    var isMentioned = false
    /// The last message of the conversation; nil if there is none.
    var last: MessagePreview?
    /// The beginning of the unsent text, as `BuddyList.Row` has it.
    var draft = ""
    var settings: ConversationSettings = []
    private(set) var person: BuddyIdentity

    private(set) var name: String
    private(set) var nameText: SearchText
    let addressText: SearchText
    private let folding: LetterFolding
    /// The collation key of the name.
    private(set) var sortKey: [UInt8] = []

    init(_ address: ChatAddress, _ person: BuddyIdentity, folding: LetterFolding) {
        (self.address, self.person) = (address, person)
        self.folding = folding
        name = PlainText.line(Self.name(of: address, person), maximum: 200)
        nameText = SearchText(name, by: folding)
        // The keypad’s 0 reaches the Operator, so a search for it finds the Operator too.
        addressText = SearchText(
            address == .operatorAddress ? "0 \(address.text)" : address.text, by: folding)
    }

    /// Returns the name to show for a buddy whose roster entry has no name.
    static func name(of address: ChatAddress) -> String {
        if address == .operatorAddress { return operatorName }
        guard let slash = address.text.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            return address.shownText
        }
        // A private conversation with an occupant of a room.
        return localized(
            "{name} in {room}",
            [
                "name": String(address.text[address.text.utf8.index(after: slash)...]),
                "room": roomName(ChatAddress(String(address.text[..<slash]))),
            ])
    }

    /// Returns the name to show for a buddy without a roster entry: that of its contact or, if it has none, its number.
    static func name(of address: ChatAddress, _ person: BuddyIdentity) -> String {
        person.name ?? (person.numberText.isEmpty ? name(of: address) : person.numberText)
    }

    /// Returns the name to show for a room without a name: the part of its address before the server.
    static func roomName(_ address: ChatAddress) -> String {
        address.text.split(separator: "@").first.map { ChatAddress.unescaped($0) } ?? address.text
    }

    static var operatorName: String { localizedIn("name of a buddy", "Operator") }

    /// Replaces the roster entry; nil removes the buddy from the roster.
    mutating func take(_ record: BuddyRecord?, sortKey key: (String) -> [UInt8]) {
        self.record = record
        let given = record?.name ?? ""
        // Others have written it, and it stands in titles.
        let shown = PlainText.line(
            person.name ?? (given.allSatisfy(\.isWhitespace) ? plainName : given), maximum: 200)
        guard shown != name || sortKey.isEmpty else { return }
        name = shown
        nameText = SearchText(shown, by: folding)
        sortKey = key(shown)
    }

    mutating func identify(_ person: BuddyIdentity, sortKey key: (String) -> [UInt8]) {
        self.person = person
        take(record, sortKey: key)
    }

    /// The name to show if neither a contact nor the roster has one.
    private var plainName: String {
        guard person.numberText.isEmpty else { return person.numberText }
        guard let room else { return Self.name(of: address) }
        let name = room.record.name
        return name.allSatisfy(\.isWhitespace) ? Self.roomName(address) : name
    }

    mutating func sort(by key: (String) -> [UInt8]) { sortKey = key(name) }

    /// Returns whether the buddy’s effective presence changed; a nil presence removes the device.
    mutating func set(_ presence: DevicePresence?, of device: String) -> Bool {
        let before = devices.best
        devices.set(presence, of: device)
        return devices.best != before
    }

    /// Whether the connection that tells the buddy’s presence is lost, so that nothing is known about it.
    var isUnreachable = false

    var hasPresence: Bool { !devices.isEmpty }

    /// Returns whether the buddy’s effective presence changed.
    mutating func forgetPresence() -> Bool {
        guard hasPresence else { return false }
        devices = Devices()
        return true
    }

    var availability: Availability {
        if isUnreachable { return .offline }
        if let room { return room.standing == .joined ? .online : .offline }
        return address == .operatorAddress ? .online : devices.best?.availability ?? .offline
    }

    var row: BuddyList.Row {
        BuddyList.Row(
            id: address, name: name, availability: availability,
            status: room?.topic ?? devices.best?.status ?? "",
            unread: unread, isAsked: record?.isAsked ?? false, tellsMe: record?.tellsMe ?? false,
            isTyping: typing == .composing && !isUnreachable,
            isListed: record != nil || room != nil || address == .operatorAddress, isBlocked: isBlocked,
            isOperator: address == .operatorAddress, room: room, isMentioned: isMentioned, person: person,
            last: isHidden ? nil : last, draft: draft, isPinned: settings.contains(.pinned),
            isMuted: settings.contains(.muted))
    }

    /// The unread messages that count for the phone as a whole.
    var countedUnread: Int { settings.contains(.muted) ? 0 : unread }

    /// Whether the buddy stands among the conversations, and not among the people without one.
    var isConversation: Bool { unread > 0 || last != nil && !isHidden }

    private var isHidden: Bool { settings.contains(.hidden) }

    /// Whether the buddy is shown in a list that is not filtered.
    var isShown: Bool {
        record != nil || room != nil || address == .operatorAddress || unread > 0
            || (isHeard || last != nil || settings.contains(.pinned)) && !isHidden
    }
}

struct Devices: Hashable {
    private var all: [String: DevicePresence] = [:]
    /// The effective presence: that of the device with the highest priority; of equal priorities, the most available.
    private(set) var best: DevicePresence?

    /// The maximum number of devices; presence of further devices is ignored.
    static let limit = 64

    var isEmpty: Bool { all.isEmpty }

    mutating func set(_ presence: DevicePresence?, of device: String) {
        guard all[device] != nil || all.count < Self.limit else { return }
        guard all[device] != presence else { return }
        all[device] = presence.flatMap { $0.availability == .offline ? nil : $0 }
        // Compare device names last, so that the result does not depend on the dictionary’s order.
        best =
            all.min {
                ($1.value.priority, $0.value.availability.rawValue, $0.key)
                    < ($0.value.priority, $1.value.availability.rawValue, $1.key)
            }?.value
    }
}

/// An in-memory cache of avatars that evicts the oldest ones at its size limit.
struct AvatarCache {
    private var pictures: [ChatAddress: [UInt8]] = [:]
    private var order: [ChatAddress] = []
    private var size = 0

    /// The maximum size of one avatar (XEP-0084 recommends less than 8 KiB) and of all together, in bytes.
    static let (limit, totalLimit) = (512 * 1024, 16 * 1024 * 1024)

    subscript(_ buddy: ChatAddress) -> [UInt8]? { pictures[buddy] }

    /// Returns whether the avatar changed; nil removes it.
    mutating func set(_ picture: [UInt8]?, of buddy: ChatAddress) -> Bool {
        let picture = picture.flatMap { $0.isEmpty || $0.count > Self.limit ? nil : $0 }
        guard pictures[buddy] != picture else { return false }
        remove(buddy)
        guard let picture else { return true }
        while size + picture.count > Self.totalLimit, let oldest = order.first { remove(oldest) }
        pictures[buddy] = picture
        order.append(buddy)
        size += picture.count
        return true
    }

    private mutating func remove(_ buddy: ChatAddress) {
        guard let picture = pictures.removeValue(forKey: buddy) else { return }
        size -= picture.count
        order.removeAll { $0 == buddy }
    }
}

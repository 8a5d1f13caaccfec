// SPDX-License-Identifier: GPL-3.0-or-later

/// All that is known of somebody, whether in the list or not.
struct Buddy {
    let address: ChatAddress
    /// As the service's list has it; nil for whoever is not in it.
    var record: BuddyRecord?
    private(set) var devices = Devices()
    var typing = Typing.active
    var unread = 0
    var isBlocked = false
    /// Whether it is shown without being in the list: something was said in this run.
    var isHeard = false

    private(set) var name: String
    private(set) var nameText: SearchText
    let addressText: SearchText
    private let folding: LetterFolding
    /// What the name is sorted by.
    private(set) var sortKey: [UInt8] = []

    init(_ address: ChatAddress, folding: LetterFolding) {
        self.address = address
        self.folding = folding
        name = Self.name(of: address)
        nameText = SearchText(name, by: folding)
        // The exchange's operator is dialled with 0.
        addressText = SearchText(
            address == .operatorAddress ? "0 \(address.text)" : address.text, by: folding)
    }

    /// The name shown for a buddy without a name in the list.
    static func name(of address: ChatAddress) -> String {
        address == .operatorAddress ? operatorName : address.text
    }

    static let operatorName = "Operator"

    /// Takes over what the list says; nil where it says nothing any more.
    mutating func take(_ record: BuddyRecord?, sortKey key: (String) -> [UInt8]) {
        self.record = record
        let given = record?.name ?? ""
        let shown = given.allSatisfy(\.isWhitespace) ? Self.name(of: address) : given
        guard shown != name || sortKey.isEmpty else { return }
        name = shown
        nameText = SearchText(shown, by: folding)
        sortKey = key(shown)
    }

    mutating func sort(by key: (String) -> [UInt8]) { sortKey = key(name) }

    /// - Returns: whether its own state is another now.
    mutating func set(_ presence: DevicePresence?, of device: String) -> Bool {
        let before = devices.best
        devices.set(presence, of: device)
        return devices.best != before
    }

    /// - Returns: whether its own state is another now.
    mutating func forgetPresence() -> Bool {
        guard !devices.isEmpty else { return false }
        devices = Devices()
        return true
    }

    var availability: Availability {
        address == .operatorAddress ? .online : devices.best?.availability ?? .offline
    }

    var row: BuddyList.Row {
        BuddyList.Row(
            id: address, name: name, availability: availability, status: devices.best?.status ?? "",
            unread: unread, isAsked: record?.isAsked ?? false, isTyping: typing == .composing,
            isListed: record != nil || address == .operatorAddress, isBlocked: isBlocked,
            isOperator: address == .operatorAddress)
    }

    /// Those who can be talked with come first, and a little more or less of that does not part them.
    static func standsBefore(_ left: Buddy, _ right: Buddy) -> Bool {
        let (rank, other) = (left.availability.rank, right.availability.rank)
        guard rank == other else { return rank < other }
        guard left.sortKey == right.sortKey else {
            return left.sortKey.lexicographicallyPrecedes(right.sortKey)
        }
        return left.address < right.address
    }

    /// Whether it is to be seen in a list that is not searched.
    var isShown: Bool { record != nil || address == .operatorAddress || unread > 0 || isHeard }
}

extension Availability {
    fileprivate var rank: Int { self == .chat ? Availability.online.rawValue : rawValue }
}

/// The devices of somebody's that are here.
struct Devices: Hashable {
    private var all: [String: DevicePresence] = [:]
    /// What counts of them: the highest priority, of equal ones the most available.
    private(set) var best: DevicePresence?

    /// More than anybody has; what comes above that is passed over.
    static let limit = 64

    var isEmpty: Bool { all.isEmpty }

    mutating func set(_ presence: DevicePresence?, of device: String) {
        guard all[device] != nil || all.count < Self.limit else { return }
        guard all[device] != presence else { return }
        all[device] = presence.flatMap { $0.availability == .offline ? nil : $0 }
        // The name decides last, so that equal ones do not take turns.
        best =
            all.min {
                ($1.value.priority, $0.value.availability.rawValue, $0.key)
                    < ($0.value.priority, $1.value.availability.rawValue, $1.key)
            }?.value
    }
}

/// The pictures of buddies, as long as they do not take too much memory: then the oldest go.
struct AvatarCache {
    private var pictures: [ChatAddress: [UInt8]] = [:]
    private var order: [ChatAddress] = []
    private var size = 0

    /// In bytes: what one may have (XEP-0084 wants less than 8 KiB), and all.
    static let (limit, totalLimit) = (512 * 1024, 16 * 1024 * 1024)

    subscript(_ buddy: ChatAddress) -> [UInt8]? { pictures[buddy] }

    /// - Returns: whether it is another now.
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

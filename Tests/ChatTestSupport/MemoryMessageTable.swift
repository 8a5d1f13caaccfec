// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A message table in memory.
public final class MemoryMessageTable: MessageTable {
    private struct Key: Hashable {
        let sender: MessageSender.Identity
        let name: String
    }
    private struct Talk {
        /// The messages in the order of their places.
        var messages: [ChatMessage] = []
        /// The place of each message.
        var places: [Int64: Int64] = [:]
        /// The messages with a name, in the order of arrival.
        var named: [Key: [Int64]] = [:]
        var archived: [String: Int64] = [:]
        var corrections: [Key: String?] = [:]
        var archivedCorrections: [String: Key] = [:]
        var unread: Set<Int64> = []
        var unresolved: [UnresolvedAnnotation] = []

        func index(of place: Int64) -> Int {
            var (low, high) = (0, messages.count)
            while low < high {
                let middle = (low + high) / 2
                if messages[middle].place < place { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func message(_ id: Int64) -> ChatMessage? { places[id].map { messages[index(of: $0)] } }
    }

    /// The account whose conversations are accessed; the practice exchange's belong to all accounts.
    public var account: ChatAddress?
    /// The user’s choices of encryption.
    public var choices: [ChatAddress: EncryptionChoice] = [:]
    private var talks: [ConversationID: Talk] = [:]
    private var lastID: Int64 = 0
    private var lastUnresolved: Int64 = 0
    private var unresolvedOwners: [Int64: ConversationID] = [:]
    private var marks: [Mark: String] = [:]
    private var pasts: [Mark: ArchivePast] = [:]
    private struct Mark: Hashable {
        let account, room: ChatAddress?
    }

    /// Creates an empty table.
    public init() {}

    public func encryptionChoice(of buddy: ChatAddress) -> EncryptionChoice { choices[buddy] ?? .automatic }

    /// Returns all messages of a conversation, in the order of their places.
    public func messages(of buddy: ChatAddress) -> [ChatMessage] { talks[own(buddy)]?.messages ?? [] }
    /// The buddies that have conversations.
    public var buddies: [ChatAddress] {
        talks.keys.filter { own($0.buddy) == $0 }.map(\.buddy).sorted()
    }

    private func own(_ buddy: ChatAddress) -> ConversationID { ConversationID(buddy, of: account) }

    /// Returns up to `count` messages before a place; nil is the end.
    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) -> [ChatMessage] {
        guard let talk = talks[own(buddy)] else { return [] }
        let end = place.map(talk.index) ?? talk.messages.count
        return talk.messages[..<end].reversed().lazy.filter(\.isShown).prefix(count).reversed()
    }

    /// Returns up to `count` messages from a place on.
    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) -> [ChatMessage] {
        guard let talk = talks[own(buddy)] else { return [] }
        return Array(talk.messages[talk.index(of: place)...].lazy.filter(\.isShown).prefix(count))
    }

    /// Returns the message of a conversation with an identifier.
    public func message(of buddy: ChatAddress, id: Int64) -> ChatMessage? {
        talks[own(buddy)]?.message(id)
    }

    /// Returns the message of a conversation with an archive name.
    public func message(of buddy: ChatAddress, archiveName: String) -> ChatMessage? {
        talks[own(buddy)].flatMap { talk in talk.archived[archiveName].flatMap(talk.message) }
    }

    /// Returns the last message of a conversation to which its sender, of that identity, gave a name.
    public func message(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        -> ChatMessage?
    {
        guard let talk = talks[own(buddy)] else { return nil }
        return talk.named[Key(sender: sender, name: name)]?.compactMap(talk.message).max {
            $0.place < $1.place
        }
    }

    /// Returns the user's message whose text is sent with the correction of that name.
    public func message(of buddy: ChatAddress, correction name: String) -> ChatMessage? {
        messages(of: buddy).first { $0.correction == name }
    }

    /// Returns the user's last messages of a conversation, the newest first.
    public func lastMine(of buddy: ChatAddress, count: Int) -> [ChatMessage] {
        messages(of: buddy).filter { $0.sender == .me }.suffix(count).reversed()
    }

    /// Whether a correction of that name by that sender was already applied.
    public func hasCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        -> Bool
    {
        talks[own(buddy)]?.corrections[Key(sender: sender, name: name)] != nil
    }

    /// Returns the name of the message that a sender's correction names.
    public func original(
        of buddy: ChatAddress, from sender: MessageSender.Identity, correction name: String
    ) -> String? {
        talks[own(buddy)]?.corrections[Key(sender: sender, name: name)] ?? nil
    }

    /// Records the name of a sender’s correction, and of the message that it names.
    public func noteCorrection(
        of buddy: ChatAddress, from sender: MessageSender.Identity, name: String, original: String?
    ) {
        let key = Key(sender: sender, name: name)
        guard talks[own(buddy)]?.corrections[key] == nil else { return }
        talks[own(buddy), default: Talk()].corrections.updateValue(original, forKey: key)
    }

    /// Records the name of a sender’s correction in the archive.
    public func noteArchiveName(
        _ archiveName: String, ofCorrection name: String, of buddy: ChatAddress,
        from sender: MessageSender.Identity
    ) {
        let key = Key(sender: sender, name: name)
        guard let talk = talks[own(buddy)], talk.corrections[key] != nil,
            talk.archivedCorrections[archiveName] == nil, !talk.archivedCorrections.values.contains(key)
        else { return }
        talks[own(buddy)]?.archivedCorrections[archiveName] = key
    }

    /// Returns the sender of the correction with a name in the archive, and the name of the message that it names.
    public func correction(of buddy: ChatAddress, archiveName: String)
        -> (sender: MessageSender.Identity, original: String)?
    {
        guard let talk = talks[own(buddy)], let key = talk.archivedCorrections[archiveName],
            let original = talk.corrections[key] ?? nil
        else { return nil }
        return (key.sender, original)
    }

    /// Stores a reaction to a message; `update` stores it with the message, too.
    public func setReaction(_ reaction: MessageReaction, of message: ChatMessage) {}

    /// Removes the reactions to a message; `update` does so, too.
    public func removeReactions(of message: ChatMessage) {}

    /// Returns the annotations of a conversation whose messages are not known.
    public func unresolved(of buddy: ChatAddress) -> [UnresolvedAnnotation] {
        talks[own(buddy)]?.unresolved ?? []
    }

    /// Stores an annotation whose message is not known.
    public func addUnresolved(_ annotation: MessageAnnotation) -> UnresolvedAnnotation {
        lastUnresolved += 1
        let stored = UnresolvedAnnotation(id: lastUnresolved, annotation)
        talks[own(annotation.buddy), default: Talk()].unresolved.append(stored)
        unresolvedOwners[stored.id] = own(annotation.buddy)
        let oldest = stored.id - UnresolvedAnnotation.maximum
        if let owner = unresolvedOwners.removeValue(forKey: oldest) {
            talks[owner]?.unresolved.removeAll { $0.id == oldest }
        }
        return stored
    }

    /// Removes an annotation that was stored.
    public func removeUnresolved(_ annotation: UnresolvedAnnotation) {
        guard let owner = unresolvedOwners.removeValue(forKey: annotation.id) else { return }
        talks[owner]?.unresolved.removeAll { $0.id == annotation.id }
    }

    /// The annotations of the user's that the server has not acknowledged.
    public private(set) var outgoing: [MessageAnnotation] = []

    /// Stores an annotation in place of an earlier one of the same kind.
    public func addOutgoing(_ annotation: MessageAnnotation) {
        func isReaction(_ annotation: MessageAnnotation) -> Bool {
            if case .reaction = annotation.kind { true } else { false }
        }
        outgoing.removeAll {
            $0.buddy == annotation.buddy && $0.reference == annotation.reference
                && isReaction($0) == isReaction(annotation)
        }
        outgoing.append(annotation)
    }

    /// Removes an annotation.
    public func removeOutgoing(_ name: String, of buddy: ChatAddress) -> MessageAnnotation? {
        outgoing.firstIndex { $0.name == name && $0.buddy == buddy }.map { outgoing.remove(at: $0) }
    }

    /// Inserts a new message.
    public func insert(_ message: ChatMessage) -> ChatMessage {
        lastID += 1
        var kept = message
        kept.id = lastID
        put(kept)
        return kept
    }

    /// Updates an existing message.
    public func update(_ message: ChatMessage) {
        guard let old = talks[own(message.buddy)]?.message(message.id) else {
            preconditionFailure("no message \(message.id)")
        }
        if let name = old.archiveName, name != message.archiveName {
            talks[own(message.buddy)]?.archived[name] = nil
        }
        if old.place == message.place, old.name == message.name,
            let index = talks[own(message.buddy)]?.index(of: old.place)
        {
            talks[own(message.buddy)]?.messages[index] = message
            record(message)
        } else {
            if let index = talks[own(message.buddy)]?.index(of: old.place) {
                talks[own(message.buddy)]?.messages.remove(at: index)
            }
            if let name = old.name {
                talks[own(message.buddy)]?.named[Key(sender: old.sender.identity, name: name)]?.removeAll {
                    $0 == old.id
                }
            }
            put(message)
        }
    }

    /// Removes an existing message.
    public func remove(_ message: ChatMessage) {
        guard var talk = talks[own(message.buddy)], let old = talk.message(message.id) else { return }
        talk.messages.remove(at: talk.index(of: old.place))
        talk.places[old.id] = nil
        talk.unread.remove(old.id)
        if let name = old.name {
            talk.named[Key(sender: old.sender.identity, name: name)]?.removeAll { $0 == old.id }
        }
        if let name = old.archiveName { talk.archived[name] = nil }
        talks[own(message.buddy)] = talk
        // The identifier of the last message is free again, as in the file.
        if message.id == lastID { lastID = talks.values.flatMap(\.places.keys).max() ?? 0 }
    }

    private func put(_ message: ChatMessage) {
        var talk = talks.removeValue(forKey: own(message.buddy)) ?? Talk()
        let index = talk.index(of: message.place)
        precondition(
            index == talk.messages.count || talk.messages[index].place != message.place, "a place taken twice"
        )
        talk.messages.insert(message, at: index)
        talk.places[message.id] = message.place
        if let name = message.name {
            talk.named[Key(sender: message.sender.identity, name: name), default: []].append(message.id)
        }
        talks[own(message.buddy)] = talk
        record(message)
    }

    private func record(_ message: ChatMessage) {
        if let name = message.archiveName { talks[own(message.buddy)]?.archived[name] = message.id }
        if message.isUnread {
            talks[own(message.buddy)]?.unread.insert(message.id)
        } else {
            talks[own(message.buddy)]?.unread.remove(message.id)
        }
    }

    /// Returns the smallest and the greatest place of a conversation, or nil if it has no message.
    public func places(of buddy: ChatAddress) -> ClosedRange<Int64>? {
        guard let messages = talks[own(buddy)]?.messages, let first = messages.first, let last = messages.last
        else { return nil }
        return first.place...last.place
    }

    /// Returns the last message of a conversation before a place that has an archive name, or nil if none has.
    public func lastArchived(of buddy: ChatAddress, before place: Int64) -> ChatMessage? {
        guard let talk = talks[own(buddy)] else { return nil }
        return talk.messages[..<talk.index(of: place)].last { $0.archiveName != nil }
    }

    /// Returns the user's messages of a conversation that wait to be sent, in order.
    public func waiting(of buddy: ChatAddress) -> [ChatMessage] {
        messages(of: buddy).filter { $0.state == .waiting }
    }

    /// Returns the user's messages up to a place that have neither reached `read` nor failed.
    public func unreadByBuddy(_ buddy: ChatAddress, upTo place: Int64) -> [ChatMessage] {
        messages(of: buddy).filter { message in
            guard message.sender == .me, message.place <= place else { return false }
            switch message.state {
            case .waiting, .sent, .delivered: return true
            case .received, .read, .failed: return false
            }
        }
    }

    /// Returns the buddy's messages up to a place that the user has not seen.
    public func unreadByMe(_ buddy: ChatAddress, upTo place: Int64) -> [ChatMessage] {
        guard let talk = talks[own(buddy)] else { return [] }
        return talk.unread.compactMap(talk.message).filter { $0.place <= place }.sorted {
            $0.place < $1.place
        }
    }

    /// Returns the number of the buddy's messages that the user has not seen.
    public func unreadCount(_ buddy: ChatAddress) -> Int { talks[own(buddy)]?.unread.count ?? 0 }

    /// Returns the position up to which the archive is known, or nil if none of it is.
    public func archiveCursor(of room: ChatAddress? = nil) -> String? {
        marks[Mark(account: account, room: room)]
    }

    /// Stores the position up to which the archive is known.
    public func setArchiveCursor(_ name: String?, of room: ChatAddress? = nil) {
        marks[Mark(account: account, room: room)] = name
    }

    /// Returns the past that is still to be loaded from the archive, or nil if there is none.
    public func archivePast(of room: ChatAddress? = nil) -> ArchivePast? {
        pasts[Mark(account: account, room: room)]
    }

    /// Stores the past that is still to be loaded from the archive.
    public func setArchivePast(_ past: ArchivePast?, of room: ChatAddress? = nil) {
        pasts[Mark(account: account, room: room)] = past
    }
}

extension ChatMessage {
    /// Whether the message was not deleted here.
    public var isShown: Bool { retraction?.isHere != true }
}

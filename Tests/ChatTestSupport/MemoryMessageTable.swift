// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A table of messages that lives as long as the test.
public final class MemoryMessageTable: MessageTable {
    private struct Key: Hashable {
        let sender: MessageSender.Identity
        let name: String
    }
    private struct Talk {
        /// In the order of their places.
        var messages: [ChatMessage] = []
        /// The place of each message.
        var places: [Int64: Int64] = [:]
        /// The messages of a name, in the order in which they came.
        var named: [Key: [Int64]] = [:]
        var archived: [String: Int64] = [:]
        var corrections: Set<Key> = []
        var unread: Set<Int64> = []

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

    /// Whose conversations are meant; the exchange's is everybody's.
    public var account: ChatAddress?
    private var talks: [ConversationID: Talk] = [:]
    private var lastID: Int64 = 0
    private var marks: [ChatAddress?: String] = [:]

    /// Creates one without messages.
    public init() {}

    /// All messages of a conversation, in the order of their places.
    public func messages(of buddy: ChatAddress) -> [ChatMessage] { talks[own(buddy)]?.messages ?? [] }
    /// With whom there are conversations.
    public var buddies: [ChatAddress] {
        talks.keys.filter { own($0.buddy) == $0 }.map(\.buddy).sorted()
    }

    private func own(_ buddy: ChatAddress) -> ConversationID { ConversationID(buddy, of: account) }

    /// Up to `count` messages before a place; nil is the end.
    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) -> [ChatMessage] {
        guard let talk = talks[own(buddy)] else { return [] }
        let end = place.map(talk.index) ?? talk.messages.count
        return Array(talk.messages[max(0, end - count)..<end])
    }

    /// Up to `count` messages from a place on.
    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) -> [ChatMessage] {
        guard let talk = talks[own(buddy)] else { return [] }
        return Array(talk.messages[talk.index(of: place)...].prefix(count))
    }

    /// The message of a conversation that the archive names so.
    public func message(of buddy: ChatAddress, archiveName: String) -> ChatMessage? {
        talks[own(buddy)].flatMap { talk in talk.archived[archiveName].flatMap(talk.message) }
    }

    /// The last message of a conversation that its sender, of that identity, named so.
    public func message(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        -> ChatMessage?
    {
        guard let talk = talks[own(buddy)] else { return nil }
        return talk.named[Key(sender: sender, name: name)]?.compactMap(talk.message).max {
            $0.place < $1.place
        }
    }

    /// The message of mine whose text goes out by the correction of that name.
    public func message(of buddy: ChatAddress, correction name: String) -> ChatMessage? {
        messages(of: buddy).first { $0.correction == name }
    }

    /// Whether a correction of that name by that sender was applied already.
    public func hasCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        -> Bool
    {
        talks[own(buddy)]?.corrections.contains(Key(sender: sender, name: name)) ?? false
    }

    /// Notes a sender’s correction by its name.
    public func noteCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String) {
        talks[own(buddy), default: Talk()].corrections.insert(Key(sender: sender, name: name))
    }

    /// Keeps a new message.
    public func insert(_ message: ChatMessage) -> ChatMessage {
        lastID += 1
        let kept = ChatMessage(
            id: lastID, conversation: message.conversation, sender: message.sender, text: message.text,
            time: message.time,
            place: message.place, state: message.state, name: message.name, archiveName: message.archiveName,
            isCorrected: message.isCorrected, correction: message.correction, isUnread: message.isUnread,
            receiptRequests: message.receiptRequests)
        put(kept)
        return kept
    }

    /// Keeps a message that is there already, as it is now.
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

    /// The least and the greatest place of a conversation; nil where it has no message.
    public func places(of buddy: ChatAddress) -> ClosedRange<Int64>? {
        guard let messages = talks[own(buddy)]?.messages, let first = messages.first, let last = messages.last
        else { return nil }
        return first.place...last.place
    }

    /// The last message of a conversation before a place that the archive names; nil where it names none there.
    public func lastArchived(of buddy: ChatAddress, before place: Int64) -> ChatMessage? {
        guard let talk = talks[own(buddy)] else { return nil }
        return talk.messages[..<talk.index(of: place)].last { $0.archiveName != nil }
    }

    /// My messages up to a place that have not come as far as `read`, and have not failed.
    public func unreadByBuddy(_ buddy: ChatAddress, upTo place: Int64) -> [ChatMessage] {
        messages(of: buddy).filter { message in
            guard message.sender == .me, message.place <= place else { return false }
            switch message.state {
            case .waiting, .sent, .delivered: return true
            case .received, .read, .failed: return false
            }
        }
    }

    /// The buddy's messages up to a place that I have not seen.
    public func unreadByMe(_ buddy: ChatAddress, upTo place: Int64) -> [ChatMessage] {
        guard let talk = talks[own(buddy)] else { return [] }
        return talk.unread.compactMap(talk.message).filter { $0.place <= place }.sorted {
            $0.place < $1.place
        }
    }

    /// How many messages of the buddy's I have not seen.
    public func unreadCount(_ buddy: ChatAddress) -> Int { talks[own(buddy)]?.unread.count ?? 0 }

    /// Up to where the archive is known; nil if nothing of it.
    public func archiveCursor() -> String? { marks[account] }

    /// Notes up to where the archive is known.
    public func setArchiveMark(_ name: String?) { marks[account] = name }
}

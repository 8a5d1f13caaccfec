// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore

/// A small server with an archive, an account with another device, buddies, and a failing connection to this phone: all
/// possible message events, in a random order that a seed determines.
///
/// The phone's result is in `table`. The model also records the expected result.
struct ChatModel {
    /// An entry of the archive.
    struct Item {
        let archiveName: String
        let buddy: ChatAddress
        /// The message; otherwise a marker from the user's other device that the message of this name was seen.
        var message: ReceivedMessage?
        var seen: String?
    }

    /// A stanza from the server to the phone.
    enum Stanza {
        case live(Item)
        case fact(MessageUpdate)
    }

    /// A stanza from the phone to the server.
    enum OwnStanza {
        case message(ChatAddress, name: String, text: String)
        case correction(ChatAddress, of: String, text: String, by: String)
    }

    /// The state of the phone's connection.
    enum Link { case down, catchingUp, online }

    static let buddies = ["ada", "bob"].map { ChatAddress("\($0)@example.org") }
    /// A buddy whose client restarts its message numbers at each start.
    static let numbering = buddies[1]

    var random: SplitMix64
    let table = MemoryMessageTable()
    /// Whether messages on the stream have archive names.
    let namesLive: Bool

    // State of the server.
    var archive: [Item] = []
    var toPhone: [Stanza] = []
    var hasSession = false
    var sent: [(buddy: ChatAddress, name: String)] = []

    // State of the connection.
    var toServer: [OwnStanza] = []
    var late: [OwnStanza] = []

    // State of the phone.
    var link = Link.down
    var held: [Stanza] = []
    /// The last message of each conversation that was found in the archive since the connection began; nil before.
    var walked: [ChatAddress: ReceivedMessage]?
    var corrections: [(name: String, stanza: OwnStanza)] = []
    var past: [MessageUpdate] = []
    var count = 0
    /// The messages according to the reported changes, which must equal the table.
    var shown: [Int64: ChatMessage] = [:]

    /// The position from which older history is known.
    var history: [ChatAddress: Int] = [:]

    // The expected result.
    var states: [String: MessageState] = [:]
    var texts: [String: String] = [:]
    var unread: [String: Int] = [:]
    var told: Set<String> = []
    /// The names of messages that failed and were retried under a new name.
    var superseded: Set<String> = []
    /// The differences found.
    var problems: [String] = []
    /// The unknown originals that a correction replaces.
    var standing: Set<String> = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        namesLive = Int.random(in: 0..<4, using: &random) > 0
        for _ in 0..<Int.random(in: 0..<12, using: &random) { happenElsewhere() }
    }

    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Returns a unique name, or a repeated one for some buddies.
    mutating func name(of buddy: ChatAddress, sender: MessageSender) -> String {
        count += 1
        if buddy == Self.numbering, sender != .me, namesLive { return String(count % 3) }
        let digits = String(count)
        return "name-" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    func time() -> ChatTime { ChatTime(milliseconds: Int64(count)) }
}

// MARK: - Events

extension ChatModel {
    /// Performs a random one of all possible events.
    mutating func step() {
        switch number(0...29) {
        case 0...6: happenElsewhere()
        case 7...9: write()
        case 10: rewrite()
        case 11...15: receive(number(1...4))
        case 16...19: serve(number(1...3))
        case 20: cut()
        case 21, 22: connect()
        case 23, 24: if link == .catchingUp { walk() }
        case 25: see()
        case 26: confirm()
        case 27: repeatFact()
        case 28: retry()
        default: loadHistory()
        }
    }

    /// Ends all transfers, and synchronizes the phone.
    mutating func settle() {
        if link == .online { serve(.max); receive(.max) }
        // Twice, so that messages sent at the end of the first round are found in the archive, too.
        for _ in 0..<2 {
            cut()
            serveLate()
            connect(resuming: false)
            while link != .online { walk() }
            serve(.max)
            receive(.max)
        }
        for buddy in Self.buddies { while loadHistory(of: buddy) {} }
    }

    /// Simulates an event on a buddy's device or on another device of the user.
    private mutating func happenElsewhere() {
        let buddy = Self.buddies[number(0...1)]
        let sender: MessageSender = chance(1, in: 4) ? .me : .buddy
        let own = archive.indices.filter { index in
            guard let message = archive[index].message, message.relation == .none else { return false }
            let isFromHere = states[message.name ?? ""] != nil || superseded.contains(message.name ?? "")
            return message.buddy == buddy && message.sender == sender && !(sender == .me && isFromHere)
        }
        if sender == .me, chance(1, in: 3) {
            let theirs = archive.last { $0.buddy == buddy && $0.message.map { $0.sender != .me } ?? false }
            if buddy != Self.numbering, let name = theirs?.message?.name,
                theirs?.message?.relation.corrected == nil
            {
                add(buddy, nil, seen: name)
            }
        } else if buddy != Self.numbering || sender == .me, let index = own.last, chance(1, in: 4),
            let original = archive[index].message?.name
        {
            let name = name(of: buddy, sender: sender)
            add(buddy, (sender, "corrected \(count)", name, original))
        } else {
            let name = name(of: buddy, sender: sender)
            add(buddy, (sender, chance(1, in: 3) ? "ok" : "text \(count)", name, nil))
        }
    }

    mutating func add(
        _ buddy: ChatAddress,
        _ message: (sender: MessageSender, text: String, name: String, corrects: String?)?,
        seen: String? = nil, isLive: Bool = true
    ) {
        let archiveName = "archive-\(archive.count)"
        let came = message.map {
            ReceivedMessage(
                buddy: buddy, sender: $0.sender, text: $0.text, time: time(), name: $0.name,
                archiveName: archiveName,
                relation: $0.corrects.map { .corrects($0, proof: .identity) } ?? MessageRelation.none)
        }
        let item = Item(archiveName: archiveName, buddy: buddy, message: came, seen: seen)
        archive.append(item)
        if hasSession, isLive { toPhone.append(.live(item)) }
    }

    /// Writes a message on the phone.
    private mutating func write() {
        let buddy = Self.buddies[number(0...1)]
        let name = name(of: buddy, sender: .me)
        let text = chance(1, in: 3) ? "ok" : "mine \(count)"
        states[name] = .waiting
        apply(
            [.composed(ComposedMessage(buddy: buddy, name: name, text: text, time: time()))],
            isRepeatable: false)
        if link == .online { toServer.append(.message(buddy, name: name, text: text)) }
    }

    private mutating func rewrite() {
        let mine = Self.buddies.flatMap { table.messages(of: $0) }.filter { message in
            guard let state = states[message.name ?? ""], message.sender == .me else { return false }
            if case .failed = state { return false }
            return true
        }
        guard let message = mine.randomElement(using: &random), let name = message.name else { return }
        let by = self.name(of: message.buddy, sender: .me)
        let text = "rewritten \(count)"
        texts[name] = text
        apply([.corrected(buddy: message.buddy, name: name, text: text, by: by)], isRepeatable: false)
        let stanza = OwnStanza.correction(message.buddy, of: name, text: text, by: by)
        corrections.append((by, stanza))
        if link == .online { toServer.append(stanza) }
    }

    private mutating func retry() {
        let failed = states.compactMap { name, state -> String? in
            if case .failed = state { name } else { nil }
        }.sorted().first
        guard let failed,
            let buddy = Self.buddies.first(where: { table.message(of: $0, from: .me, name: failed) != nil }
            )
        else { return }
        let name = self.name(of: buddy, sender: .me)
        (states[failed], states[name]) = (nil, .waiting)
        superseded.insert(failed)
        corrections.removeAll { $0.stanza.corrected == failed }
        apply([.retried(buddy: buddy, name: failed, newName: name)], isRepeatable: false)
        if link == .online, let message = table.message(of: buddy, from: .me, name: name) {
            toServer.append(.message(buddy, name: name, text: message.text))
        }
    }

    /// Reads messages on the phone.
    private mutating func see() {
        let buddy = Self.buddies[number(0...1)]
        guard let last = table.messages(of: buddy).randomElement(using: &random) else { return }
        for message in table.messages(of: buddy) where message.place <= last.place {
            if let key = key(message) { unread[key] = nil }
        }
        apply([.seen(buddy: buddy, upTo: .place(last.place))], isRepeatable: false)
    }

    /// Sends a receipt or a read marker for a message of the user from a buddy's device.
    private mutating func confirm() {
        guard hasSession, let one = sent.randomElement(using: &random) else { return }
        let isRead = chance(1, in: 2)
        toPhone.append(
            .fact(
                isRead
                    ? .read(buddy: one.buddy, name: one.name) : .delivered(buddy: one.buddy, name: one.name)))
    }
}

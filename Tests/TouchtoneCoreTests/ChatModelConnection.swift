// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore

// The connection of the model: stanzas in transit, lost, repeated, and found in the archive.

extension ChatModel {
    /// Lets the server accept the stanzas from the phone.
    mutating func serve(_ count: Int) {
        guard link != .down else { return }
        for _ in 0..<min(count, toServer.count) { take(toServer.removeFirst(), isLate: false) }
    }

    /// Delivers stanzas that were in transit when the connection was lost, at any later time.
    mutating func serveLate() {
        for stanza in late { take(stanza, isLate: true) }
        late = []
    }

    mutating func take(_ stanza: OwnStanza, isLate: Bool) {
        switch stanza {
        case .message(let buddy, let name, let text):
            add(buddy, (.me, text, name, nil), isLive: false)
            if chance(1, in: 15) {
                if !isLate {
                    toPhone.append(.fact(.failed(buddy: buddy, name: name, reason: "No such buddy.")))
                }
            } else {
                sent.append((buddy, name))
            }
            if !isLate { toPhone.append(.fact(.acknowledged(buddy: buddy, name: name))) }
        case .correction(let buddy, let original, let text, let by):
            add(buddy, (.me, text, by, original), isLive: false)
            if !isLate { toPhone.append(.fact(.acknowledged(buddy: buddy, name: by))) }
        }
    }

    /// Cuts the connection; sometimes the phone's program ends, too.
    mutating func cut() {
        link = .down
        if chance(1, in: 6) {
            drop()
        }
    }

    /// Abandons the stream: stanzas in transit are lost or arrive late.
    mutating func drop() {
        hasSession = false
        toPhone = []
        if chance(1, in: 2) { late += toServer }
        toServer = []
        held = []
    }

    mutating func connect(resuming: Bool = true) {
        guard link == .down else { return }
        walked = nil
        if chance(1, in: 2) { serveLate() }
        if hasSession, resuming, chance(2, in: 3) {
            // Messages held back during the archive query remain, and the query continues.
            link = .catchingUp
        } else {
            drop()
            hasSession = true
            link = .catchingUp
        }
    }

    /// Delivers stanzas from the server to the phone.
    mutating func receive(_ count: Int) {
        guard link != .down else { return }
        for _ in 0..<min(count, toPhone.count) {
            let stanza = toPhone.removeFirst()
            switch stanza {
            case .fact(let fact):
                if case .acknowledged(_, let name) = fact { corrections.removeAll { $0.name == name } }
                apply([fact])
            case .live: if link == .online { tell(stanza) } else { held.append(stanza) }
            }
        }
    }

    mutating func tell(_ stanza: Stanza) {
        guard case .live(let item) = stanza else { return }
        var facts: [MessageUpdate] = []
        if let message = item.message {
            facts.append(.received(namesLive ? message : message.unnamed))
        } else if let seen = item.seen {
            facts.append(.seen(buddy: item.buddy, upTo: .name(seen)))
        }
        if namesLive { facts.append(.archived(ArchivePage(.newest(upTo: item.archiveName), []))) }
        note([item], isNew: true)
        apply(facts)
    }

    /// Requests the next archive page for the phone.
    ///
    /// As `CatchUp` does, it repeats the last message of each conversation, so that the order holds across pages.
    mutating func walk() {
        // The response arrives after all stanzas that were sent before it.
        receive(.max)
        guard let mark = table.archiveCursor() else { return walkFirst() }
        let start = (archive.firstIndex { $0.archiveName == mark } ?? -1) + 1
        let page = Array(archive[start...].prefix(number(1...5)))
        if let last = page.last {
            note(page, isNew: true)
            drop(page)
            let messages = page.compactMap(\.message)
            // All of the last four items are known, because the first query loads that many.
            let known = walked ?? lastMessages(of: archive[..<start].suffix(4).compactMap(\.message))
            walked = known.merging(lastMessages(of: messages)) { $1 }
            let repeated = Set(messages.map(\.buddy)).sorted().compactMap { known[$0] }
            var facts: [MessageUpdate] = [
                .archived(ArchivePage(.newest(upTo: last.archiveName), repeated + messages))
            ]
            for item in page {
                if let seen = item.seen { facts.append(.seen(buddy: item.buddy, upTo: .name(seen))) }
            }
            apply(facts)
        }
        if start + page.count == archive.count { complete() }
    }

    private func lastMessages(of messages: [ReceivedMessage]) -> [ChatAddress: ReceivedMessage] {
        Dictionary(messages.filter { $0.relation == .none }.map { ($0.buddy, $0) }) { $1 }
    }

    /// Requests only the last messages the first time; they are not new.
    mutating func walkFirst() {
        var start = max(0, archive.count - 4)
        // Messages since the start of the stream are looked up, too.
        if case .live(let first) = held.first ?? toPhone.first(where: \.isLive) {
            start = min(start, archive.firstIndex { $0.archiveName == first.archiveName } ?? start)
        }
        let last = Array(archive[start...])
        note(last, isNew: false)
        for buddy in Self.buddies {
            apply([.archived(ArchivePage(.oldest(of: buddy), last.compactMap(\.message)))])
        }
        apply([.archived(ArchivePage(.newest(upTo: last.last?.archiveName ?? ""), []))])
        drop(last)
        complete()
    }

    /// Drops held messages that the archive has delivered.
    mutating func drop(_ items: [Item]) {
        let names = Set(items.map(\.archiveName))
        held.removeAll { if case .live(let item) = $0 { names.contains(item.archiveName) } else { false } }
    }

    mutating func complete() {
        link = .online
        for stanza in held { tell(stanza) }
        held = []
        sendWaiting()
    }

    mutating func sendWaiting() {
        let underWay = Set(toServer.map(\.name))
        for buddy in Self.buddies { apply([.postponedWaiting(buddy)], isRepeatable: false) }
        for message in Self.buddies.flatMap({ table.waiting(of: $0) }) {
            guard let name = message.name, !underWay.contains(name) else { continue }
            toServer.append(.message(message.buddy, name: name, text: message.text))
        }
        toServer += corrections.filter { !underWay.contains($0.name) }.map(\.stanza)
    }

    mutating func loadHistory() { _ = loadHistory(of: Self.buddies[number(0...1)]) }

    /// Requests older messages of a buddy for the phone.
    ///
    /// - Returns: Whether there were any.
    mutating func loadHistory(of buddy: ChatAddress) -> Bool {
        guard link == .online else { return false }
        receive(.max)
        let oldest = table.messages(of: buddy).lazy.compactMap(\.archiveName).first
        let first = archive.firstIndex { $0.archiveName == oldest } ?? archive.count
        // A page may hold only messages that are known by another name.
        let end = min(first, history[buddy] ?? first)
        // If the stream assigns no archive names, only a query names its messages.
        let isNamed = oldest != nil || table.messages(of: buddy).allSatisfy(\.isCorrected)
        guard isNamed || namesLive else { return false }
        let known = Set(table.messages(of: buddy).filter { $0.sender == .me }.compactMap(\.name))
        // A first page covers the messages since the phone first signed in.
        let least = oldest == nil ? archive.count { known.contains($0.message?.name ?? "") } : 0
        let page = archive.indices[..<end].filter { archive[$0].buddy == buddy && archive[$0].message != nil }
            .suffix(least + number(1...5))
        guard let start = page.first else { return false }
        history[buddy] = start
        let items = page.map { archive[$0] }
        note(items, isNew: false)
        apply([.archived(ArchivePage(.oldest(of: buddy), items.compactMap(\.message)))])
        return true
    }
}

extension ChatModel.Stanza {
    var isLive: Bool { if case .live = self { true } else { false } }
}

extension ChatModel.OwnStanza {
    var name: String {
        switch self {
        case .message(_, let name, _): name
        case .correction(_, _, _, let by): by
        }
    }

    /// The name of the message that it corrects; nil for a message.
    var corrected: String? { if case .correction(_, let name, _, _) = self { name } else { nil } }
}

extension ReceivedMessage {
    /// The message as sent by a server that assigns no archive names.
    var unnamed: ReceivedMessage {
        ReceivedMessage(
            buddy: buddy, sender: sender, text: text, time: time, name: name, relation: relation)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TouchtoneCore

// The expected and the actual result.
extension ChatModel {
    /// Applies facts to the phone, some of them again later.
    mutating func apply(_ facts: [MessageUpdate], isRepeatable: Bool = true) {
        for fact in facts { expect(fact) }
        if isRepeatable { past += facts.filter { $0.isRepeatable && !isEarly($0) }.map(\.withoutMark) }
        do throws(StoreError) {
            show(try MessageMerger.apply(facts, to: table))
        } catch {
            problems.append("\(error)")
        }
    }

    /// Returns whether a marker arrives before its message, so that it has an effect when it is repeated.
    private func isEarly(_ fact: MessageUpdate) -> Bool {
        guard case .seen(let buddy, .name(let name)) = fact else { return false }
        return table.message(of: buddy, from: .buddy, name: name) == nil
    }

    /// Repeats a fact, which changes nothing.
    mutating func repeatFact() {
        guard let fact = past.randomElement(using: &random) else { return }
        do throws(StoreError) {
            let changes = try MessageMerger.apply([fact], to: table)
            verify(changes == MessageChanges(), "told again: \(fact)")
        } catch {
            problems.append("\(error)")
        }
    }

    private mutating func show(_ changes: MessageChanges) {
        for message in changes.inserted {
            verify(shown.updateValue(message, forKey: message.id) == nil, "inserted twice: \(message)")
        }
        for message in changes.changed {
            verify(
                shown.updateValue(message, forKey: message.id) != nil, "changed, and not there: \(message)")
        }
        for (id, count) in changes.unread { verify(count == table.unreadCount(id.buddy), "unread told") }
    }

    private mutating func verify(_ isRight: Bool, _ what: @autoclosure () -> String) {
        if !isRight { problems.append(what()) }
    }

    // MARK: States

    private mutating func expect(_ fact: MessageUpdate) {
        switch fact {
        case .acknowledged(_, let name): if states[name] == .waiting { states[name] = .sent }
        case .archived(let piece):
            for message in piece.messages {
                if let name = message.name, states[name] == .waiting { states[name] = .sent }
            }
        case .delivered(_, let name):
            if let state = states[name], state != .read { states[name] = .delivered }
        case .read(let buddy, let name):
            guard states[name] != nil else { return }
            states[name] = .read
            for message in table.messages(of: buddy).prefix(while: { $0.name != name || $0.sender != .me }) {
                guard message.sender == .me, let name = message.name, let state = states[name] else {
                    continue
                }
                if state == .sent || state == .delivered { states[name] = .read }
            }
        case .failed(_, let name, let reason):
            if states[name] == .waiting || states[name] == .sent { states[name] = .failed(reason) }
        case .composed, .corrected, .received, .annotated, .annotatedHere, .deletedHere, .retried, .uploaded,
            .thumbnail, .cancelled, .postponedWaiting, .protected, .protectedWaiting,
            .readInRoom,
            .seen:
            break
        }
    }

    // MARK: Unread messages

    /// Returns the key of a buddy's message: its archive name.
    func key(_ message: ChatMessage) -> String? {
        guard message.sender != .me else { return nil }
        if let name = message.archiveName { return name }
        return archive.first { $0.message?.isOriginal(message.name, message.buddy, sender: .buddy) ?? false }?
            .archiveName
    }

    /// Records newly reported messages, and those that they mark as read.
    mutating func note(_ items: [Item], isNew: Bool) {
        for item in items {
            guard let index = archive.firstIndex(where: { $0.archiveName == item.archiveName }) else {
                continue
            }
            let isFirst = told.insert(item.archiveName).inserted
            guard let message = item.message else {
                if let last = archive.firstIndex(where: {
                    $0.message?.isOriginal(item.seen, item.buddy, sender: .buddy) ?? false
                }),
                    told.contains(archive[last].archiveName)
                {
                    see(item.buddy, upTo: last)
                }
                continue
            }
            if let original = message.relation.corrected {
                let key = archive.first {
                    $0.message?.isOriginal(original, item.buddy, sender: message.sender) ?? false
                }
                guard let key, !told.contains(key.archiveName), isFirst, !stands(key.archiveName) else {
                    continue
                }
                // It stands alone, at the place of the correction.
                standing.insert(key.archiveName)
                if isNew, message.sender != .me { unread[key.archiveName] = index }
            } else if isFirst {
                if message.sender == .me {
                    // A reply implies that earlier messages are read; a message from this phone, or a repeated one, is
                    // not a reply.
                    if isNew, states[message.name ?? ""] == nil, !superseded.contains(message.name ?? ""),
                        !stands(item.archiveName)
                    {
                        see(item.buddy, upTo: index)
                    }
                } else if stands(item.archiveName) {
                    if unread[item.archiveName] != nil { unread[item.archiveName] = index }
                } else if isNew {
                    unread[item.archiveName] = index
                }
            }
        }
    }

    private func stands(_ archiveName: String) -> Bool { standing.contains(archiveName) }

    private mutating func see(_ buddy: ChatAddress, upTo index: Int) {
        for (key, position) in unread where position <= index {
            // A replacement for an original is read only here.
            if stands(key), table.message(of: buddy, archiveName: key) == nil { continue }
            if archive.first(where: { $0.archiveName == key })?.buddy == buddy { unread[key] = nil }
        }
    }

    // MARK: Final comparison

    /// Compares the whole state with the expected one.
    mutating func check() {
        let stands = stands
        for buddy in Self.buddies {
            let messages = table.messages(of: buddy)
            verify(messages.map(\.place) == messages.map(\.place).sorted(), "places")
            let expected = conversation(with: buddy)
            let found = messages.map { Line($0.sender, $0.name, nil) }
            verify(found.sorted() == expected.map { Line($0.sender, $0.name, nil) }.sorted(), "exactly once")
            // Messages with archive names stand in the order of the archive.
            let named = messages.compactMap(\.archiveName)
            verify(named == named.sorted { position($0) < position($1) }, "in order")
            verify(messages.allSatisfy { $0.correction == nil }, "a correction waits")
            for message in messages {
                guard let name = message.name else { continue }
                if message.sender == .me, let state = states[name] {
                    verify(message.state == state, "the state of \(message)")
                }
            }
            let unseen = messages.filter(\.isUnread).compactMap(key)
            verify(table.unreadCount(buddy) == unseen.count, "unread count")
            let unread = unread.keys.filter { key in archive.first { $0.archiveName == key }?.buddy == buddy }
            // Whether a replacement is read elsewhere depends on the names that are known at that time.
            let isSure = { !stands($0) }
            verify(unseen.filter(isSure).sorted() == unread.filter(isSure).sorted(), "unread")
        }
        let all = Self.buddies.flatMap { table.messages(of: $0) }
        verify(Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) }) == shown, "all changes were told")
    }

    /// Queries the whole archive once more: then all messages are in order, and a second query changes nothing.
    mutating func checkOrder() throws {
        let all = archive.compactMap(\.message)
        let before = shown.count
        apply([.archived(ArchivePage(.newest(upTo: nil), all))], isRepeatable: false)
        verify(shown.count == before, "nothing is new")
        check()
        for buddy in Self.buddies {
            let expected = conversation(with: buddy)
            verify(
                table.messages(of: buddy).map { Line($0.sender, $0.name, $0.text) }
                    == expected.map { Line($0.sender, $0.name, texts[$0.name ?? ""] ?? $0.text) },
                "the archive's order and text of \(buddy)")
        }
        verify(
            try MessageMerger.apply([.archived(ArchivePage(.newest(upTo: nil), all))], to: table)
                == MessageChanges(),
            "twice is once")
    }

    /// Whether the message is, of those that were sent again, the one that was found first.
    private func counts(_ message: ReceivedMessage) -> Bool {
        let known = table.message(of: message.buddy, from: .me, name: message.name ?? "")?.archiveName
        let first = archive.first {
            $0.message?.isOriginal(message.name, message.buddy, sender: .me) ?? false
        }
        return message.archiveName == known ?? first?.archiveName
    }

    struct Line: Hashable, Comparable {
        let (isMine, name, text): (Bool, String?, String?)
        init(_ sender: MessageSender, _ name: String?, _ text: String?) {
            (isMine, self.name, self.text) = (sender == .me, name, text)
        }
        static func < (left: Line, right: Line) -> Bool {
            (left.isMine ? 1 : 0, left.name ?? "") < (right.isMine ? 1 : 0, right.name ?? "")
        }
    }

    /// Whether the message is one of the user's that was retried under another name.
    private func isOldTry(_ message: ReceivedMessage) -> Bool {
        message.sender == .me && message.relation.corrected == nil && superseded.contains(message.name ?? "")
    }

    private func position(_ archiveName: String) -> Int {
        archive.firstIndex { $0.archiveName == archiveName } ?? -1
    }

    /// Returns a conversation as the archive has it: each message once, with its last correction.
    private func conversation(with buddy: ChatAddress) -> [ReceivedMessage] {
        var messages: [ReceivedMessage] = []
        for item in archive where item.buddy == buddy {
            guard let message = item.message, !isOldTry(message) else { continue }
            if let original = message.relation.corrected {
                guard
                    let index = messages.lastIndex(where: {
                        $0.isOriginal(original, buddy, sender: message.sender)
                    })
                else { continue }
                messages[index] = messages[index].saying(message.text)
            } else if message.sender != .me || states[message.name ?? ""] == nil || counts(message) {
                messages.append(message)
            }
        }
        return messages
    }
}

extension MessageUpdate {
    /// Whether the fact may be repeated at any time; actions on this phone happen once.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .received(let message):
            message.archiveName != nil || message.name.map { $0.utf8.count > 8 } ?? false
        // Except for its mark, which does not go back.
        case .archived(let piece): !piece.messages.isEmpty
        case .seen(_, .name), .annotated: true
        // Reports about an attempt do not apply to the next one.
        case .acknowledged, .delivered, .read, .readInRoom, .failed: false
        case .composed, .corrected, .annotatedHere, .deletedHere, .retried, .uploaded, .thumbnail,
            .cancelled, .postponedWaiting, .protected, .protectedWaiting,
            .seen:
            false
        }
    }
}

extension MessageUpdate {
    fileprivate var withoutMark: MessageUpdate {
        guard case .archived(let piece) = self, case .newest = piece.end else { return self }
        return .archived(ArchivePage(.newest(upTo: nil), piece.messages))
    }
}

extension ReceivedMessage {
    fileprivate func isOriginal(_ name: String?, _ buddy: ChatAddress, sender: MessageSender) -> Bool {
        name != nil && relation == .none && self.name == name && self.buddy == buddy && self.sender == sender
    }

    fileprivate func saying(_ text: String) -> ReceivedMessage {
        ReceivedMessage(
            buddy: buddy, sender: sender, text: text, time: time, name: name, archiveName: archiveName)
    }
}

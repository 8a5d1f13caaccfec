// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Corrections (XEP-0308)

extension MessageMerger {
    /// The corrections in a page of the archive, of which the last one for each message counts.
    struct Corrections {
        struct Key: Hashable {
            let sender: MessageSender.Identity
            let name: String
        }
        /// The index of the last correction of each message.
        private(set) var indices: Set<Int> = []
        private var originals: Set<Key> = []

        init(_ messages: [ReceivedMessage]) {
            var last: [Key: Int] = [:]
            for (index, received) in messages.enumerated() {
                if let name = received.relation.corrected {
                    last[Key(sender: received.sender.identity, name: name)] = index
                } else if let name = received.name {
                    originals.insert(Key(sender: received.sender.identity, name: name))
                }
            }
            indices = Set(last.values)
        }

        func hasOriginal(of received: ReceivedMessage) -> Bool {
            received.relation.corrected.map {
                originals.contains(Key(sender: received.sender.identity, name: $0))
            }
                ?? false
        }
    }

    /// Applies a correction once; returns the message that stands in for an unknown original.
    @discardableResult
    mutating func correct(_ received: ReceivedMessage) throws(StoreError) -> ChatMessage? {
        guard let original = received.relation.corrected, try record(received), received.mayReplace,
            try !isOutdated(received)
        else { return nil }
        guard
            var message = try table.message(
                of: received.buddy, from: received.sender.identity, name: original)
        else {
            return try insert(
                received, at: try newestPlace(received.buddy), isUnread: received.isNew)
        }
        // A later correction from this device is still to be sent.
        guard message.correction == nil, message.retraction == nil else { return nil }
        message.take(correction: received, try marked(received))
        try update(message)
        return nil
    }

    /// Returns whether the original of a correction came before the sender’s stay in the room.
    func isByOther(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        guard case .corrects(let original, .stay(let time)) = received.relation,
            let message = try table.message(
                of: received.buddy, from: received.sender.identity, name: original)
        else { return false }
        return message.time < time
    }

    /// Applies corrections from older history: corrections that are already applied are later ones.
    mutating func apply(_ corrections: Corrections, of messages: [ReceivedMessage]) throws(StoreError) {
        for index in corrections.indices.sorted() {
            let received = messages[index]
            guard let original = received.relation.corrected, try record(received), received.mayReplace,
                var message = try table.message(
                    of: received.buddy, from: received.sender.identity, name: original),
                !message.isCorrected, message.retraction == nil
            else { continue }
            message.take(correction: received, received.content)
            try update(message)
        }
        for received in messages where received.relation.corrected != nil {
            _ = try record(received)
            _ = try isOutdated(received)
        }
    }

    func standsAlone(_ received: ReceivedMessage, _ corrections: Corrections) throws(StoreError)
        -> Bool
    {
        guard let original = received.relation.corrected, !corrections.hasOriginal(of: received),
            received.mayReplace
        else { return false }
        if let by = received.name ?? received.archiveName,
            try table.hasCorrection(of: received.buddy, from: received.sender.identity, name: by)
        {
            return false
        }
        return try table.message(of: received.buddy, from: received.sender.identity, name: original) == nil
    }

    /// Records that a correction was applied, and returns whether it is a new one.
    mutating func record(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        guard let by = received.name ?? received.archiveName else { return true }
        let (buddy, sender) = (received.buddy, received.sender.identity)
        let isKnown = try table.hasCorrection(of: buddy, from: sender, name: by)
        if !isKnown {
            try table.noteCorrection(
                of: buddy, from: sender, name: by, original: received.relation.corrected)
        } else if sender == .me {
            // It may be a correction from this device, which the server has received then.
            try settleCorrection(buddy, by)
        }
        if let archiveName = received.archiveName {
            try table.noteArchiveName(archiveName, ofCorrection: by, of: buddy, from: sender)
        }
        remember(correction: by, received.archiveName, of: buddy)
        return !isKnown
    }

    /// Returns whether a message repeats a correction that was applied when its sender was known.
    mutating func isAppliedCorrection(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        guard case .corrects(_, .nothing) = received.relation, let by = received.name ?? received.archiveName,
            try table.hasCorrection(of: received.buddy, from: received.sender.identity, name: by)
        else { return false }
        // It may be a correction from this device, which the room has received then.
        if received.sender == .me { try settleCorrection(received.buddy, by) }
        return true
    }
}

// MARK: - Corrections of corrections

/// Some apps name the previous correction instead of the original, or give all corrections the original’s ID.
extension MessageMerger {
    /// Returns a received message whose correction names the original, as far as the corrections between are known.
    func rooted(_ received: ReceivedMessage) throws(StoreError) -> ReceivedMessage {
        guard case .corrects(let named, let proof) = received.relation, proof != .nothing else {
            return received
        }
        var rooted = received
        let name = try originalName(of: named, for: received)
        if case .address(let address) = proof {
            let original = try table.message(
                of: received.buddy, from: received.sender.identity, name: name)
            guard original?.sender.address == address else { return received.unproven }
            rooted.relation = .corrects(name, proof: .identity)
        } else {
            rooted.relation = .corrects(name, proof: proof)
        }
        // An ID that other corrections may have, too, does not tell whether this one is known.
        if received.name == named { rooted.name = nil }
        return rooted
    }

    /// Returns the ID of the message that a correction names, by that or, as bridges do, by the ID that their archive gave it.
    private func originalName(of named: String, for received: ReceivedMessage) throws(StoreError) -> String {
        let (buddy, sender) = (received.buddy, received.sender.identity)
        let name = try table.root(of: named, in: buddy, from: sender)
        guard try table.message(of: buddy, from: sender, name: name) == nil,
            let message = try table.message(of: buddy, archivedAs: named), message.sender.identity == sender
        else { return name }
        return message.name ?? name
    }

    /// Returns the messages of a page in order, as `rooted` does, also by the corrections in the page itself.
    func rooted(_ page: [ReceivedMessage]) throws(StoreError) -> [ReceivedMessage] {
        var roots: [Corrections.Key: String] = [:]
        var addresses: [Corrections.Key: ChatAddress] = [:]
        var messages: [ReceivedMessage] = []
        for received in page {
            let sender = received.sender.identity
            var message = received
            if let name = received.relation.corrected {
                if case .corrects(_, .address(let address)) = received.relation,
                    addresses[Corrections.Key(sender: sender, name: name)] == address
                {
                    message.relation = .corrects(name, proof: .identity)
                }
                message = try rooted(message)
                if let root = roots[Corrections.Key(sender: sender, name: name)],
                    case .corrects(_, let proof) = message.relation
                {
                    message.relation = .corrects(root, proof: proof)
                }
            }
            if let name = message.name {
                roots[Corrections.Key(sender: sender, name: name)] = message.relation.corrected
                addresses[Corrections.Key(sender: sender, name: name)] = received.sender.address
                if let archiveName = message.archiveName, archiveName != name {
                    roots[Corrections.Key(sender: sender, name: archiveName)] =
                        message.relation.corrected ?? name
                }
            }
            messages.append(message)
        }
        return messages
    }

    /// Returns whether a later correction, which named this one, stands in for the unknown original; that has its text
    /// then.
    private mutating func isOutdated(_ received: ReceivedMessage) throws(StoreError) -> Bool {
        let sender = received.sender.identity
        guard let own = received.name, Self.isUnique(own), let original = received.relation.corrected,
            own != original,
            var later = try table.message(of: received.buddy, from: sender, name: own), later.isCorrected,
            // With another ID in the archive, it is one of its own, whose sender was not proven.
            later.archiveName == nil || later.archiveName == received.archiveName
        else { return false }
        guard var message = try table.message(of: received.buddy, from: sender, name: original) else {
            later.name = original
            try update(later)
            return true
        }
        if message.retraction == nil {
            if message.correction == nil { (message.content, message.isCorrected) = (later.content, true) }
            for reaction in later.reactions { _ = try add(reaction, to: &message) }
            try update(message)
        }
        try drop(later)
        return true
    }
}

extension ChatMessage {
    fileprivate mutating func take(correction received: ReceivedMessage, _ content: MessageContent) {
        (self.content, isCorrected) = (content, true)
    }
}

extension ReceivedMessage {
    /// Whether the message has a text that can take the place of another one.
    fileprivate var mayReplace: Bool {
        if case .unreadable = content.protection { false } else { !isRepetition }
    }
}

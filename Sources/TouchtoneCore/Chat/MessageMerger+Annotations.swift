// SPDX-License-Identifier: GPL-3.0-or-later

// MARK: - Reactions and retractions (XEP-0444, XEP-0424, XEP-0425)

extension MessageMerger {
    /// The maximum number of annotations that wait in a conversation: a stranger can send any number.
    static let maximumUnresolved = 100

    /// Applies an annotation to its message, or stores it until the message comes.
    mutating func annotate(_ annotation: MessageAnnotation) throws(StoreError) {
        guard annotation.retraction == nil || annotation.proof != .nothing else { return }
        // A room confirms what it passes on by sending it back.
        if annotation.sender == .me { try table.removeOutgoing(annotation.name, of: annotation.buddy) }
        if var message = try message(of: annotation) {
            if try apply(annotation, to: &message) { try update(message) }
        } else {
            try keepUnresolved(annotation)
        }
    }

    /// Applies an annotation that the user makes on this device, and stores it until it is sent.
    mutating func write(_ annotation: MessageAnnotation) throws(StoreError) {
        guard var message = try message(of: annotation), try apply(annotation, to: &message) else { return }
        try update(message)
        try table.addOutgoing(annotation)
    }

    /// Deletes a message on this device alone: what is left of it tells a copy in the archive from a new message.
    ///
    /// - Parameter isOfRoom: Whether the copy may have another ID, or come in parts, as in rooms of gateways.
    mutating func hide(_ id: Int64, of buddy: ChatAddress, at time: ChatTime, isOfRoom: Bool)
        throws(StoreError)
    {
        guard var message = try table.message(of: buddy, id: id), message.state != .waiting,
            message.retraction?.isHere != true
        else { return }
        if isOfRoom { try keepTraces(of: message) }
        try clear(&message, by: MessageRetraction(time: time, moderation: nil, isHere: true))
        try update(message)
        recordHidden(message)
    }

    /// Withdraws a reaction that the buddy’s server has refused.
    mutating func failAnnotation(_ buddy: ChatAddress, _ name: String) throws(StoreError) {
        guard let annotation = try table.removeOutgoing(name, of: buddy), annotation.reaction != nil else {
            return
        }
        try annotate(
            MessageAnnotation(
                .reaction([]), of: annotation.reference, buddy: buddy, sender: .me,
                time: ChatTime(milliseconds: annotation.time.milliseconds + 1), name: name))
    }

    private func message(of annotation: MessageAnnotation) throws(StoreError) -> ChatMessage? {
        switch (annotation.reference, annotation.kind) {
        case (.archive(let name), _): return try table.message(of: annotation.buddy, archivedAs: name)
        case (.stanza, .moderation): return nil
        case (.stanza(let name), .retraction):
            return try table.message(of: annotation.buddy, from: annotation.sender.identity, named: name)
        case (.stanza(let name), .reaction):
            let mine = try table.message(of: annotation.buddy, from: .me, named: name)
            let other = try table.message(of: annotation.buddy, from: .buddy, named: name)
            guard let mine, let other else { return mine ?? other }
            return mine.place > other.place ? mine : other
        }
    }

    /// Applies an annotation, and returns whether the message changed.
    private mutating func apply(_ annotation: MessageAnnotation, to message: inout ChatMessage)
        throws(StoreError) -> Bool
    {
        guard annotation.isEntitled(to: message) else { return false }
        if let retraction = annotation.retraction {
            guard message.retraction.map(retraction.replaces) ?? true else { return false }
            try clear(&message, by: retraction)
            return true
        }
        guard let reaction = annotation.reaction, message.retraction == nil, try add(reaction, to: &message)
        else { return false }
        if message.id != 0 { record(reaction, to: message) }
        return true
    }

    /// Adds a reaction to a message, unless a later one of its sender is there; returns whether it did.
    func add(_ reaction: MessageReaction, to message: inout ChatMessage) throws(StoreError) -> Bool {
        var reactions = message.reactions
        if let index = reactions.firstIndex(where: { $0.sender.identity == reaction.sender.identity }) {
            guard reaction.replaces(reactions[index]) else { return false }
            reactions[index] = reaction
        } else {
            guard reactions.count < MessageReaction.maximumSenders else { return false }
            reactions.append(reaction)
        }
        message.reactions = reactions.sorted(by: MessageReaction.isOrdered)
        // A new message is not in the table yet.
        if message.id != 0 { try table.setReaction(reaction, of: message) }
        return true
    }

    private mutating func clear(_ message: inout ChatMessage, by retraction: MessageRetraction)
        throws(StoreError)
    {
        if message.isUnread { try recordUnread(message.buddy) }
        if !message.reactions.isEmpty, message.id != 0 { try table.removeReactions(of: message) }
        recordRetraction(of: message.content.files)
        message.clear(by: retraction)
    }

    private mutating func keepUnresolved(_ annotation: MessageAnnotation) throws(StoreError) {
        if case (.stanza, .moderation) = (annotation.reference, annotation.kind) { return }
        let buddy = annotation.buddy
        var waiting = try unresolved(of: buddy)
        if let index = waiting.firstIndex(where: { $0.annotation.competes(with: annotation) }) {
            guard annotation.counts(ratherThan: waiting[index].annotation) else { return }
            try table.removeUnresolved(waiting.remove(at: index))
        } else if waiting.count >= Self.maximumUnresolved {
            try table.removeUnresolved(waiting.removeFirst())
        }
        waiting.append(try table.addUnresolved(annotation))
        remember(waiting, of: buddy)
    }

    /// Applies the annotations that waited, and returns whether the message changed.
    mutating func resolve(_ message: inout ChatMessage) throws(StoreError) -> Bool {
        let waiting = try unresolved(of: message.buddy)
        guard waiting.contains(where: { $0.annotation.isMeant(for: message) }) else { return false }
        var isChanged = false
        for known in waiting where known.annotation.isMeant(for: message) {
            if try apply(known.annotation, to: &message) { isChanged = true }
            try table.removeUnresolved(known)
        }
        remember(waiting.filter { !$0.annotation.isMeant(for: message) }, of: message.buddy)
        return isChanged
    }

    /// Applies the annotations that waited for corrections that have come: each names its correction.
    mutating func resolveCorrections() throws(StoreError) {
        for (buddy, names) in takeCorrections().sorted(by: { $0.key < $1.key }) {
            for known in try unresolved(of: buddy) where names.contains(known.annotation.reference) {
                guard var message = try message(of: known.annotation) else { continue }
                try table.removeUnresolved(known)
                remember(try unresolved(of: buddy).filter { $0.id != known.id }, of: buddy)
                if try apply(known.annotation, to: &message) { try update(message) }
            }
        }
    }
}

/// An annotation whose message is not known yet, as it is stored.
public struct UnresolvedAnnotation: Hashable, Sendable {
    /// The identifier in the store; a later annotation has a greater one.
    public let id: Int64
    public let annotation: MessageAnnotation

    public init(id: Int64, _ annotation: MessageAnnotation) {
        self.id = id
        self.annotation = annotation
    }

    /// The maximum number in all conversations: those with an identifier smaller by this or more are dropped.
    public static let maximum: Int64 = 5000
}

extension MessageAnnotation {
    /// Returns whether the annotation waits for a message; others may have given their messages the same ID.
    fileprivate func isMeant(for message: ChatMessage) -> Bool {
        guard refers(to: message) else { return false }
        switch (reference, kind) {
        case (.stanza, .retraction): return sender.identity == message.sender.identity
        case (.stanza, .reaction):
            if case .occupant = message.sender { return false }
            return true
        case (.stanza, .moderation), (.archive, _): return true
        }
    }

    fileprivate func counts(ratherThan other: MessageAnnotation) -> Bool {
        if let reaction, let earlier = other.reaction { return reaction.replaces(earlier) }
        if let retraction, let earlier = other.retraction { return retraction.replaces(earlier) }
        return false
    }
}

extension ChatMessage {
    fileprivate mutating func clear(by retraction: MessageRetraction) {
        (content, isCorrected, correction, reactions, reply) = (MessageContent(""), false, nil, [], nil)
        (isUnread, receiptRequests) = (false, [])
        self.retraction = retraction
    }
}

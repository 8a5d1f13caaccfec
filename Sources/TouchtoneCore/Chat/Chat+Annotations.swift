// SPDX-License-Identifier: GPL-3.0-or-later

// Reactions and retractions of the user's.
extension Chat {
    /// Returns whether the user can react to a message.
    public func canReact(to message: ChatMessage) -> Bool {
        guard canReply(to: message) else { return false }
        return switch message.state {
        case .waiting, .failed: false
        case .received, .sent, .delivered, .read: true
        }
    }

    /// Returns whether the user can delete a message for everyone: it is the user's own, and has been sent.
    public func canRetract(_ message: ChatMessage) -> Bool {
        guard message.sender == .me, message.retraction == nil, reference(to: message) != nil else {
            return false
        }
        return switch message.state {
        case .sent, .delivered, .read: message.buddy != .operatorAddress
        case .received, .waiting, .failed: false
        }
    }

    /// Adds an emoji to the user's reactions to a message, or removes it if it is there.
    public func toggle(_ emoji: String, on message: ChatMessage) {
        guard canReact(to: message), let emoji = MessageReaction.bounded([emoji]).first else { return }
        let before = message.reactions.first { $0.sender == .me }
        var all = before?.emoji ?? []
        if let index = all.firstIndex(of: emoji) { all.remove(at: index) } else { all.append(emoji) }
        // The last one counts, also if the clock was set back.
        let time = max(wall.now, before.map { ChatTime(milliseconds: $0.time.milliseconds + 1) } ?? wall.now)
        annotate(message, .reaction(all), at: time)
    }

    /// Deletes a message of the user's for everyone: apps that do not know this still show it.
    public func retract(_ message: ChatMessage) {
        guard canRetract(message) else { return }
        annotate(message, .retraction, at: wall.now)
    }

    /// Returns whether the user can delete a message on this device alone: one that waits would be sent all the same.
    public func canDeleteHere(_ message: ChatMessage) -> Bool {
        message.state != .waiting && message.correction == nil
    }

    /// Deletes a message on this device alone; no archive brings it back.
    public func deleteHere(_ message: ChatMessage) {
        guard canDeleteHere(message) else { return }
        let isOfRoom = buddies.row(of: message.buddy)?.room != nil
        keep([.deletedHere(buddy: message.buddy, id: message.id, time: wall.now, isOfRoom: isOfRoom)], nil) {
            _ in
        }
    }

    private func annotate(_ message: ChatMessage, _ kind: MessageAnnotation.Kind, at time: ChatTime) {
        guard let reference = reference(to: message) else { return }
        let annotation = MessageAnnotation(
            kind, of: reference, buddy: message.buddy, sender: .me, time: time, name: names())
        keep([.annotatedHere(annotation)], nil) { [self] changes in
            if !changes.changed.isEmpty { outbox(of: message.buddy)?.send(annotation) }
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

// Sending and reading.
extension Chat {
    func service(of buddy: ChatAddress) -> (any ChatService)? { services.first { $0.carries(buddy) } }

    func mayHaveUnread(_ buddy: ChatAddress) -> Bool { !hasSummary || buddies.unread(of: buddy) > 0 }

    /// Returns whether older messages can be requested from an archive now.
    func hasArchive(_ buddy: ChatAddress) -> Bool { buddy != .operatorAddress && state == .online }

    /// Sends a text to a buddy, whether or not its conversation is open.
    ///
    /// - Parameters:
    ///   - original: The message that this one replies to; nil if it is no reply.
    ///   - hint: The hint behind which the text is hidden (XEP-0382), which may be empty; nil does not hide it.
    ///   - completion: Called when the message is saved, or with the error; it will not be sent then.
    public func send(
        _ text: String, to buddy: ChatAddress, inReplyTo original: ChatMessage? = nil,
        behind hint: String? = nil,
        completion: (@MainActor (StoreError?) -> Void)? = nil
    ) {
        let reply = original.flatMap(reply)
        let content = content(text, inReplyTo: reply == nil ? nil : original).hidden(behind: hint?.carried)
        send(
            ComposedMessage(
                buddy: buddy, name: names(), content: content, time: wall.now, reply: reply), completion)
    }

    /// Sends a file, with words about it unless the text is empty.
    ///
    /// - Parameter original: The message that the words reply to; nil if they are no reply.
    func send(
        _ file: SharedFile, text: String = "", inReplyTo original: ChatMessage? = nil, to buddy: ChatAddress
    ) {
        // Other apps know the link to an encrypted file only if it is alone.
        if isEncrypted(buddy), !text.isEmpty {
            send(text, to: buddy, inReplyTo: original)
            return send(file, to: buddy)
        }
        var content = MessageContent(file: file)
        let reply = text.isEmpty ? nil : original.flatMap(reply)
        if !text.isEmpty {
            content = self.content(text, inReplyTo: reply == nil ? nil : original)
            content.files = [file]
        }
        send(
            ComposedMessage(
                buddy: buddy, name: names(), content: content, time: wall.now, reply: reply), nil)
    }

    private func send(_ message: ComposedMessage, _ completion: (@MainActor (StoreError?) -> Void)?) {
        keep([.composed(message)], completion) { [self] changes in
            for message in changes.inserted { deliver(message) }
        }
    }

    /// Returns the update that sends the words about a file as a message before it, if its address is that of an encrypted file.
    func wordsApart(from message: ChatMessage, at url: String) -> [MessageUpdate] {
        guard !message.isFileAlone, SharedFile(url: url, name: "").isEncrypted else { return [] }
        var words = message.content
        words.files = []
        return [
            .composed(
                ComposedMessage(
                    buddy: message.buddy, name: names(), content: words, time: wall.now, reply: message.reply)
            )
        ]
    }

    /// Sends a saved message, or first uploads its file.
    func deliver(_ message: ChatMessage) {
        if message.needsUpload {
            uploads?.add(message)
        } else {
            outbox(of: message.buddy)?.send(message)
        }
    }

    func correct(
        _ message: ChatMessage, to text: String, completion: @escaping @MainActor (StoreError?) -> Void
    ) {
        guard let name = message.name else { return }
        let (buddy, by) = (message.buddy, names())
        var updates: [MessageUpdate] = [.corrected(buddy: buddy, name: name, text: text, by: by)]
        var isFailed = false
        if case .failed = message.state { isFailed = true }
        // A failed message is sent again with the new text instead of being corrected.
        if isFailed { updates.append(.retried(buddy: buddy, name: name, newName: names())) }
        keep(updates, completion) { [self, isFailed] changes in
            for message in changes.changed {
                if isFailed {
                    deliver(message)
                } else if message.correction == by {
                    outbox(of: buddy)?.sendCorrection(of: message)
                }
            }
        }
    }

    func retry(_ message: ChatMessage) {
        guard let name = message.name else { return }
        keep([.retried(buddy: message.buddy, name: name, newName: names())], nil) { [self] changes in
            for message in changes.changed { deliver(message) }
        }
    }

    func tell(_ typing: Typing, to buddy: ChatAddress) {
        guard buddies.isTold(buddy), buddies.row(of: buddy)?.availability != .offline else { return }
        service(of: buddy)?.messages.sendChatState(typing, to: buddy)
    }

    func outbox(of buddy: ChatAddress) -> Outbox? {
        service(of: buddy).flatMap { outboxes[ObjectIdentifier($0)] }
    }

    /// Saves the user’s updates, and calls `next` with the changes once they are saved.
    func keep(
        _ updates: [MessageUpdate], _ completion: (@MainActor (StoreError?) -> Void)?,
        _ next: @escaping @MainActor (MessageChanges) -> Void
    ) {
        store.apply(updates, of: account) { [self] result in
            switch result {
            case .success(let changes):
                took(changes)
                next(shown(changes))
                completion?(nil)
            case .failure(let error):
                record(error)
                completion?(error)
            }
        }
    }
}

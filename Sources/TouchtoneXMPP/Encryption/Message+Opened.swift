// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension Message {
    /// The elements that say what the text says; outside of the encrypted part, anybody on the way can write them.
    private static let stated: Set<String> = [
        OMEMO.namespace, ExplicitEncryption.namespace, OutOfBandData.namespace, FileSharing.namespace,
        FileSharing.mediaSharing, UserLocation.namespace, "http://jabber.org/protocol/xhtml-im",
    ]

    /// Returns the message with the text that was encrypted, and without what is not.
    func opened(_ opened: OpenedMessage) -> Message {
        var message = self
        message.subject = nil
        switch opened.content {
        case .text(let text):
            message.body = text
            message.extensions.removeAll { Self.stated.contains($0.namespace) }
        case .repetition:
            // Not shown: it stands for the stored text.
            message.body = "…"
            message.extensions.removeAll { Self.stated.contains($0.namespace) }
        case .keys:
            message.body = nil
            message.extensions.removeAll { Self.stated.contains($0.namespace) }
        case .unreadable: message.body = nil
        }
        return message
    }
}

extension ReceivedMessage {
    /// Notes what was in the encrypted part.
    mutating func take(_ opened: OpenedMessage) {
        switch opened.content {
        case .text:
            content = content.withEncryptedFile
            (content.protection, content.device) = (.encrypted(opened.trust), opened.sender?.device)
        case .repetition: isRepetition = true
        case .unreadable(let reason): content.protection = .unreadable(reason)
        case .keys: break
        }
    }
}

extension MessageContent {
    /// The content as a file, if the text is only the address of an encrypted one.
    fileprivate var withEncryptedFile: MessageContent {
        guard files.isEmpty, let file = SharedFile(encrypted: text) else { return self }
        return MessageContent(file: file)
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

// The protection of messages, which is decided in the transaction that stores them: the choice of the user is there, too.
extension MessageMerger {
    /// Marks a message of the user’s as one that this device must encrypt, if its conversation is encrypted.
    func protect(_ content: inout MessageContent, in buddy: ChatAddress) throws(StoreError) {
        if !content.protection.isEncrypted {
            guard case .on = try table.encryptionChoice(of: buddy) else { return }
        }
        content.protect(true)
    }

    mutating func protect(_ buddy: ChatAddress, _ name: String) throws(StoreError) {
        guard var message = try table.message(of: buddy, from: .me, name: name),
            message.state == .waiting, !message.content.protection.isEncrypted
        else { return }
        message.content.protect(true)
        message.content.forgetUpload()
        try update(message)
    }

    mutating func protectWaiting(_ isOn: Bool, _ buddy: ChatAddress) throws(StoreError) {
        for var message in try table.waiting(of: buddy) where message.content.protection.isEncrypted != isOn {
            message.content.protect(isOn)
            message.content.forgetUpload()
            try update(message)
        }
    }

    /// Returns the content of a new message, marked if it came in the clear although its conversation is encrypted.
    func marked(_ received: ReceivedMessage) throws(StoreError) -> MessageContent {
        var content = received.content
        guard received.isRecent, content.protection == .none,
            case .on = try table.encryptionChoice(of: received.buddy)
        else { return content }
        content.protection = .exposed
        return content
    }
}

extension MessageContent {
    /// Marks a message of the user’s as one that this device must encrypt, or need not.
    mutating func protect(_ isOn: Bool) {
        if protection.isEncrypted != isOn { protection = isOn ? .encrypted(.blind) : .none }
        device = isOn ? Self.thisDevice : nil
    }

    /// Forgets where the file of a waiting message lies, which is uploaded again: it was encrypted, or not, as the message no
    /// longer is.
    mutating func forgetUpload() {
        guard let file, file.path != nil, file.url != nil, !file.isOffer else { return }
        files[0].url = nil
        files[0].hash = nil
        files[0].thumbnail = nil
    }
}

extension ChatMessage {
    /// The message as one that must be encrypted.
    var protected: ChatMessage {
        var copy = self
        copy.content.protect(true)
        return copy
    }
}

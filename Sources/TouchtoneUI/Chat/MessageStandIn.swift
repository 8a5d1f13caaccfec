// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension ChatMessage {
    /// Whether there is a line in place of the message's own words.
    var hasNoWords: Bool { retraction != nil || content.encryption != nil || content.isUnreadable }

    /// Returns the line in place of a message that has no words to show, because it was retracted or is encrypted; nil
    /// for any other.
    ///
    /// - Parameter name: The sender’s display name.
    func standIn(by name: String) -> String? {
        if let retraction { return retraction.text(sender: sender, name: name) }
        if content.isUnreadable { return visibleText }
        guard let encryption = content.encryption else { return nil }
        guard !encryption.isEmpty else { return visibleText }
        return sender == .me
            ? localized(
                "You sent an encrypted message that this phone can’t read ({encryption}).",
                ["encryption": encryption])
            : localized(
                "{name} sent an encrypted message that this phone can’t read ({encryption}).",
                ["name": name, "encryption": encryption])
    }
}

extension MessageContent {
    /// Whether this device could not undo the encryption of the message.
    fileprivate var isUnreadable: Bool { if case .unreadable = protection { true } else { false } }
}

extension MessageSender {
    func name(buddyName: String) -> String {
        switch self {
        case .me: localizedIn("sender of a message", "you")
        case .buddy: buddyName
        case .occupant(let occupant): PlainText.line(occupant.nickname, maximum: 60)
        }
    }
}

extension MessageRetraction {
    /// Returns the text in place of the message.
    ///
    /// - Parameters:
    ///   - sender: The sender of the message.
    ///   - name: The sender’s display name.
    func text(sender: MessageSender, name: String) -> String {
        guard let reason = moderation else {
            return sender == .me
                ? localized("You deleted this message.")
                : localized("{name} deleted this message.", ["name": name])
        }
        let why = PlainText.line(reason, maximum: 300)
        let moderator = PlainText.line(moderator ?? "", maximum: 60)
        guard !moderator.isEmpty else {
            return why.isEmpty
                ? localized("A moderator deleted this message.")
                : localized("A moderator deleted this message: {reason}", ["reason": why])
        }
        return why.isEmpty
            ? localized("{moderator}, a moderator, deleted this message.", ["moderator": moderator])
            : localized(
                "{moderator}, a moderator, deleted this message: {reason}",
                ["moderator": moderator, "reason": why])
    }
}

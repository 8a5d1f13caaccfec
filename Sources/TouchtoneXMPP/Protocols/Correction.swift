// SPDX-License-Identifier: GPL-3.0-or-later

/// A correction of the last message (XEP-0308).
public enum Correction {
    static let namespace = "urn:xmpp:message-correct:0"

    /// Creates the element that makes a message the correction of the one with that id.
    public static func element(of id: String) -> XMLElement { XMLElement("replace", namespace, ["id": id]) }

    /// Returns the id of the message that this one corrects; nil if it is not a correction.
    public static func corrected(by message: Message) -> String? {
        message.extension(namespace, "replace")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns whether a message may replace the original: only the original's sender may correct it (XEP-0308 section
    /// 5).
    ///
    /// In a one-to-one conversation, the sender is the account, on any device; in a room it is the occupant. A nil
    /// sender is the user's account.
    public static func isEntitled(_ correction: Message, toReplace original: Message, own: JID) -> Bool {
        guard corrected(by: correction) != nil, corrected(by: correction) == original.id,
            (correction.kind == .groupchat) == (original.kind == .groupchat),
            correction.kind != .error, original.kind != .error
        else { return false }
        if correction.kind == .groupchat { return correction.from != nil && correction.from == original.from }
        return (correction.from?.bare ?? own.bare) == (original.from?.bare ?? own.bare)
    }
}

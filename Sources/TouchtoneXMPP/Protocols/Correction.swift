// SPDX-License-Identifier: GPL-3.0-or-later

/// A message in place of the last one (XEP-0308).
public enum Correction {
    static let namespace = "urn:xmpp:message-correct:0"

    /// What makes a message a correction of the one with that name.
    public static func element(of id: String) -> XMLElement { XMLElement("replace", namespace, ["id": id]) }

    /// The name of the message that this one is in place of; nil for what is no correction.
    public static func corrected(by message: Message) -> String? {
        message.extension(namespace, "replace")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a message may stand in place of another: only its sender's may (section 5).
    ///
    /// Between two the sender is the account, whichever device; in a room it is the occupant. A nil sender is the own
    /// account.
    public static func isEntitled(_ correction: Message, toReplace original: Message, own: JID) -> Bool {
        guard corrected(by: correction) != nil, corrected(by: correction) == original.id,
            (correction.kind == .groupchat) == (original.kind == .groupchat),
            correction.kind != .error, original.kind != .error
        else { return false }
        if correction.kind == .groupchat { return correction.from != nil && correction.from == original.from }
        return (correction.from?.bare ?? own.bare) == (original.from?.bare ?? own.bare)
    }
}

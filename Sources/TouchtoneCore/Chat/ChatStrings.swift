// SPDX-License-Identifier: GPL-3.0-or-later

/// What is kept, to people.
public enum StoredDataKind: Hashable, Sendable, CaseIterable {
    /// What was said.
    case messages
    /// The history.
    case calls
    /// Who is known, and the memory keys.
    case contacts
}

extension StoreError {
    /// What is the matter with messages and what to do, in a sentence or two.
    public var text: String { text(of: .messages) }

    /// What is the matter and what to do, in a sentence or two.
    public func text(of things: StoredDataKind) -> String {
        switch self {
        case .full: Self.full(things)
        case .damaged(let name): Self.damaged(things, name: Self.shown(name))
        case .newer: Self.newer(things)
        case .failed(let reason):
            Self.shown(reason).isEmpty ? Self.failed(things) : Self.failed(things, reason: Self.shown(reason))
        }
    }

    private static func full(_ things: StoredDataKind) -> String {
        switch things {
        case .messages:
            localized("The disk is full. Messages can be kept again once there is room.")
        case .calls:
            localized("The disk is full. Calls can be kept again once there is room.")
        case .contacts:
            localized("The disk is full. Contacts can be kept again once there is room.")
        }
    }

    private static func damaged(_ things: StoredDataKind, name: String) -> String {
        switch things {
        case .messages:
            localized(
                "The messages on the disk were damaged. They were set aside as “{name}”, and what the server has comes back.",
                ["name": name])
        case .calls:
            localized(
                "The calls on the disk were damaged. They were set aside as “{name}”, and new ones are kept.",
                ["name": name])
        case .contacts:
            localized(
                "The contacts on the disk were damaged. They were set aside as “{name}”, and new ones are kept.",
                ["name": name])
        }
    }

    private static func newer(_ things: StoredDataKind) -> String {
        switch things {
        case .messages:
            localized(
                "The messages on the disk are of a newer Touchtone. They are left as they are, and nothing is kept."
            )
        case .calls:
            localized(
                "The calls on the disk are of a newer Touchtone. They are left as they are, and nothing is kept."
            )
        case .contacts:
            localized(
                "The contacts on the disk are of a newer Touchtone. They are left as they are, and nothing is kept."
            )
        }
    }

    private static func failed(_ things: StoredDataKind) -> String {
        switch things {
        case .messages:
            localized("Messages can’t be kept.")
        case .calls:
            localized("Calls can’t be kept.")
        case .contacts:
            localized("Contacts can’t be kept.")
        }
    }

    private static func failed(_ things: StoredDataKind, reason: String) -> String {
        switch things {
        case .messages:
            localized("Messages can’t be kept: {reason}", ["reason": reason])
        case .calls:
            localized("Calls can’t be kept: {reason}", ["reason": reason])
        case .contacts:
            localized("Contacts can’t be kept: {reason}", ["reason": reason])
        }
    }

    /// It is shown as it is: a system may say anything, at any length.
    private static func shown(_ reason: String) -> String {
        String(reason.prefix(120).filter { !$0.isNewline })
    }
}

extension Conversation {
    /// The reason why a text is too long, and the remedy.
    public static var tooLong: String {
        localized("This text is too long to be sent. Shorten it, or send it in parts.")
    }
}

extension ChatServiceError {
    /// What is the matter, in a sentence.
    public var text: String {
        switch self {
        case .offline: localized("You are not online.")
        case .refused(let reason): String(reason.prefix(300))
        case .unsupported: localized("That can’t be done with this buddy.")
        }
    }
}

extension Availability {
    /// How somebody is here, in a word, as it is read out.
    public var text: String {
        switch self {
        case .chat, .online: localizedIn("presence", "online")
        case .away, .extendedAway: localizedIn("presence", "away")
        case .busy: localizedIn("presence", "busy")
        case .offline: localizedIn("presence", "offline")
        }
    }
}

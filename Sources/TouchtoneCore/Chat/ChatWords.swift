// SPDX-License-Identifier: GPL-3.0-or-later

/// What is kept, to people.
public enum KeptThings: String, Hashable, Sendable, CaseIterable {
    /// What was said.
    case messages
    /// The history.
    case calls
    /// Who is known, and the memory keys.
    case contacts

    fileprivate var capitalized: String {
        switch self {
        case .messages: "Messages"
        case .calls: "Calls"
        case .contacts: "Contacts"
        }
    }
}

extension StoreError {
    /// What is the matter with messages and what to do, in a sentence or two.
    public var text: String { text(of: .messages) }

    /// What is the matter and what to do, in a sentence or two.
    public func text(of things: KeptThings) -> String {
        switch self {
        case .full: "The disk is full. \(things.capitalized) can be kept again once there is room."
        case .damaged(let name):
            "The \(things.rawValue) on the disk were damaged. They were set aside as “\(Self.shown(name))”\(Self.rest(of: things))."
        case .newer:
            "The \(things.rawValue) on the disk are of a newer Touchtone. They are left as they are, and nothing is kept."
        case .failed(let reason):
            Self.shown(reason).isEmpty
                ? "\(things.capitalized) can’t be kept."
                : "\(things.capitalized) can’t be kept: \(Self.shown(reason))"
        }
    }

    private static func rest(of things: KeptThings) -> String {
        switch things {
        case .messages: ", and what the server has comes back"
        case .calls, .contacts: ", and new ones are kept"
        }
    }

    /// It is shown as it is: a system may say anything, at any length.
    private static func shown(_ reason: String) -> String {
        String(reason.prefix(120).filter { !$0.isNewline })
    }
}

extension Conversation {
    /// The reason why a text is too long, and the remedy.
    public static let tooLong = "This text is too long to be sent. Shorten it, or send it in parts."
}

extension ChatServiceError {
    /// What is the matter, in a sentence.
    public var text: String {
        switch self {
        case .offline: "You are not online."
        case .refused(let reason): String(reason.prefix(300))
        case .unsupported: "That can’t be done with this buddy."
        }
    }
}

extension Availability {
    /// How somebody is here, in a word, as it is read out.
    public var text: String {
        switch self {
        case .chat, .online: "online"
        case .away, .extendedAway: "away"
        case .busy: "busy"
        case .offline: "offline"
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

extension Conversation {
    /// The error text for a message that is too long, with what to do.
    public static var tooLong: String {
        localized("This text is too long to be sent. Shorten it, or send it in parts.")
    }
}

extension ChatServiceError {
    /// The error text, one sentence.
    public var text: String {
        switch self {
        case .offline: localized("You are not online.")
        case .refused(let reason): String(reason.prefix(300))
        case .unsupported: localized("That isn’t supported for this buddy.")
        }
    }
}

extension Availability {
    /// The availability as one word, for display and screen readers.
    public var text: String {
        switch self {
        case .chat, .online: localizedIn("presence", "online")
        case .away, .extendedAway: localizedIn("presence", "away")
        case .busy: localizedIn("presence", "busy")
        case .offline: localizedIn("presence", "offline")
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

extension StoreError {
    /// The error text for messages: what happened and what to do, in one or two sentences.
    public var text: String { text(of: .messages) }

    /// Returns the error text for a kind of data: what happened and what to do, in one or two sentences.
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
            localized("The disk is full. New messages can’t be saved until you free some space.")
        case .calls:
            localized("The disk is full. New calls can’t be saved until you free some space.")
        case .contacts:
            localized("The disk is full. New contacts can’t be saved until you free some space.")
        }
    }

    private static func damaged(_ things: StoredDataKind, name: String) -> String {
        switch things {
        case .messages:
            localized(
                "The saved messages were damaged and have been moved to “{name}”. Messages that are still on the server will be restored.",
                ["name": name])
        case .calls:
            localized(
                "The saved calls were damaged and have been moved to “{name}”. New ones will be saved as usual.",
                ["name": name])
        case .contacts:
            localized(
                "The saved contacts were damaged and have been moved to “{name}”. New ones will be saved as usual.",
                ["name": name])
        }
    }

    private static func newer(_ things: StoredDataKind) -> String {
        switch things {
        case .messages:
            localized(
                "The saved messages are from a newer version of Touchtone. They are left unchanged, and nothing new is saved."
            )
        case .calls:
            localized(
                "The saved calls are from a newer version of Touchtone. They are left unchanged, and nothing new is saved."
            )
        case .contacts:
            localized(
                "The saved contacts are from a newer version of Touchtone. They are left unchanged, and nothing new is saved."
            )
        }
    }

    private static func failed(_ things: StoredDataKind) -> String {
        switch things {
        case .messages:
            localized("Messages can’t be saved.")
        case .calls:
            localized("Calls can’t be saved.")
        case .contacts:
            localized("Contacts can’t be saved.")
        }
    }

    private static func failed(_ things: StoredDataKind, reason: String) -> String {
        switch things {
        case .messages:
            localized("Messages can’t be saved: {reason}", ["reason": reason])
        case .calls:
            localized("Calls can’t be saved: {reason}", ["reason": reason])
        case .contacts:
            localized("Contacts can’t be saved: {reason}", ["reason": reason])
        }
    }

    /// Bounds a text from the system, which can have any length and line breaks.
    private static func shown(_ reason: String) -> String {
        String(reason.prefix(120).filter { !$0.isNewline })
    }
}

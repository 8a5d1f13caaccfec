// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The second line of a conversation’s row: what happens there, the draft, the last message, or the person’s status.
struct PreviewLine: Hashable {
    let text: String
    /// The name of the icon before the text; nil for none.
    let icon: String?
    let isTyping: Bool

    private init(_ text: String, icon: String? = nil, isTyping: Bool = false) {
        (self.text, self.icon, self.isTyping) = (text, icon, isTyping)
    }

    init(of buddy: BuddyList.Row) {
        if let state = Self.state(of: buddy) {
            self.init(state, isTyping: buddy.isTyping)
        } else if !buddy.draft.isEmpty {
            self.init(localized("Draft: {text}", ["text": buddy.draft]))
        } else if let last = buddy.last {
            self.init(of: last)
        } else {
            self.init(Self.status(of: buddy))
        }
    }

    private init(of message: MessagePreview) {
        let action = MessageBody.action
        let isAction = message.kind == .text && message.text.hasPrefix(action)
        // The row has the buddy's name.
        let sender = message.sender == .buddy ? nil : message.sender.name(buddyName: "")
        let text = Self.text(of: message)
        guard !isAction else {
            let words = text.dropFirst(action.count)
            self.init(sender.map { "\($0) \(words)" } ?? String(words))
            return
        }
        let whole =
            switch (message.sender, sender) {
            case (.me, _): localized("You: {text}", ["text": text])
            case (_, let sender?): localized("{sender}: {text}", ["sender": sender, "text": text])
            case (_, nil): text
            }
        self.init(whole, icon: message.kind.icon)
    }

    private static func text(of message: MessagePreview) -> String {
        switch message.kind {
        case .text, .picture, .file: message.text
        case .sound: localized("Voice message")
        case .deleted: localized("Deleted message")
        }
    }

    /// Returns the text of what is more important than the last message; nil if nothing is.
    private static func state(of buddy: BuddyList.Row) -> String? {
        switch buddy.room?.standing {
        case .joining?: return localized("joining…")
        case .outside?: return localized("not in the room")
        case .joined?, nil: break
        }
        if buddy.isTyping { return localized("typing…") }
        if buddy.isBlocked { return localizedIn("buddy", "blocked") }
        return buddy.isAsked ? localized("request sent") : nil
    }

    /// Returns the status of somebody without a conversation, or else the number or the presence.
    private static func status(of buddy: BuddyList.Row) -> String {
        let own = PlainText.line(buddy.status)
        guard own.isEmpty, buddy.room == nil else { return own }
        // A conversation with a number is not at the name of its contact alone.
        let number = buddy.person.numberText == buddy.name ? "" : buddy.person.numberText
        return number.isEmpty ? buddy.availability.text : isolatedText(number)
    }
}

extension MessagePreview.Kind {
    fileprivate var icon: String? {
        switch self {
        case .text: nil
        case .picture: "image-x-generic-symbolic"
        case .sound: "audio-input-microphone-symbolic"
        case .file: "text-x-generic-symbolic"
        case .deleted: "user-trash-symbolic"
        }
    }
}

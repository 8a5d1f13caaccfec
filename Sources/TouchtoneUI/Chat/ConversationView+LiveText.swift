// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Real-time text: what the buddy is typing, and whether the buddy sees what the user types.
extension ConversationView {
    func showLiveText() {
        guard let conversation else { return }
        messages.updateLive()
        let name = name(of: conversation)
        showTyping(name: name)
        showQuestion(of: name)
        let (text, standing) = (conversation.liveText.text, conversation.liveText.standing)
        let words = spoken.complete(in: text)
        if text.isEmpty { spoken = SpokenWords() }
        defer { shownStanding = standing }
        if !words.isEmpty, messenger.isInView { widget.announce(String(words.suffix(Self.mostSpoken))) }
        // This matters also in a moment in which a menu has the focus, such as the one that turns it on.
        switch (shownStanding, standing) {
        case (.off, .active), (.waiting, .active): widget.announce(Self.isSeen(by: name))
        case (.active, .waiting):
            widget.announce(localized("{name} can no longer see what you type.", ["name": name]))
        default: break
        }
    }

    /// Shows what the buddy sees and does, in the line above the field.
    func showTyping(name: String) {
        guard let conversation else { return typing.text = "" }
        typing.text =
            switch conversation.liveText.standing {
            case .active: Self.isSeen(by: name)
            case _ where conversation.buddyTyping == .composing:
                localized("{name} is typing…", ["name": name])
            // If the user wants it everywhere, most buddies have none.
            case .waiting where conversation.chat.realTimeText == .ask && isOnline(conversation):
                localized("Real-time text begins when {name} turns it on, too.", ["name": name])
            case .off, .waiting: ""
            }
    }

    /// Shows that the buddy asks for real-time text, with the keys to allow it or not now; it is spoken once.
    func showQuestion(of name: String) {
        guard let conversation, conversation.liveText.isAsked, !isCovered else { return question.show(nil) }
        let (chat, buddy) = (conversation.chat, conversation.buddy)
        let text = localized(
            "{name} asks for real-time text: each of you sees what the other types.",
            ["name": PlainText.line(name, maximum: 60)])
        let content = PanelBanner.Content(
            text: text, verb: localized("Not Now"), otherVerb: localized("Allow"), isFailure: false)
        question.show(content) {
            chat.putOffRealTimeText(buddy)
        } otherAction: {
            chat.setRealTimeText(true, buddy)
        }
        guard !hasSpokenQuestion, messenger.isInView else { return }
        hasSpokenQuestion = true
        widget.announce(text)
    }

    private static func isSeen(by name: String) -> String {
        localized("{name} can see what you type.", ["name": name])
    }

    private func isOnline(_ conversation: Conversation) -> Bool {
        conversation.chat.buddies.row(of: conversation.buddy).map { $0.availability != .offline } ?? false
    }

    /// The greatest number of characters that are spoken at once.
    private static let mostSpoken = 200
}

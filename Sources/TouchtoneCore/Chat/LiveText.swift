// SPDX-License-Identifier: GPL-3.0-or-later

/// Real-time text in the open conversation, with which it ends: what the buddy has typed and not sent.
@MainActor
public final class LiveText {
    public enum Standing: Hashable, Sendable {
        /// The user does not want it here, or the buddy must not know what the user types.
        case off
        /// The buddy has not asked for it.
        case waiting
        /// Each side sees what the other one types.
        case active
    }

    public private(set) var standing = Standing.off
    /// The text that the buddy has typed and not sent; empty for none.
    public private(set) var text = ""
    private weak var conversation: Conversation?
    /// The number of changes of the text.
    private var count = 0

    init(in conversation: Conversation) { self.conversation = conversation }

    private var service: (any RealTimeTextService)? {
        conversation.flatMap { $0.chat.service(of: $0.buddy)?.realTimeText }
    }

    /// Starts or stops, if what it depends on has changed.
    func check() {
        guard let conversation else { return }
        let isWanted = conversation.chat.wantsRealTimeText(with: conversation.buddy)
        if isWanted, standing == .off {
            standing = .waiting
            conversation.notify(.liveText)
            service?.startRealTimeText(with: conversation.buddy)
        } else if !isWanted {
            end()
        }
    }

    func end() {
        guard standing != .off else { return }
        service?.stopRealTimeText()
        set(.off)
    }

    func typed() {
        guard standing == .active, let conversation else { return }
        service?.showTyped(conversation.draft.carried)
    }

    /// Notes that the typed text was sent as a message.
    func sent() {
        if standing == .active { service?.endTyped() }
    }

    func take(_ change: RealTimeTextChange) {
        guard standing != .off, let conversation else { return }
        switch change {
        case .began:
            set(.active)
            typed()
        case .ended: set(.waiting)
        case .text(let text):
            guard standing == .active, text != self.text else { return }
            (self.text, count) = (text, count + 1)
            conversation.notify(.liveText)
        case .sent:
            let count = count
            // The message takes the place of the text at once, unless the next text has begun.
            conversation.chat.whenTried { [weak self] in
                if let self, self.count == count { take(.text("")) }
            }
        }
    }

    private func set(_ standing: Standing) {
        guard standing != self.standing || !text.isEmpty else { return }
        (self.standing, text, count) = (standing, "", count + 1)
        conversation?.notify(.liveText)
    }
}

extension Chat {
    /// Lets a buddy see what the user types as it is typed, if it wants that too, or ends that.
    public func setRealTimeText(_ isOn: Bool, _ buddy: ChatAddress) {
        set(.realTimeText, isOn, buddy)
        selected?.liveText.check()
    }

    /// Returns whether the user has chosen real-time text for a conversation.
    public func hasRealTimeText(with buddy: ChatAddress) -> Bool {
        buddies.buddy(at: buddy)?.settings.contains(.realTimeText) == true
    }

    /// Returns whether real-time text can be chosen for a conversation: with buddies who see the user's presence.
    public func mayUseRealTimeText(with buddy: ChatAddress) -> Bool {
        guard let row = buddies.row(of: buddy), row.isListed, row.room == nil, !buddy.isOccupant,
            !isEncrypted(buddy)
        else { return false }
        return buddies.isTold(buddy) && service(of: buddy)?.realTimeText != nil
    }

    /// Returns whether the user wants real-time text now: it ends when the user is away.
    func wantsRealTimeText(with buddy: ChatAddress) -> Bool {
        let isHere =
            switch shownPresence.availability {
            case .chat, .online, .busy: true
            case .away, .extendedAway, .offline: false
            }
        return isHere && hasRealTimeText(with: buddy) && mayUseRealTimeText(with: buddy)
    }
}

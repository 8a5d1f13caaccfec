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
    /// Whether the buddy asks for it, and the user has chosen nothing here; the buddy learns nothing before the user has.
    public private(set) var isAsked = false
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
        let isAsked =
            conversation.chat.takesQuestion(of: conversation.buddy)
            && service?.isAsked(by: conversation.buddy) == true
        guard isAsked != self.isAsked else { return }
        self.isAsked = isAsked
        conversation.notify(.liveText)
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
        // The chat checks it after each event.
        case .asked: break
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
        setAll(
            { settings in
                settings.subtract([.realTimeText, .noRealTimeText])
                settings.insert(isOn ? .realTimeText : .noRealTimeText)
            }, of: buddy)
        selected?.liveText.check()
    }

    /// Ignores that a buddy asks for real-time text until the next connection; the buddy does not learn of it.
    public func putOffRealTimeText(_ buddy: ChatAddress) {
        service(of: buddy)?.realTimeText?.putOff(buddy)
        selected?.liveText.check()
    }

    func followRealTimeText() {
        for service in services { service.realTimeText?.isAllowed = realTimeText != .never }
        selected?.liveText.check()
    }

    /// Returns whether the user has chosen real-time text, for a conversation or for all of them.
    public func hasRealTimeText(with buddy: ChatAddress) -> Bool {
        let settings = buddies.buddy(at: buddy)?.settings ?? []
        return switch realTimeText {
        case .never: false
        case .ask: settings.contains(.realTimeText)
        case .always:
            settings.contains(.realTimeText)
                || !settings.contains(.noRealTimeText) && !mayBeginEncryption(of: buddy)
        }
    }

    /// Returns whether the user is told that a buddy asks for real-time text.
    func takesQuestion(of buddy: ChatAddress) -> Bool {
        realTimeText == .ask && mayUseRealTimeText(with: buddy) && !mayBeginEncryption(of: buddy)
            && buddies.buddy(at: buddy)?.settings.isDisjoint(with: [.realTimeText, .noRealTimeText]) == true
    }

    /// Returns whether the next message may be encrypted by itself, so that what is typed before it is not to be seen either.
    private func mayBeginEncryption(of buddy: ChatAddress) -> Bool {
        guard encryptionChoice(of: buddy) == .automatic,
            service(of: buddy)?.encryption?.isAutomatic == true
        else { return false }
        if case .impossible = encryption(of: buddy).support { return false }
        return true
    }

    /// Returns whether real-time text can be chosen for a conversation: with buddies who see the user's presence.
    public func mayUseRealTimeText(with buddy: ChatAddress) -> Bool {
        guard realTimeText != .never, let row = buddies.row(of: buddy), row.isListed, row.room == nil,
            !buddy.isOccupant, !isEncrypted(buddy)
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

// SPDX-License-Identifier: GPL-3.0-or-later

/// The choices of the user for a conversation in the list.
public struct ConversationSettings: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The conversation stands above those that are not pinned.
    public static let pinned = ConversationSettings(rawValue: 1)
    /// Messages of the conversation cause no notification, and do not count as unread for the phone as a whole.
    public static let muted = ConversationSettings(rawValue: 2)
    /// The conversation is not in the list until its next message.
    public static let hidden = ConversationSettings(rawValue: 4)
    /// The buddy may see what the user types as it is typed, if the buddy wants that too (XEP-0301).
    public static let realTimeText = ConversationSettings(rawValue: 8)
    /// Whether a person is muted is a choice of which the server has not been told yet.
    public static let muteToShare = ConversationSettings(rawValue: 16)
    /// The conversation is encrypted; nothing but the user ends that.
    public static let encrypted = ConversationSettings(rawValue: 32)
    /// The user has switched the encryption off.
    public static let unencrypted = ConversationSettings(rawValue: 64)
    /// Messages of the encrypted conversation leave out devices that cannot be used.
    public static let leavesOutDevices = ConversationSettings(rawValue: 128)
    /// Whether a room is pinned is a choice of which the server has not been told yet.
    public static let pinToShare = ConversationSettings(rawValue: 256)
    /// The user has switched real-time text off.
    public static let noRealTimeText = ConversationSettings(rawValue: 512)

    /// The user’s choice of encryption.
    public var encryptionChoice: EncryptionChoice {
        if contains(.encrypted) { return .on(leavesOut: contains(.leavesOutDevices)) }
        return contains(.unencrypted) ? .off : .automatic
    }
}

/// The parts of a conversation that the list needs.
public struct ConversationSummary: Hashable, Sendable {
    /// The last message; nil if there is none.
    public var last: MessagePreview?
    public var settings: ConversationSettings

    public init(last: MessagePreview? = nil, settings: ConversationSettings = []) {
        (self.last, self.settings) = (last, settings)
    }
}

extension Chat {
    /// Removes a conversation from the list until its next message, and closes it.
    public func hide(_ buddy: ChatAddress) {
        if selected?.buddy == buddy { select(nil) }
        set(.hidden, true, buddy)
    }

    /// Shows a conversation that is in use in the list.
    func show(_ buddy: ChatAddress) {
        buddies.hear(buddy)
        set(.hidden, false, buddy)
    }

    func set(_ setting: ConversationSettings, _ isOn: Bool, _ buddy: ChatAddress) {
        setAll(
            { settings in
                if isOn { settings.formUnion(setting) } else { settings.subtract(setting) }
            }, of: buddy)
    }

    func setAll(_ change: (inout ConversationSettings) -> Void, of buddy: ChatAddress) {
        let before = buddies.buddy(at: buddy)?.settings ?? []
        var settings = before
        change(&settings)
        guard settings != before else { return }
        buddies.set(settings, of: buddy)
        // The stored ones may not have been read yet: that a conversation is encrypted is not forgotten.
        store.changeSettings(
            adding: settings.subtracting(before), removing: before.subtracting(settings), of: buddy)
    }

    /// Stores all choices and drafts again, because the file with them is lost.
    func keepAgain() {
        drafts.keepAgain()
        for buddy in buddies.addresses {
            guard let settings = buddies.buddy(at: buddy)?.settings, !settings.isEmpty else { continue }
            store.changeSettings(adding: settings, removing: [], of: buddy)
        }
    }

    /// Notes the last messages of conversations that have changed.
    func noteLast(_ changes: MessageChanges) {
        var last: [ChatAddress: ChatMessage] = [:]
        for message in changes.inserted + changes.changed {
            last[message.buddy] =
                last[message.buddy].map { $0.place > message.place ? $0 : message } ?? message
        }
        // A row is shown once, however many messages have come.
        for message in last.values { buddies.noteLast(message) }
        for message in changes.removed where buddies.buddy(at: message.buddy)?.last?.id == message.id {
            readLast(of: message.buddy)
        }
    }

    private func readLast(of buddy: ChatAddress) {
        let account = account
        Task {
            do throws(StoreError) {
                let last = try await store.messages(of: buddy, before: nil, count: 1).last
                if account == self.account { buddies.setLast(last.map(MessagePreview.init), of: buddy) }
            } catch {
                record(error)
            }
        }
    }
}

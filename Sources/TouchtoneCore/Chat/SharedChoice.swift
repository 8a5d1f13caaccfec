// SPDX-License-Identifier: GPL-3.0-or-later

/// News of what the user has chosen for a conversation, which the account's devices share.
public enum SharedChoice: Hashable, Sendable {
    /// The user has chosen on another device which messages cause notifications.
    case notifications(NotificationLevel)
    /// The other devices can learn this device's last choice of notifications.
    case notificationsShared
    /// The user has pinned the conversation on another device, or no longer.
    case pinned(Bool)
    /// The other devices can learn whether it was pinned on this device.
    case pinShared
}

extension Chat {
    /// Pins a conversation to the top of the list, or no longer; the bookmark of a room tells the other devices.
    public func setPinned(_ isPinned: Bool, _ buddy: ChatAddress) {
        set(.pinned, isPinned, buddy)
        guard buddies.row(of: buddy)?.room != nil, let roomService else { return }
        // It is kept first, in case the program ends before the server has it.
        set(.pinToShare, true, buddy)
        roomService.setPinned(isPinned, buddy)
    }

    func take(_ choice: SharedChoice, of buddy: ChatAddress) {
        switch choice {
        case .notifications(let level): takeNotifications(level, of: buddy)
        case .notificationsShared: noteShared(buddy)
        case .pinned(let isPinned):
            set(.pinned, isPinned, buddy)
            set(.pinToShare, false, buddy)
        case .pinShared: set(.pinToShare, false, buddy)
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The messages of a conversation that cause a notification, as the user’s devices share it (XEP-0492).
public enum NotificationLevel: Hashable, Sendable, CaseIterable {
    case always
    case onMention
    case never
}

extension Chat {
    /// Sets whether all messages of a room cause a notification, and not only those that mention the user; a muted one is
    /// no longer muted.
    public func setNotifiesAll(_ notifiesAll: Bool, in room: ChatAddress) {
        set(.muted, false, room)
        set(.muteToShare, roomService != nil, room)
        roomService?.setNotifications(notifiesAll ? .always : .onMention, in: room)
    }

    public func setMuted(_ isMuted: Bool, _ buddy: ChatAddress) {
        set(.muted, isMuted, buddy)
        // It is kept first, in case the program ends before the server has it.
        if let record = buddies.row(of: buddy)?.room?.record {
            guard let roomService else { return }
            set(.muteToShare, true, buddy)
            roomService.setNotifications(record.notificationLevel(isMuted: isMuted), in: buddy)
        } else if let roster = service(of: buddy)?.roster {
            set(.muteToShare, true, buddy)
            roster.setMuted(isMuted, buddy)
        }
    }

    /// Takes the choice for a conversation that the user has made on another device.
    func takeNotifications(_ level: NotificationLevel, of buddy: ChatAddress) {
        set(.muted, level == .never, buddy)
        noteShared(buddy)
    }

    /// Notes that nothing is left to be told of a conversation's notifications.
    func noteShared(_ buddy: ChatAddress) { set(.muteToShare, false, buddy) }
}

extension RoomRecord {
    public func notificationLevel(isMuted: Bool) -> NotificationLevel {
        isMuted ? .never : notifiesAll ? .always : .onMention
    }
}

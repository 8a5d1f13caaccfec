// SPDX-License-Identifier: GPL-3.0-or-later

public struct HistoryEntry: Hashable, Sendable, Identifiable {
    /// The identifier of the entry; a later entry has a greater one.
    public let id: Int64
    public let call: PastCall
    /// Whether the call was missed, and the user has not seen it since.
    public let isNew: Bool
    /// Whether the store has text of the call (`KeptCallText`).
    public let hasText: Bool

    public init(id: Int64, call: PastCall, isNew: Bool, hasText: Bool = false) {
        (self.id, self.call, self.isNew, self.hasText) = (id, call, isNew, hasText)
    }

    /// The entry, after the user has seen it.
    var seen: HistoryEntry { HistoryEntry(id: id, call: call, isNew: false, hasText: hasText) }
}

/// A call that has ended, as it is saved.
public struct PastCall: Hashable, Sendable {
    /// The end that started the call.
    public let direction: Call.Direction
    /// The far end, with its name at the time of the call; the contact may have another name now.
    public let remote: RemoteParty
    public let line: String
    public let began: ChatTime
    public let endReason: CallEndReason
    /// The time for which both ends were connected, in whole seconds; nil if the call was not answered.
    public let seconds: Int?

    public init(
        direction: Call.Direction, remote: RemoteParty, line: String, began: ChatTime,
        endReason: CallEndReason,
        seconds: Int?
    ) {
        (self.direction, self.remote) = (direction, remote)
        (self.line, self.began, self.endReason, self.seconds) = (line, began, endReason, seconds)
    }

    /// Whether the far end has called, here or at an extension where the call was picked up.
    public var isFromFarEnd: Bool { direction == .incoming || direction == .pickedUp && seconds != nil }

    /// Whether the call was incoming, and neither answered, here or on another phone, nor declined.
    public var isMissed: Bool { direction == .incoming && seconds == nil && endReason.isMissing }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A call that is over, as the history keeps it.
public struct HistoryEntry: Hashable, Sendable, Identifiable {
    /// What tells entries apart; a later one has the greater.
    public let id: Int64
    /// The call.
    public let call: PastCall
    /// Whether it was missed, and nobody has looked at the missed calls since.
    public let isNew: Bool

    /// Creates an entry.
    public init(id: Int64, call: PastCall, isNew: Bool) {
        (self.id, self.call, self.isNew) = (id, call, isNew)
    }
}

/// What is kept of a call.
public struct PastCall: Hashable, Sendable {
    /// Who began it.
    public let direction: Call.Direction
    /// The far end, with the name that was known when the call happened; the contacts may have another by now.
    public let remote: RemoteParty
    /// The id of the line.
    public let line: String
    /// When it began.
    public let began: ChatTime
    /// Why it ended.
    public let endReason: CallEndReason
    /// How long both ends heard one another, in whole seconds; nil if they never did.
    public let seconds: Int?

    /// Creates what is kept of a call.
    public init(
        direction: Call.Direction, remote: RemoteParty, line: String, began: ChatTime,
        endReason: CallEndReason,
        seconds: Int?
    ) {
        (self.direction, self.remote) = (direction, remote)
        (self.line, self.began, self.endReason, self.seconds) = (line, began, endReason, seconds)
    }

    /// Whether somebody called and was neither answered nor declined.
    public var isMissed: Bool { direction == .incoming && seconds == nil && endReason != .declined }
}

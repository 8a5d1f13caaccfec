// SPDX-License-Identifier: GPL-3.0-or-later

/// Where a call is between its beginning and its end.
public enum CallState: Hashable, Sendable, CaseIterable {
    /// There is no call yet.
    case idle
    /// The line has the number, and has not said what became of it.
    case dialling
    /// The far end rings.
    case ringing
    /// The far end rings, and the line lets hear how: its sounds win over ours.
    case earlyMedia
    /// Somebody calls.
    case incoming
    /// Both ends hear one another.
    case connected
    /// Both ends hear one another and those of a second call, which is in this phase too.
    case joined
    /// The call waits.
    case held
    /// The number was not reached: the network's tone says why, until somebody hangs up or it has sounded long enough.
    case refused
    /// There is no call any more.
    case ended
}

extension CallState {
    /// How long the phase lasts at most; nil is without end.
    ///
    /// A line that never says anything would hold the phone for ever: only people end a conversation.
    public var limit: Duration? {
        switch self {
        case .dialling: .seconds(60)
        case .ringing, .earlyMedia, .incoming: .seconds(180)
        case .refused: .seconds(10)
        case .idle, .connected, .joined, .held, .ended: nil
        }
    }

    /// Whether the line is in use by it.
    public var isLive: Bool {
        switch self {
        case .dialling, .ringing, .earlyMedia, .connected, .joined, .held: true
        case .idle, .incoming, .refused, .ended: false
        }
    }

    /// Whether it was answered, and is not over.
    public var isConversation: Bool { self == .connected || self == .joined || self == .held }

    /// Whether keys reach the far end.
    public var takesKeys: Bool { self == .connected || self == .joined || self == .earlyMedia }
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of a call between its beginning and its end.
public enum CallState: Hashable, Sendable, CaseIterable {
    case idle
    /// The line has the number, and has not reported progress.
    case dialling
    case ringing
    /// The far end rings, and the line plays its ringing: its sounds replace those of this phone.
    case earlyMedia
    case incoming
    /// The answering machine has answered: the caller hears its greeting, or leaves a message.
    case machine
    case connected
    /// Both ends are connected with those of a second call, which is in this state too.
    case joined
    case held
    /// The number was not reached: the network's tone gives the reason, until the user hangs up or the limit expires.
    case refused
    case ended
}

extension CallState {
    /// The longest duration, because a line that reports nothing would occupy the phone for ever; nil for a
    /// conversation, which only people end.
    public var limit: Duration? {
        switch self {
        case .dialling: .seconds(60)
        case .ringing, .earlyMedia, .incoming: .seconds(180)
        case .refused: .seconds(8)
        // Longer than a greeting and a message, for a line that does not report the end.
        case .machine: .seconds(12 * 60)
        case .idle, .connected, .joined, .held, .ended: nil
        }
    }

    public var isLive: Bool {
        switch self {
        case .dialling, .ringing, .earlyMedia, .connected, .joined, .held: true
        case .idle, .incoming, .machine, .refused, .ended: false
        }
    }

    /// Whether the call was answered and has not ended.
    public var isConversation: Bool { self == .connected || self == .joined || self == .held }

    /// Whether keys are sent to the far end.
    public var takesKeys: Bool { self == .connected || self == .joined || self == .earlyMedia }
}

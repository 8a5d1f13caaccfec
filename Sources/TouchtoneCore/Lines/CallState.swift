// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of a call between its beginning and its end.
public enum CallState: Hashable, Sendable, CaseIterable {
    /// The call has not begun.
    case idle
    /// The line has the number, and has not reported progress.
    case dialling
    /// The far end rings.
    case ringing
    /// The far end rings, and the line plays its ringing: its sounds replace those of this phone.
    case earlyMedia
    /// A caller waits for the answer.
    case incoming
    /// Both ends are connected.
    case connected
    /// Both ends are connected with those of a second call, which is in this state too.
    case joined
    /// The call is on hold.
    case held
    /// The number was not reached: the network's tone gives the reason, until the user hangs up or the limit expires.
    case refused
    /// The call has ended.
    case ended
}

extension CallState {
    /// The longest duration of the state; nil is unlimited.
    ///
    /// A line that reports nothing would occupy the phone for ever. Only people end a conversation.
    public var limit: Duration? {
        switch self {
        case .dialling: .seconds(60)
        case .ringing, .earlyMedia, .incoming: .seconds(180)
        case .refused: .seconds(10)
        case .idle, .connected, .joined, .held, .ended: nil
        }
    }

    /// Whether the call occupies its line.
    public var isLive: Bool {
        switch self {
        case .dialling, .ringing, .earlyMedia, .connected, .joined, .held: true
        case .idle, .incoming, .refused, .ended: false
        }
    }

    /// Whether the call was answered and has not ended.
    public var isConversation: Bool { self == .connected || self == .joined || self == .held }

    /// Whether keys are sent to the far end.
    public var takesKeys: Bool { self == .connected || self == .joined || self == .earlyMedia }
}

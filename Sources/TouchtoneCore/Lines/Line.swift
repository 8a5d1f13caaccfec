// SPDX-License-Identifier: GPL-3.0-or-later

/// Where Dial sends a number, and where calls come from: the practice exchange, the desktop's `tel:` handler, or a SIP
/// account.
@MainActor
public protocol Line: AnyObject {
    /// The id that the setting `dial-line` names it by.
    var id: String { get }

    /// The text that the display shows while Dial uses the line, such as `LINE 1`.
    var label: String { get }

    /// Whether calls can be made on the line now.
    var state: LineState { get }

    /// How numbers are written on this line.
    var rules: DialRules { get }

    /// Receives what happens on the line, on the main actor; the `LineRegistry` that it is in sets it.
    var onEvent: ((LineEvent) -> Void)? { get set }

    /// Begins a call and returns at once, also where the line refuses the number: it is the call that tells.
    ///
    /// No event of the call comes before this has returned. What stands behind a pause or a wait is not the line's: it is
    /// sent as keys once somebody has answered, by who keeps the call.
    ///
    /// - Parameter remote: the number as this line's rules write it; the address is for lines that have such.
    func dial(_ remote: RemoteParty) -> any LineCall
}

extension Line {
    /// Numbers as they were dialled.
    public var rules: DialRules { DialRules() }
}

/// Whether calls can be made on a line.
public enum LineState: Hashable, Sendable {
    /// Calls can be made.
    case available
    /// The line is being set up, such as a SIP account that registers.
    case connecting
    /// No calls can be made: the reason, as a sentence for the user.
    case unavailable(reason: String)
}

/// What happens on a line.
public enum LineEvent {
    /// A call comes in; it rings from then on.
    case incoming(any LineCall)
    /// `state` is another.
    case stateChanged
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A source and destination of calls: the practice exchange, the desktop's `tel:` handler, or a SIP account.
@MainActor
public protocol Line: AnyObject {
    /// The id of the line in the setting `dial-line`.
    var id: String { get }

    /// The text on the display while Dial uses the line, such as `PRACTICE`.
    var label: String { get }

    /// The user's word for the line, such as the name of the app that it passes numbers to.
    var name: String { get }

    /// The user's address on the line, a SIP address; empty if the line has numbers only.
    ///
    /// A line with an address can call addresses.
    var address: String { get }

    /// Whether calls can be made on the line now.
    var state: LineState { get }

    /// The way in which numbers are written on the line.
    var rules: DialRules { get }

    /// Whether the line passes calls to emergency services on; one that cannot never gets their numbers.
    var reachesHelp: Bool { get }

    /// The receiver of the line's events, on the main actor; set by the `LineRegistry` that owns the line.
    var onEvent: ((LineEvent) -> Void)? { get set }

    /// Begins a call and returns immediately, even if the line refuses the number; the call reports the refusal.
    ///
    /// No event of the call arrives before the method returns. The line does not dial what follows a pause or a wait:
    /// the call manager sends it as keys after the answer.
    ///
    /// - Parameter remote: The far end, with the number in the form of this line's rules; the address is for lines that
    ///   have addresses.
    func dial(_ remote: RemoteParty) -> any LineCall
}

extension Line {
    /// The text on the display.
    public var name: String { label }

    /// No address.
    public var address: String { "" }

    /// Rules that leave numbers as they were dialled.
    public var rules: DialRules { DialRules() }

    /// True: the line leads to a telephone network.
    public var reachesHelp: Bool { true }
}

/// The availability of a line for calls.
public enum LineState: Hashable, Sendable {
    /// Calls can be made.
    case available
    /// The line is being set up, such as a SIP account that registers.
    case connecting
    /// No calls can be made; the reason is a sentence for the user.
    case unavailable(reason: String)
}

/// An event of a line.
public enum LineEvent {
    /// A call comes in, and rings from then on.
    case incoming(any LineCall)
    /// The line declined a call as busy, because the user does not know the caller.
    case declined(RemoteParty)
    /// `state` changed.
    case stateChanged
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A source and destination of calls: the practice exchange, the desktop's `tel:` handler, a SIP or a Jabber account, or
/// the user's mobile phone.
@MainActor
public protocol Line: AnyObject {
    /// The id of the line in the setting `dial-line`.
    var id: String { get }

    /// The text on the display while Dial uses the line, such as `PRACTICE`.
    var label: String { get }

    /// The user's word for the line, such as the name of the app that it passes numbers to.
    var name: String { get }

    /// The user’s address on the line, `sip:…` or `xmpp:…`, which can then call addresses of that kind; empty if it
    /// has numbers only.
    var address: String { get }

    /// Whether calls can be made on the line now.
    var state: LineState { get }

    var rules: DialRules { get }

    /// Whether the line can call numbers now; one that cannot calls addresses only.
    ///
    /// A change is reported as `.stateChanged`.
    var callsNumbers: Bool { get }

    /// Whether the line passes calls to emergency services on; one that cannot never gets their numbers.
    var reachesHelp: Bool { get }

    /// Whether the line is the user's mobile phone: Dial uses it only if the user has chosen it, because its calls may
    /// cost money, and emergency calls take it first.
    var isMobile: Bool { get }

    /// The provider's voicemail; a change is reported as `.stateChanged`.
    var voicemail: Voicemail { get }

    /// The place to which calls are diverted; nil if they are not. A change is reported as `.stateChanged`.
    var diversion: Diversion? { get }

    /// The extensions that the line can watch; nil if it can watch none.
    var extensions: (any LineExtensions)? { get }

    /// Returns whether a number or address is that of the line itself, which cannot call itself.
    func isOwn(_ remote: RemoteParty) -> Bool

    /// The receiver of the line's events, on the main actor; set by the `LineRegistry` that owns the line.
    var onEvent: ((LineEvent) -> Void)? { get set }

    /// Begins a call and returns immediately, before any event; the call reports a refusal.
    ///
    /// The number has the form of the line’s rules. What follows a pause or a wait is not dialled: the call
    /// manager sends it as keys after the answer.
    func dial(_ remote: RemoteParty) -> any LineCall
}

extension Line {
    public var name: String { label }

    public var address: String { "" }

    public var rules: DialRules { DialRules() }

    public var callsNumbers: Bool { true }

    public var isMobile: Bool { false }

    public var voicemail: Voicemail { .none }

    public var diversion: Diversion? { nil }

    public var extensions: (any LineExtensions)? { nil }

    public func isOwn(_ remote: RemoteParty) -> Bool { false }

    /// The addresses that the line calls.
    public var calls: LineAddresses {
        if SIPURI.hasScheme(address) { return .sip }
        return XMPPURI.hasScheme(address) ? .people : .none
    }

    /// Whether the line can call a far end now: by its number if it has one, or else by its address.
    public func canCall(_ remote: RemoteParty) -> Bool {
        guard remote.number.isEmpty else { return callsNumbers }
        switch CallAddress(remote.address) {
        case .sip: return calls == .sip
        case .jabber: return calls == .people
        case nil: return false
        }
    }

    /// True: the line leads to a telephone network.
    public var reachesHelp: Bool { true }
}

/// The addresses that a line calls beside numbers.
public enum LineAddresses: Hashable, Sendable {
    case none
    case sip
    /// Jabber addresses.
    case people
}

public enum LineState: Hashable, Sendable {
    case available
    /// The line is being set up, such as a SIP account that registers.
    case connecting
    /// No calls can be made; the reason is a sentence for the user.
    case unavailable(reason: String)

    /// The reason why a call fails in this state; nil if it can be made, or waits until it can.
    public var refusal: CallEndReason? {
        guard case .unavailable(let reason) = self else { return nil }
        // It becomes a part of another sentence.
        return .failed(reason.last == "." ? String(reason.dropLast()) : reason)
    }
}

public enum LineEvent {
    /// A call comes in, and rings from then on.
    case incoming(any LineCall)
    /// The user has begun a call on the phone that the line is; `.ringing`, `.answered` and `.onPhone` say how it goes.
    case appeared(any LineCall)
    /// The line declined a call as busy, because the user does not know the caller.
    case declined(RemoteParty)
    /// A call was missed without having rung on this phone, so long ago.
    case missed(RemoteParty, age: Duration, CallEndReason)
    case stateChanged
}

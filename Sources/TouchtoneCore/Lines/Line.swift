// SPDX-License-Identifier: GPL-3.0-or-later

/// Where Dial sends a number, and where calls come from: the practice exchange, the desktop's `tel:` handler, or a SIP
/// account.
@MainActor
public protocol Line: AnyObject {
    /// The id that the setting `dial-line` names it by.
    var id: String { get }

    /// What the display shows while the line is the one that Dial uses, such as `LINE 1`.
    var label: String { get }

    /// Whether the line can be chosen without being named: whether what it needs is there.
    var isAvailable: Bool { get }

    /// How numbers are written on this line.
    var rules: DialRules { get }

    /// Told of a call that comes in; it rings from then on.
    var onIncoming: ((any Call) -> Void)? { get set }

    /// The line that a call begins on now: itself, unless it stands for several.
    func resolved() -> any Line

    /// Begins a call and returns at once, also where the line refuses the number: it is the call that tells.
    ///
    /// No event of the call comes before this has returned. What stands behind a pause or a wait is not the line's: it is
    /// sent as keys once somebody has answered, by who keeps the call.
    ///
    /// - Parameter remote: the number as this line's rules write it; the address is for lines that have such.
    func dial(_ remote: RemoteParty) -> any Call
}

extension Line {
    /// Numbers as they were dialled.
    public var rules: DialRules { DialRules() }

    /// Itself.
    public func resolved() -> any Line { self }
}

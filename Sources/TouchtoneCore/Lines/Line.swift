// SPDX-License-Identifier: GPL-3.0-or-later

/// Where Dial sends a number: the practice exchange, the desktop's `tel:` handler, or a SIP account.
@MainActor
public protocol Line: AnyObject {
    /// The id that the setting `dial-line` names it by.
    var id: String { get }

    /// What the display shows while the line is the one that Dial uses, such as `LINE 1`.
    var label: String { get }

    /// Takes the number, and answers when the line has it or has refused it.
    func dial(_ number: DialledNumber) async throws(LineError) -> DialOutcome
}

/// What became of a number that a line took.
public enum DialOutcome: Hashable, Sendable {
    /// Another program has it, named as the desktop names it.
    case handedOver(to: String)
}

/// Why a line did not take a number.
public enum LineError: Error, Hashable, Sendable {
    /// No program but this one handles `tel:` links.
    case noTelHandler
    /// The program was found but did not start: its name, and the reason in the system's words.
    case handlerFailed(name: String, reason: String)
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of a service for real-time text (XEP-0301): each side sees what the other one types, as it is typed.
///
/// Nothing is sent to a buddy that has not asked for it, too. It is never stored.
@MainActor
public protocol RealTimeTextService: AnyObject {
    /// Whether the user wants it anywhere: if not, others are not told that there is any.
    var isAllowed: Bool { get set }
    /// Returns whether a buddy waits for the user to ask, too; `RealTimeTextChange.asked` follows a change.
    func isAsked(by buddy: ChatAddress) -> Bool
    /// Ignores that a buddy asks until the next connection; the buddy does not learn of it.
    func putOff(_ buddy: ChatAddress)
    /// Asks the buddy for real-time text, in place of another buddy; `RealTimeTextChange.began` follows when it has asked, too.
    func startRealTimeText(with buddy: ChatAddress)
    /// Shows the buddy what the user has typed so far.
    func showTyped(_ text: String)
    /// Begins a new text, because the last one was sent as a message.
    func endTyped()
    /// Tells the buddy that it sees no more.
    func stopRealTimeText()
}

public enum RealTimeTextChange: Hashable, Sendable {
    /// The buddy asks for it, or does so no more.
    case asked
    /// It has begun, because both sides have asked for it.
    case began
    /// The other side, or the connection, has ended it; it begins again when the other side asks again.
    case ended
    /// The text that the buddy has typed and not sent; empty for none.
    case text(String)
    /// A message of the buddy's has come, which the text has become.
    case sent
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// An operation that a phone can be asked for.
enum PhoneOperation: Hashable, Sendable {
    case dial(String)
    /// Answers the call with that path.
    case answer(String)
    case hangUp(String)
    /// Holds the calls that are heard, and resumes those on hold.
    case swapCalls
    /// Holds the calls that are heard, and answers the one that waits.
    case holdAndAnswer
    /// Ends the calls that are heard, and answers the one that waits.
    case releaseAndAnswer
    case hangUpAll
    /// Joins the calls that are heard with those on hold.
    case createMultiparty
    case sendTone(Character)
}

/// The reason why a phone did not do something.
enum PhoneRefusal: Error, Hashable, Sendable {
    case invalidNumber
    case noNetwork
    case other
}

/// A connected phone, which is asked to do one thing after the other.
@MainActor
protocol PhoneControl: AnyObject {
    /// Asks the phone, and calls `answered` once, later; the text is the path of a dialled call, if the answer names it.
    func perform(
        _ operation: PhoneOperation,
        answered: @escaping @MainActor (Result<String?, PhoneRefusal>) -> Void)
}

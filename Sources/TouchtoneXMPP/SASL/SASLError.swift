// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why authentication failed, on either side.
enum SASLError: Error, Hashable, Sendable {
    /// The server refused: a condition of RFC 6120 section 6.5, and the server's text if it sent one.
    case refused(condition: String, text: String)
    /// The server offers no supported mechanism; the names of those that it offers.
    case noMechanism(offered: [String])
    /// The server now offers only mechanisms weaker than the last one that worked, at best this one: someone may be
    /// intercepting the connection.
    case downgraded(from: SASLMechanism, to: SASLMechanism)
    /// The list of mechanisms or channel bindings that arrived is not the one that the server sent (XEP-0474), or the
    /// server's end has another version of TLS (XEP-0515).
    case alteredOffer
    /// The server refused the binding to the TLS channel, for which someone who intercepts the connection may be
    /// the cause; with the strongest mechanism that it offers without one, and its reason.
    case bindingRefused(unbound: SASLMechanism?, text: String)
    /// The password or the name contains characters that SASLprep forbids.
    case unusablePassword
    /// The server's data is invalid, or demands too little or too much work; the part that is at fault.
    case implausible(String)
    /// The server did not prove that it knows the password.
    case notProven
    /// The system's cryptographic library reported an error; its message.
    case unavailable(String)
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// Why proving the password to the server, or the server to us, came to nothing.
public enum SASLError: Error, Hashable, Sendable {
    /// The server refused: a condition of RFC 6120 section 6.5, and its own words if it gave any.
    case refused(condition: String, text: String)
    /// The server offers no mechanism that is used here: those that it offers.
    case noMechanism(offered: [String])
    /// The server now offers only mechanisms weaker than the one that worked before, this one at best: someone may be in
    /// between.
    case downgraded(from: SASLMechanism, to: SASLMechanism)
    /// The password or the name holds what SASLprep forbids.
    case unusablePassword
    /// What the server says makes no sense, or asks for too much or too little work: which of it.
    case implausible(String)
    /// The server did not prove that it knows the password.
    case notProven
    /// This machine's cryptography refuses: its words.
    case unavailable(String)
}

// SPDX-License-Identifier: GPL-3.0-or-later

/// A stream that is signed in, and has an address or is resumed.
struct SignInResult {
    let stream: XMLStream
    /// The full address of this device.
    let jid: JID
    /// The new stanza counts; nil if the server has no stream management, or if the stream was resumed.
    var management: StreamManagement?
    var isResumed = false
    /// The features that the server offers after authentication.
    let features: StreamFeatures
    /// The mechanism for the password; nil after a sign-in with a token.
    let mechanism: SASLMechanism?
    /// The stanzas that arrived before the counts began.
    var early: [XMLElement] = []
    /// The elements that arrived since then.
    var later: [XMLStream.Item] = []
    /// Whether copies of other devices' messages are enabled (XEP-0280).
    var hasCarbons = false
    /// Whether the server takes the user for active (XEP-0352).
    var isActive = true
}

/// A stream to resume; stanzas sent in the meantime are added to the unacknowledged ones.
@MainActor
final class Resumption {
    var management: StreamManagement
    let jid: JID
    /// The features that the server offered with the stream, which not every server repeats.
    let features: StreamFeatures
    /// Whether the server violated the protocol or ended the stream over the request: it is not repeated.
    var isRefuted = false

    init(management: StreamManagement, jid: JID, features: StreamFeatures) {
        (self.management, self.jid, self.features) = (management, jid, features)
    }
}

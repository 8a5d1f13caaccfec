// SPDX-License-Identifier: GPL-3.0-or-later

/// A capability of an account, whose state is its own: its messages, its rooms, its pictures.
///
/// The session offers each received stanza to its modules. A module that handles several kinds of stanzas names the others,
/// too, so that a new kind cannot be forgotten.
@MainActor
protocol StreamModule: AnyObject {
    /// The features that the account advertises for the capability (XEP-0030).
    nonisolated static var features: [String] { get }
    /// Those of the features that this device has at present.
    var present: [String] { get }
    /// Begins with a new stream: nothing that belonged to an earlier one holds any more.
    func begin()
    /// Goes on with a stream that was resumed after its set-up.
    func resume()
    /// Handles a stanza; returns whether it concerns this module alone.
    func handle(_ stanza: InboundStanza) -> Bool
    /// Ends with the last stream, because the user has signed out.
    func end()
    /// Forgets the account, because a different one follows.
    func forget()
}

extension StreamModule {
    nonisolated static var features: [String] { [] }
    var present: [String] { Self.features }
    func begin() {}
    func resume() {}
    func handle(_ stanza: InboundStanza) -> Bool { false }
    func end() { begin() }
    func forget() {}
}

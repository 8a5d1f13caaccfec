// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

/// The tests of `touchtone-sip`, one after another: they share a registrar, and processes that compete for the
/// processor would miss their deadlines.
@Suite(.serialized) struct SIPEngineTests {}

/// The peers that all tests share.
enum Peers {
    /// Returns the registrar, and starts it on first use.
    static func kamailio() throws -> Kamailio { try startedKamailio.get() }

    /// Returns a phone that answers all calls as `bob`, and starts it on first use.
    ///
    /// A test waits until its calls have ended there, because the next test's commands are for the phone's only call.
    static func bob() throws -> Baresip {
        let bob = try startedBob.get()
        bob.forgetEvents()
        return bob
    }

    // A static's initializer runs once, and the tests run one after another.
    private nonisolated(unsafe) static let startedKamailio = Result { try Kamailio() }
    // As above.
    private nonisolated(unsafe) static let startedBob = Result {
        try Baresip(user: "bob", server: kamailio().port)
    }
}

extension SIPAccount {
    /// Returns an account at a registrar.
    static func at(
        _ server: Kamailio, user: String = "alice", transport: Transport = .udp, encryption: Encryption = .off
    ) -> SIPAccount {
        SIPAccount(
            id: user, address: "sip:\(user)@\(Kamailio.domain)",
            registrar: "sip:127.0.0.1:\(server.port)",
            transport: transport, encryption: encryption)
    }
}

extension Kamailio {
    /// Returns the address of a user.
    func address(of user: String) -> String { "sip:\(user)@\(Self.domain)" }
}

extension SIPCallID {
    /// A call that the phone dials.
    static let dialled = SIPCallID(rawValue: 2)
    /// Another call that the phone dials.
    static let second = SIPCallID(rawValue: 4)
}

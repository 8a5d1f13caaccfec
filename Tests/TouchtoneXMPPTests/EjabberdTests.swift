// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
@testable import TouchtoneXMPP
import XCTest

/// Tests of signing in to ejabberd, whose defaults differ from Prosody's.
///
/// The other tests of an independent server run with it if `TOUCHTONE_XMPP_SERVER` is `ejabberd`.
final class EjabberdTests: XMPPTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        do {
            try Peer.require("ejabberdctl", package: "ejabberd")
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
    }

    func testEachHashAndVersionOfTLSSignsIn() throws {
        try onMainActor {
            for (name, hash) in [("sha", SCRAMHash.sha1), ("sha512", .sha512)] {
                let server = name == "sha" ? try Ejabberd.shared() : try Ejabberd(hash: name)
                var account = XMPPAccount(
                    jid: try XCTUnwrap(JID(local: try server.makeAccount("grace"), domain: "localhost")),
                    password: "secret")
                account.host = "127.0.0.1"
                account.trust = .file(try TestCertificates.authority())
                // With TLS 1.3, ejabberd 23.01 offers bound mechanisms, but cannot check their bindings.
                for (port, mode, isBound) in [
                    (server.port, TLSMode.startTLS, nil), (server.directPort, .direct, true),
                ] as [(UInt16, TLSMode, Bool?)] {
                    (account.port, account.tls, account.password) = (port, mode, "secret")
                    let session = Session(account)
                    session.client.signIn()
                    waitUntil("it is online") { session.isOnline || session.reason != nil }
                    XCTAssertNil(session.reason)
                    XCTAssertEqual(session.mechanisms.map(\.hash), [hash])
                    if let isBound { XCTAssertEqual(session.mechanisms.map(\.isBound), [isBound]) }
                    session.client.signOut()
                    account.password = "wrong"
                    let wrong = Session(account)
                    wrong.client.signIn()
                    waitUntil("it is refused") { wrong.reason != nil }
                    XCTAssertTrue(wrong.reason?.description.hasPrefix("Wrong password") == true)
                }
                if name != "sha" { server.end() }
            }
        }
    }
}

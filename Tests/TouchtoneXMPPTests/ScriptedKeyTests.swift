// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import TestSupport
import TouchtoneCore
import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the publication of keys on servers that keep none.
final class ScriptedKeyTests: XMPPTestCase {
    private static let (list, bundle) = (
        "[^>]*><items node='[^']*devicelist", "[^>]*><items node='[^']*bundles:"
    )

    private static func asked(_ what: String, _ answer: String, by kind: String = "get") -> String {
        "expect <iq type='\(kind)' id='([^']*)'><pubsub \(what)\nsend \(answer)\n"
    }

    private static func error(_ condition: String, _ kind: String = "cancel") -> String {
        "<iq type='error' id='{1}'><error type='\(kind)'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
    }

    private static let (done, missing) = ("<iq type='result' id='{1}'/>", error("item-not-found"))
    private static let nothing = asked(list, missing) + asked(bundle, missing)

    private static func published(_ what: String, _ answer: String) -> String {
        asked("[^>]*><publish node='[^']*\(what)", answer, by: "set")
    }

    /// The answers of servers without a place for keys.
    private static let servers = [
        // There is no PEP.
        asked(list, error("service-unavailable")), asked(list, error("feature-not-implemented")),
        nothing + published("bundles:", error("not-allowed")),
        // A node with another configuration cannot be configured again.
        nothing + published("bundles:", error("conflict"))
            + asked("[^>]*><configure", error("forbidden", "auth"), by: "set"),
        nothing + published("bundles:", error("conflict"))
            + asked("[^>]*><configure", done, by: "set") + published("bundles:", error("conflict")),
        // Everything is accepted, and nothing is kept.
        nothing + published("bundles:", done) + published("devicelist", done) + asked(list, missing),
    ]

    func testServerWithoutPlaceForKeysIsTold() throws {
        try onMainActor {
            for (number, script) in Self.servers.enumerated() {
                let (fixture, server) = try Self.fixture(script + "say over\nwait\n")
                let alan = ChatAddress("alan@localhost")
                fixture.chat.encryption?.learn(of: alan)
                waitUntil("server \(number) has answered") { server.output.contains("over") }
                waitUntil("it is told, of server \(number)") { fixture.supports == [.impossible(.server)] }
                fixture.chat.signOut()
            }
        }
    }

    func testBusyServerIsNotOneWithoutPlace() throws {
        try onMainActor {
            let (fixture, server) = try Self.fixture(
                Self.asked(Self.list, Self.error("resource-constraint", "wait")) + "say over\nwait\n")
            waitUntil("it has answered") {
                server.output.contains("over") && fixture.chat.encryptionModule.publisher.isAccepted == false
            }
            XCTAssertFalse(fixture.chat.encryptionModule.publisher.isRefused)
            fixture.chat.signOut()
        }
    }

    @MainActor
    private static func fixture(_ script: String) throws -> (XMPPAccountFixture, ScriptedServer) {
        let server = try ScriptedServer([Script.online + refusals + script]) { g_main_context_wakeup(nil) }
        var account = XMPPAccount(jid: try XCTUnwrap(JID("grace@localhost")), password: "secret")
        account.host = "127.0.0.1"
        account.port = server.port
        account.tls = .startTLS
        account.trust = .file(try TestCertificates.authority())
        let keys = SQLiteStore(home: try TemporaryFolders.make("touchtone-keys"))
        keys.account = ChatAddress(account.jid)
        return (XMPPAccountFixture(account, keys: keys), server)
    }
}

extension XMPPAccountFixture {
    /// The reports of the encryption of conversations.
    fileprivate var supports: [EncryptionSupport] {
        events.compactMap { if case .encryption(_, let support) = $0 { support } else { nil } }
    }
}

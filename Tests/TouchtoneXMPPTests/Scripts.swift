// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import TestSupport
@testable import TouchtoneXMPP
import XCTest

/// The steps of a server's script (Tests/Tools/scripted_server.py), up to a given point.
enum Script {
    static let opening = """
        expect <stream:stream[^>]*>
        send <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='x' version='1.0'>

        """

    /// TLS is offered and requested.
    static let offeringTLS = """
        send <stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>
        expect <starttls[^>]*>

        """

    /// Up to the request for TLS and its acceptance.
    static let proceeding =
        opening + offeringTLS + """
            send <proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>

            """

    /// Up to the end of the TLS handshake.
    static func secure(_ certificate: String = "good") -> String { proceeding + "tls \(certificate)\n" }

    /// Up to the offer of sign-in mechanisms.
    static func offering(_ mechanisms: [String]) -> String {
        let list = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        return secure() + opening
            + "send <stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(list)</mechanisms></stream:features>\n"
    }

    /// Up to the accepted password and the offer that follows.
    static let signedIn =
        offering(["PLAIN"]) + """
            expect </auth>
            send <success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>

            """ + opening + """
            send <stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><sm xmlns='urn:xmpp:sm:3'/><csi xmlns='urn:xmpp:csi:0'/></stream:features>

            """

    /// Up to the binding of the device's address.
    static func bound(as jid: String = "grace@localhost/phone") -> String {
        signedIn + """
            expect <iq type='set' id='([^']*)'.*?</iq>
            send <iq type='result' id='{1}'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>\(jid)</jid></bind></iq>

            """
    }

    /// Up to the online state.
    static let online =
        bound() + """
            expect <enable [^>]*>
            send <enabled xmlns='urn:xmpp:sm:3' id='previous' resume='true'/>

            """
}

extension Script {
    /// A query of the account's archive that contains a position.
    static func query(_ position: String) -> String {
        "expect <iq type='set' id='([^']*)'><query xmlns='urn:xmpp:mam:2' queryid='([^']*)'(?:(?!</iq>).)*\(position)(?:(?!</iq>).)*</iq>\n"
    }

    /// A query of the account's archive, and the answer.
    ///
    /// - Parameters:
    ///   - names: The ids of the messages in the archive, which are their texts, too.
    ///   - last: The id that the server says is the last one.
    static func archive(
        _ position: String, _ names: [String], isComplete: Bool? = nil, last: String? = nil,
        stamp: String = "2026-01-02T03:04:05Z"
    ) -> String {
        let results = names.map {
            "send <message from='grace@localhost'><result xmlns='urn:xmpp:mam:2' queryid='{2}' id='\($0)'><forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/><message xmlns='jabber:client' type='chat' from='alan@localhost/x' to='grace@localhost' id='a message \($0)'><body>\($0)</body></message></forwarded></result></message>\n"
        }
        let ends = names.first.map { "<first>\($0)</first><last>\(last ?? names.last ?? $0)</last>" } ?? ""
        let isComplete = isComplete ?? position.hasPrefix("<after>")
        return query(position) + results.joined()
            + "send <iq type='result' id='{1}'><fin xmlns='urn:xmpp:mam:2' complete='\(isComplete)'><set xmlns='http://jabber.org/protocol/rsm'>\(ends)</set></fin></iq>\n"
    }
}

/// Returns a client of a scripted server.
@MainActor
func session(
    _ scripts: String..., tokens: SignInTokens? = nil, storage: EntryStorage? = nil,
    account change: (inout XMPPAccount) -> Void = { _ in }
) throws -> (Session, ScriptedServer) {
    try session(scripts, tokens: tokens, storage: storage, account: change)
}

/// Returns a client of a scripted server.
@MainActor
func session(
    _ scripts: [String], tokens: SignInTokens? = nil, storage: EntryStorage? = nil,
    account change: (inout XMPPAccount) -> Void = { _ in }
) throws -> (Session, ScriptedServer) {
    let server = try ScriptedServer(scripts) { g_main_context_wakeup(nil) }
    var account = XMPPAccount(jid: try XCTUnwrap(JID("grace@localhost")), password: "secret")
    account.host = "127.0.0.1"
    account.port = server.port
    account.tls = .startTLS
    account.trust = .file(try TestCertificates.authority())
    change(&account)
    let session = Session(account, tokens: tokens, storage: storage)
    session.client.signIn()
    return (session, server)
}

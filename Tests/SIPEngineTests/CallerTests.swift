// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the forms in which servers name callers (RFC 3325, RFC 3261 section 19.1.6).
    @Suite struct Callers {
        private let fixture: CallFixture

        init() throws { fixture = try CallFixture() }

        /// Sends an INVITE of a caller.
        private func caller(_ fields: String, from: String = from) -> SIPParty? {
            let text = fixture.far.request(
                "INVITE", callID: fixture.callID, fields: fields, body: ScriptedRegistrar.session,
                from: from)
            // Each character is a byte, so that a case can have any.
            fixture.far.send(text.unicodeScalars.map { UInt8($0.value) })
            return fixture.engine.waitForCall()?.caller
        }

        private static let from = "\"Caller\" <sip:caller@127.0.0.1>"
        private static let asserted = "P-Asserted-Identity: "

        @Test(arguments: [
            (
                "\"Doe, Jane\" <sip:jane@example.org>",
                SIPParty(address: "sip:jane@example.org", displayName: "Doe, Jane")
            ),
            (
                "\"A \\\"B\\\", C\" <sip:+4930123@example.org;user=phone>",
                SIPParty(address: "sip:+4930123@example.org", displayName: "A \"B\", C")
            ),
            ("<tel:+49-30-123>", SIPParty(address: "tel:+49-30-123")),
            ("tel:+4930123", SIPParty(address: "tel:+4930123")),
            ("\"Jane\" <tel:+4930123>", SIPParty(address: "tel:+4930123", displayName: "Jane")),
            (
                "<tel:+4930123>, \"Jane\" <sip:+4930123@example.org>",
                SIPParty(address: "sip:+4930123@example.org", displayName: "Jane")
            ),
            (
                "\"Jane\" <sip:jane@example.org>, <tel:+4930123>",
                SIPParty(address: "tel:+4930123", displayName: "Jane")
            ),
            (
                "<tel:123;phone-context=+4930>",
                SIPParty(address: "tel:123;phone-context=+4930")
            ),
            (
                "Jane <sip:123;phone-context=+4930@example.org;user=phone>",
                SIPParty(address: "sip:123;phone-context=+4930@example.org", displayName: "Jane")
            ),
            (
                "M\u{FC}ller <sip:1@example.org>",
                SIPParty(address: "sip:1@example.org", displayName: "Müller")
            ),
            (
                "\"M\u{C3}\u{BC}ller\" <sip:1@example.org>",
                SIPParty(address: "sip:1@example.org", displayName: "Müller")
            ),
            ("nonsense", SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller")),
            ("\"open", SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller")),
            ("<tel:>", SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller")),
            ("<tel:;ext=1>", SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller")),
            ("<tel:+49{30}>", SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller")),
            ("<>, ,,,", SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller")),
        ])
        func assertedIdentityIsRead(value: String, party: SIPParty) {
            #expect(caller("\(Self.asserted)\(value)\r\n") == party)
        }

        @Test func identitiesMayBeFieldsOfTheirOwn() {
            let party = caller(
                "\(Self.asserted)<tel:+4930123>\r\n\(Self.asserted)\"Doe, Jane\" <sip:+4930123@example.org>\r\n"
                    + "\(Self.asserted)<sip:third@example.org>\r\n")
            #expect(party == SIPParty(address: "sip:+4930123@example.org", displayName: "Doe, Jane"))
        }

        @Test(arguments: ["id", "header;id", "user", "id;critical"])
        func hiddenIdentityIsNotTold(privacy: String) {
            let party = caller(
                "Privacy: \(privacy)\r\n\(Self.asserted)\"Jane\" <sip:jane@example.org>\r\n",
                from: "\"Anonymous\" <sip:anonymous@anonymous.invalid>")
            #expect(party == SIPParty(address: "sip:anonymous@anonymous.invalid", displayName: "Anonymous"))
        }

        @Test func privacyNoneHidesNothing() {
            let party = caller("Privacy: none\r\n\(Self.asserted)<sip:jane@example.org>\r\n")
            #expect(party == SIPParty(address: "sip:jane@example.org"))
        }

        @Test(arguments: [
            ("<tel:+4930123>", SIPParty(address: "tel:+4930123")),
            (
                "\"Jane\" <tel:123;phone-context=example.org>",
                SIPParty(address: "tel:123;phone-context=example.org", displayName: "Jane")
            ),
            (
                "\"M\u{FC}ller\" <sip:1@example.org>",
                SIPParty(address: "sip:1@example.org", displayName: "Müller")
            ),
            (
                "M\u{FC}ller <sip:1@example.org>",
                SIPParty(address: "sip:1@example.org", displayName: "Müller")
            ),
            ("\"\u{80} 5\" <sip:1@example.org>", SIPParty(address: "sip:1@example.org", displayName: "€ 5")),
            (
                "<sip:+4930123;isub=1@example.org;user=phone>",
                SIPParty(address: "sip:+4930123;isub=1@example.org")
            ),
        ])
        func callerIsRead(from: String, party: SIPParty) throws {
            #expect(caller("", from: from) == party)
            // The far end gets responses to its request.
            fixture.engine.send(.call(SIPCallID(rawValue: 1), .ring))
            let ringing = try fixture.response()
            #expect(ringing.hasPrefix("SIP/2.0 180 "))
            #expect(ScriptedRegistrar.tag(of: "From", in: ringing) == "caller")
        }
    }
}

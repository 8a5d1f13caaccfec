// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import Testing

extension SIPEngineTests {
    /// Tests of requests in a call that name another far end: UPDATE (RFC 3311) with an identity that the server asserts
    /// (RFC 3325) or its older form, and a changed From (RFC 4916).
    @Suite struct ConnectedParties {
        private let fixture: CallFixture
        private var far: ScriptedRegistrar { fixture.far }
        private var engine: EngineProcess { fixture.engine }

        init() throws { fixture = try CallFixture() }

        private static let jane = SIPParty(address: "sip:jane@example.org", displayName: "Jane")
        private static let named = "\"Jane\" <sip:jane@example.org>"

        /// Sends a request in the call.
        ///
        /// Returns the response.
        private func send(
            _ sequence: Int, _ fields: String = "", method: String = "UPDATE",
            from: String = ScriptedRegistrar.caller,
            body: String = "", tag: String
        ) throws -> String {
            try fixture.exchange(
                method, sequence: sequence, fields: fields, body: body, from: from, tag: tag)
        }

        /// Returns the next event.
        private func next() -> SIPEvent? { engine.wait { event -> SIPEvent? in event } }

        /// Ends the call, and checks that nothing was reported since the last event.
        private func expectNothing(_ id: SIPCallID) {
            engine.send(.call(id, .hangUp))
            #expect(next() == .call(id, .ended(SIPEnd(.phone))))
        }

        @Test(arguments: ["INVITE", "UPDATE"], ["", ScriptedRegistrar.session])
        func requestNamesTheFarEnd(method: String, body: String) throws {
            guard method == "UPDATE" || !body.isEmpty else { return }
            for (fields, from) in [
                ("P-Asserted-Identity: \(Self.named)\r\n", ScriptedRegistrar.caller),
                (
                    "Remote-Party-ID: \(Self.named);party=calling;privacy=off;screen=yes\r\n",
                    ScriptedRegistrar.caller
                ),
                ("Remote-Party-ID: Jane <sip:jane@example.org>\r\n", ScriptedRegistrar.caller),
                ("", Self.named),
            ] {
                let fixture = try ConnectedParties()
                let (id, _, tag) = try fixture.fixture.call()
                for sequence in 2...3 {
                    let answer = try fixture.send(
                        sequence, fields, method: method, from: from, body: body, tag: tag)
                    #expect(answer.hasPrefix("SIP/2.0 200 "))
                    if sequence == 2 {
                        #expect(
                            fixture.next() == .call(id, .farEndChanged(Self.jane)), "\(fields)\(from)")
                    }
                }
                // A refresh that names nobody says nothing.
                if from == ScriptedRegistrar.caller { _ = try fixture.send(4, tag: tag) }
                fixture.expectNothing(id)
            }
        }

        @Test func nameStaysWhenThePhoneHoldsTheCall() throws {
            let (id, _, tag) = try fixture.call(fields: "P-Asserted-Identity: <sip:john@example.org>\r\n")
            _ = try send(2, "P-Asserted-Identity: \(Self.named)\r\n", tag: tag)
            #expect(next() == .call(id, .farEndChanged(Self.jane)))
            engine.send(.call(id, .hold))
            let hold = try #require(fixture.request("INVITE"))
            far.answer(hold, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"))
            #expect(fixture.request("ACK") != nil)
            expectNothing(id)
        }

        @Test func callerMayChangeWhileThePhoneRings() throws {
            far.send(far.request("INVITE", callID: fixture.callID, body: ScriptedRegistrar.session))
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .ring))
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: try fixture.response())
            let answer = try send(2, "P-Asserted-Identity: \(Self.named)\r\n", tag: tag)
            #expect(answer.hasPrefix("SIP/2.0 200 "))
            #expect(next() == .call(id, .farEndChanged(Self.jane)))
            engine.send(.call(id, .hangUp))
            #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
        }

        @Test func identityIsTakenBeforeItsOlderFormAndFrom() throws {
            let (id, _, tag) = try fixture.call()
            _ = try send(
                2,
                "P-Asserted-Identity: \(Self.named)\r\nRemote-Party-ID: <sip:john@example.org>\r\n",
                from: "<sip:james@example.org>", tag: tag)
            #expect(next() == .call(id, .farEndChanged(Self.jane)))
            expectNothing(id)
        }

        /// The user's own identity, one that is to be hidden, and nonsense.
        @Test(arguments: [
            "Remote-Party-ID: \(named);party=called\r\n", "Remote-Party-ID: \(named);privacy=full\r\n",
            "Remote-Party-ID: \(named);PRIVACY=\"uri,name\"\r\n", "Remote-Party-ID: nonsense\r\n",
            "Remote-Party-ID: \"open <sip:jane@example.org\r\n", "Remote-Party-ID: <>;;;,,\r\n",
            "Privacy: id\r\nP-Asserted-Identity: \(named)\r\n",
            "Remote-Party-ID: <sip:\(String(repeating: "j", count: 1_100))@example.org>\r\n",
        ])
        func otherIdentitiesAreIgnored(fields: String) throws {
            let (id, _, tag) = try fixture.call()
            #expect(try send(2, fields, tag: tag).hasPrefix("SIP/2.0 200 "))
            expectNothing(id)
        }

        @Test(arguments: [
            ("P-Asserted-Identity", String(repeating: "\u{202E}J", count: 150), 150),
            ("Remote-Party-ID", String(repeating: "J", count: 5_000), 1_000),
        ])
        func longNamesArePlainAndBounded(field: String, name: String, length: Int) throws {
            let (id, _, tag) = try fixture.call()
            _ = try send(2, "\(field): \"\(name)\" <sip:jane@example.org>\r\n", tag: tag)
            let party = SIPParty(
                address: "sip:jane@example.org", displayName: String(repeating: "J", count: length))
            #expect(next() == .call(id, .farEndChanged(party)))
            expectNothing(id)
        }

        @Test func requestsFromOtherDialogsAndOldOnesAreNotRead() throws {
            let (id, _, tag) = try fixture.call()
            let fields = "P-Asserted-Identity: \(Self.named)\r\n"
            #expect(try send(2, fields, tag: ";tag=other").hasPrefix("SIP/2.0 481 "))
            far.send(
                far.request("UPDATE", callID: fixture.callID, sequence: 3, fields: fields, toTag: tag)
                    .replacing(";tag=caller", with: ";tag=mallory"))
            #expect(try fixture.response(sequence: 3, "UPDATE").hasPrefix("SIP/2.0 481 "))
            _ = try send(7, tag: tag)
            #expect(try !send(6, fields, tag: tag).hasPrefix("SIP/2.0 200 "))
            expectNothing(id)
        }

        @Test func phoneThatCallsDirectlyNamesNobodyElse() throws {
            let registrar = try ScriptedRegistrar()
            let phone = try ScriptedRegistrar(host: "127.0.0.2")
            let engine = try EngineProcess(acceptsDirectCalls: true)
            #expect(engine.register(at: registrar, encryption: .off))
            phone.meet(registrar)
            let invite = phone.request("INVITE", callID: fixture.callID, body: ScriptedRegistrar.session)
            phone.send(invite.replacing("<sip:caller@127.0.0.1:", with: "<sip:caller@127.0.0.2:"))
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .answer))
            let answer = try #require(phone.receive { $0.hasPrefix("SIP/2.0 200 ") })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            phone.send(phone.request("ACK", callID: fixture.callID, toTag: tag))
            #expect(engine.wait(for: .call(id, .answered)))
            let cases = [
                ("P-Asserted-Identity: \(Self.named)\r\n", ScriptedRegistrar.caller),
                ("Remote-Party-ID: \(Self.named)\r\n", ScriptedRegistrar.caller), ("", Self.named),
            ]
            for (index, (fields, from)) in cases.enumerated() {
                phone.send(
                    phone.request(
                        "UPDATE", callID: fixture.callID, sequence: 2 + index, fields: fields, from: from,
                        toTag: tag))
                let response = phone.receive { $0.contains("CSeq: \(2 + index) UPDATE") }
                #expect(response?.hasPrefix("SIP/2.0 200 ") == true)
            }
            engine.send(.call(id, .hangUp))
            #expect(engine.wait { event -> SIPEvent? in event } == .call(id, .ended(SIPEnd(.phone))))
        }

        @Test func thousandUpdatesLeaveTheCallAlone() throws {
            let (id, _, tag) = try fixture.call()
            for number in 1...1_000 {
                let party = "\"Jane \(number)\" <sip:jane-\(number)@example.org>"
                let answer = try send(1 + number, "P-Asserted-Identity: \(party)\r\n", tag: tag)
                #expect(answer.hasPrefix("SIP/2.0 200 "))
            }
            let last = SIPParty(address: "sip:jane-1000@example.org", displayName: "Jane 1000")
            #expect(engine.wait(for: .call(id, .farEndChanged(last))))
            expectNothing(id)
        }
    }
}

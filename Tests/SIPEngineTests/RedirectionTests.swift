// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of redirections (RFC 3261, section 8.1.3.4).
    @Suite struct Redirections {
        private let fixture: CallFixture
        private var far: ScriptedRegistrar { fixture.far }
        private var engine: EngineProcess { fixture.engine }

        init() throws { fixture = try CallFixture() }

        /// Redirects each INVITE to the next address, and returns the number of those that came.
        private func redirect(to next: (Int) -> String) -> Int {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:0@127.0.0.1")))
            var count = 0
            while let invite = far.receive(seconds: 2, where: { $0.hasPrefix("INVITE ") }) {
                count += 1
                guard count < 50 else { break }
                far.reply(to: invite, "302 Moved", "Contact: <\(next(count))>\r\n")
            }
            return count
        }

        @Test func callDoesNotGoTwiceToAnAddress() {
            #expect(redirect { _ in "sip:0@127.0.0.1" } == 1)
            #expect(engine.waitForEnd(of: .dialled)?.status == 482)
        }

        @Test func callDoesNotGoBetweenTwoAddresses() {
            #expect(redirect { "sip:\($0 % 2)@127.0.0.1" } == 2)
            #expect(engine.waitForEnd(of: .dialled)?.status == 482)
        }

        @Test func callIsRedirectedFiveTimesAtMost() {
            #expect(redirect { "sip:\($0)@127.0.0.1" } == 6)
            #expect(engine.waitForEnd(of: .dialled)?.status == 482)
        }

        @Test func otherAddressesAreTriedInTheirOrder() throws {
            far.reply(
                to: try fixture.dial(), "300 Multiple Choices",
                "Contact: <sip:second@127.0.0.1>;q=0.2, \"A, B\" <sips:never@127.0.0.1>\r\n"
                    + "Contact: <sip:first@127.0.0.1>;q=0.9\r\nContact: <sip:first@127.0.0.1>;q=0.1\r\n")
            let first = try #require(fixture.request("INVITE sip:first@127.0.0.1"))
            far.reply(to: first, "486 Busy Here")
            let second = try #require(fixture.request("INVITE sip:second@127.0.0.1"))
            // It may lead elsewhere again.
            far.reply(to: second, "302 Moved", "Contact: <sip:third@127.0.0.1>\r\n")
            let third = try #require(fixture.request("INVITE sip:third@127.0.0.1"))
            far.reply(to: third, "486 Busy Here")
            #expect(engine.waitForEnd(of: .dialled)?.status == 486)
            #expect(fixture.request("INVITE", seconds: 0.3) == nil)
        }

        @Test func callIsRedirectedAfterItRang() throws {
            let invite = try fixture.dial()
            far.reply(to: invite, "180 Ringing")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            far.reply(to: invite, "302 Moved", "Contact: <sip:first@127.0.0.1>\r\n")
            let first = try #require(fixture.request("INVITE sip:first@127.0.0.1"))
            far.reply(to: first, "180 Ringing")
            far.answer(first)
            #expect(engine.wait(for: .call(.dialled, .answered)))
        }

        @Test func otherAddressIsNotTriedAfterHangingUp() throws {
            far.reply(
                to: try fixture.dial(), "302 Moved",
                "Contact: <sip:first@127.0.0.1>, <sip:second@127.0.0.1>\r\n")
            let first = try #require(fixture.request("INVITE sip:first@127.0.0.1"))
            far.reply(to: first, "180 Ringing")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            engine.send(.call(.dialled, .hangUp))
            far.reply(to: try #require(fixture.request("CANCEL")), "200 OK")
            far.reply(to: first, "487 Request Terminated")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(fixture.request("INVITE", seconds: 0.3) == nil)
        }

        /// The redirection answers the INVITE, although liblinphone has sent another request since.
        @Test(arguments: [nil, "", "Contact: <sip:first@127.0.0.1>\r\n"])
        func callIsNotRedirectedAfterHangingUp(answerToCancel: String?) throws {
            let invite = try fixture.dial()
            far.reply(to: invite, "180 Ringing")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            engine.send(.call(.dialled, .hangUp))
            let cancel = try #require(fixture.request("CANCEL"))
            if let answerToCancel { far.reply(to: cancel, "200 OK", answerToCancel) }
            far.reply(to: invite, "302 Moved", "Contact: <sip:first@127.0.0.1>\r\n")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(fixture.request("ACK") != nil)
            #expect(fixture.request("INVITE", seconds: 0.3) == nil)
            #expect(far.isAnswered())
        }

        @Test func callIsNotRedirectedAfterHangingUpBeforeAnyResponse() throws {
            let invite = try fixture.dial()
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            far.reply(to: invite, "302 Moved", "Contact: <sip:first@127.0.0.1>\r\n")
            #expect(fixture.request("ACK") != nil)
            #expect(fixture.request("INVITE", seconds: 0.3) == nil)
            #expect(far.isAnswered())
        }

        @Test func holdIsNotRedirectedAfterHangingUp() throws {
            far.answer(try fixture.dial())
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hold))
            let hold = try #require(fixture.request("INVITE"))
            engine.send(.call(.dialled, .hangUp))
            let end = try #require(fixture.request("BYE"))
            far.reply(to: hold, "301 Moved", "Contact: <sip:first@127.0.0.1>\r\n")
            #expect(fixture.request("INVITE", seconds: 0.3) == nil)
            far.reply(to: end, "200 OK")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(far.isAnswered())
        }

        @Test func holdThatIsRedirectedIsRefused() throws {
            far.answer(try fixture.dial())
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hold))
            let hold = try #require(fixture.request("INVITE"))
            far.reply(to: hold, "302 Moved", "Contact: <sip:first@127.0.0.1>\r\n")
            #expect(engine.wait(for: .call(.dialled, .holdRefused)))
            #expect(fixture.request("INVITE", seconds: 0.3) == nil)
            #expect(far.isAnswered())
        }

        /// belle-sip would send no request to such an address, and the call would not end.
        @Test(arguments: [
            "?Subject=x", ";maddr=127.0.0.2", ";ttl=1", ";lr", ";lr;maddr=::1?Replaces=a&Route=b",
        ])
        func callGoesToThePlainAddress(rest: String) throws {
            far.reply(to: try fixture.dial(), "302 Moved", "Contact: <sip:first@127.0.0.1\(rest)>\r\n")
            let first = try #require(fixture.request("INVITE sip:first@127.0.0.1"))
            far.reply(to: first, "486 Busy Here")
            #expect(engine.waitForEnd(of: .dialled)?.status == 486)
        }

        @Test func addressesThatCannotBeReadAreNotCalled() throws {
            far.reply(
                to: try fixture.dial(), "302 Moved",
                "Contact: <sip:x@[::1>;q=0.9\r\nContact: <sip:first@127.0.0.1>;q=0.5\r\n"
                    + "Contact: <sip:y@[::1>;q=0.3\r\n")
            let first = try #require(fixture.request("INVITE sip:first@127.0.0.1"))
            far.reply(to: first, "486 Busy Here")
            #expect(engine.waitForEnd(of: .dialled)?.status == 486)
        }

        @Test func redirectionToNowhereSaysThatTheFarEndIsNotThere() throws {
            far.reply(to: try fixture.dial(), "302 Moved")
            #expect(engine.waitForEnd(of: .dialled)?.status == 480)
            #expect(far.isAnswered())
        }

        @Test func registrationIsNotRedirected() throws {
            let other = try ScriptedRegistrar(host: "127.0.0.2")
            engine.send(.refresh)
            let request = try #require(far.receive { $0.hasPrefix("REGISTER ") })
            far.reply(to: request, "302 Moved", "Contact: <sip:127.0.0.2:\(other.port)>\r\n")
            #expect(engine.waitForRegistration() != nil)
            #expect(other.receive(seconds: 0.3) == nil)
        }
    }

    /// Tests of calls that the phone sends elsewhere (302).
    @Suite struct Diversions {
        private let fixture: CallFixture
        private var far: ScriptedRegistrar { fixture.far }
        private var engine: EngineProcess { fixture.engine }

        init() throws { fixture = try CallFixture() }

        /// Sends an INVITE, and returns how often it was diverted as the engine says.
        private func invite(_ fields: String = "") -> (id: SIPCallID, diversions: Int)? {
            far.send(
                far.request(
                    "INVITE", callID: fixture.callID, fields: fields, body: ScriptedRegistrar.session,
                    from: "<sip:caller@127.0.0.1>"))
            return engine.wait {
                if case .call(let id, .incoming(_, _, _, let diversions)) = $0 {
                    (id, diversions)
                } else {
                    nil
                }
            }
        }

        @Test(arguments: [
            (false, "sip:5550100@example.org", "sip:5550100@example.org"),
            (true, "sip:5550100@example.org", "sip:5550100@example.org"),
            (false, "sip:a;b=1@example.org", "<sip:a;b=1@example.org>"),
        ])
        func callerIsToldWhereToCall(isRinging: Bool, address: String, written: String) throws {
            let call = try #require(invite())
            if isRinging {
                engine.send(.call(call.id, .ring))
                #expect(try fixture.response().hasPrefix("SIP/2.0 180"))
            }
            engine.send(.call(call.id, .redirect(to: address)))
            let response = try fixture.response()
            #expect(response.hasPrefix("SIP/2.0 302"), "\(response)")
            let contact = response.split(separator: "\r\n").first { $0.hasPrefix("Contact: ") } ?? ""
            #expect(contact.hasSuffix(written), "\(response)")
            #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
            #expect(far.isAnswered())
        }

        @Test(arguments: ["", "x", "sip:", "\r\nVia: x"])
        func callWithoutPlaceIsDeclined(_ address: String) throws {
            let call = try #require(invite())
            engine.send(.call(call.id, .redirect(to: address)))
            let response = try fixture.response()
            #expect(!response.hasPrefix("SIP/2.0 3") && !response.hasPrefix("SIP/2.0 1"), "\(response)")
            #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
            #expect(far.isAnswered())
        }

        @Test func answeredCallIsNotDiverted() throws {
            let call = try #require(invite())
            engine.send(.call(call.id, .answer))
            #expect(try fixture.response().hasPrefix("SIP/2.0 200"))
            #expect(engine.wait(for: .call(call.id, .answered)))
            engine.send(.call(call.id, .redirect(to: "sip:5550100@example.org")))
            engine.send(.call(call.id, .hangUp))
            #expect(engine.waitForEnd(of: call.id) != nil)
            #expect(far.isAnswered())
        }

        private static let diverted = "Diversion: <sip:1@example.org>;reason=unconditional\r\n"
        /// A call that was sent on twice, as the places before and after it say.
        private static let history =
            "History-Info: <sip:1@example.org?Reason=SIP%3Bcause%3D302>;index=1\r\n"
            + "History-Info: <sip:2@example.org;cause=302?Reason=SIP%3Bcause%3D486>;index=1.1,"
            + " <sip:3@example.org;cause=486>;index=1.2\r\n"
        /// More than liblinphone reads of one address.
        private static let long =
            "Diversion: "
            + (1...10).map { "<sip:\($0)-\(String(repeating: "x", count: 90))@example.org>;reason=no-answer" }
            .joined(separator: ", ") + "\r\n"

        private static let counted: [(fields: String, count: Int)] = [
            ("", 0), (diverted, 1), (diverted + diverted + diverted, 3), (history, 2),
            (diverted + history, 2), ("X-Touchtone-Diversions: 9\r\n", 0),
            ("x-touchtone-diversions : 9\r\n" + diverted, 1), ("Diversion: \r\n", 0),
            ("History-Info: cause\r\n", 0), ("History-Info: <sip:1@example.org;cause=302>;index=1\r\n", 1),
            ("History-Info: <sip:because@example.org>;index=1, <sip:2@example.org>;index=1.1\r\n", 0),
        ]

        /// A list is as good as several fields, and both may come together (RFC 3261, section 7.3.1); a value may stand for several
        /// diversions (RFC 5806, section 6).
        private static let lists: [(fields: String, count: Int)] = [
            (long, 10),
            ("Diversion: <sip:1@a.example>;reason=no-answer, <sip:2@b.example>;reason=user-busy\r\n", 2),
            ("Diversion: <sip:1@a.example>,<sip:2@b.example>,\r\n <sip:3@c.example>\r\n" + diverted, 4),
            ("diversion: sip:1@a.example , , \"Hopper, G\" <sip:2,3@b.example>;a=\"x, \\\"y\"\r\n", 2),
            ("Diversion: <sip:1@a.example>;reason=away;counter=3, <sip:2@b.example;counter=9>\r\n", 4),
            ("Diversion: <sip:1@a.example>; Counter = 12;limit=50\r\n", 12),
            ("Diversion: <sip:1@a.example>;counter=0, <sip:2@b.example>;counter=x;counters=7\r\n", 2),
        ]

        @Test(arguments: counted + lists)
        func diversionsAreCounted(fields: String, count: Int) throws {
            let call = try #require(invite(fields))
            #expect(call.diversions == count)
            #expect(far.isAnswered())
        }

        private static let floods: [(fields: String, count: Int)] = [
            (String(repeating: diverted, count: 200), 200),
            ("Diversion: " + String(repeating: "<>;counter=99,", count: 500) + "\r\n", 49_500),
        ]

        @Test(arguments: floods) func floodOfDiversionsIsHarmless(fields: String, count: Int) throws {
            let call = try #require(invite(fields))
            #expect(call.diversions == count)
            #expect(far.isAnswered())
        }
    }

    /// A call that is diverted between three phones, through Kamailio.
    @Suite struct DivertedCalls {
        private let server: Kamailio

        // A server of its own: the other one would pass 302 on only after the phones of earlier tests, which are gone, have
        // not answered.
        init() throws { server = try Kamailio() }

        @Test func diverterSendsCallerToThirdPhone() throws {
            let phones = try ["alice", "carol", "dave"].map { user in
                let phone = try EngineProcess()
                #expect(phone.register(.at(server, user: user)) == .registered)
                return phone
            }
            phones[0].send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            let call = try #require(phones[1].waitForCall())
            phones[1].send(.call(call.id, .redirect(to: server.address(of: "dave"))))
            let diverted = try #require(phones[2].waitForCall())
            #expect(diverted.caller.address.hasPrefix("sip:alice@"))
            #expect(phones[1].waitForEnd(of: call.id) == SIPEnd(.phone))
            phones[2].send(.call(diverted.id, .answer))
            #expect(phones[0].wait(for: .call(.dialled, .answered)))
            #expect(phones[2].wait(for: .call(diverted.id, .answered)))
            phones[0].send(.call(.dialled, .hangUp))
            #expect(phones[2].waitForEnd(of: diverted.id) == SIPEnd(.farEnd))
        }
    }
}

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
}

// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of redirections (RFC 3261, section 8.1.3.4).
    @Suite struct Redirections {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        /// Redirects each INVITE to the next address, and returns the number of those that came.
        private func redirect(to next: (Int) -> String) -> Int {
            engine.send(.dial(.dialled, account: "alice", address: "sip:0@127.0.0.1"))
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

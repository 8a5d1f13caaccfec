// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import HelperMessages
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneEngine
@testable import TouchtoneHelpers
@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of the engine that has to answer in time.
    @Suite @MainActor struct HeartbeatTests {
        private let fixture: SIPFixture

        init() throws { fixture = try SIPFixture(asksEngine: true) }

        /// Waits for the next question.
        ///
        /// Returns its number.
        private func question() async throws -> Int {
            var number: Int?
            try await fixture.wait {
                number = fixture.engine.takeQuestions().last
                return number != nil
            }
            return try #require(number)
        }

        /// Answers the questions, until there is no other.
        private func answer() async {
            await fixture.settle()
            while true {
                let numbers = fixture.engine.takeQuestions()
                guard !numbers.isEmpty else { return }
                for number in numbers { fixture.engine.say(.heartbeat(number)) }
                await fixture.settle()
            }
        }

        private func register() async throws {
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.ready()
            await answer()
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.state() == .registered }
        }

        @Test func engineIsNotAskedAtRest() async throws {
            try await register()
            #expect(fixture.clock.nextDelay == nil)
            fixture.accounts.wakeUp()
            await answer()
            #expect(fixture.clock.nextDelay == nil)
        }

        @Test func engineThatDoesNotAnswerACommandIsReplaced() async throws {
            try await register()
            let stopped = fixture.engine
            fixture.accounts.wakeUp()
            fixture.clock.advance(by: .milliseconds(4_999))
            #expect(!stopped.isKilled)
            fixture.clock.advance(by: .milliseconds(1))
            #expect(stopped.isKilled)
            let text = "The SIP service stopped unexpectedly and is being restarted."
            #expect(fixture.state() == .failed(text))
            fixture.clock.advance(by: Restarts.shortestDelay)
            #expect(fixture.launcher.engines.count == 2)
            try await fixture.ready()
            await answer()
            #expect(fixture.state() == .failed(text), "it is not registered")
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.state() == .registered }
        }

        @Test func callsEndWithReasonIfEngineStopsInOne() async throws {
            try await register()
            try fixture.dial("5551234")
            await fixture.settle()
            let dialled = SIPCallID(rawValue: 2)
            fixture.engine.say(.call(dialled, .answered))
            await answer()
            try await fixture.wait { fixture.calls.current?.state == .connected }
            // It answers for a while.
            for _ in 0..<3 {
                fixture.clock.advance(by: Heartbeat.interval)
                fixture.engine.say(.heartbeat(try await question()))
                await fixture.settle()
            }
            fixture.clock.advance(by: Heartbeat.interval)
            _ = try await question()
            fixture.clock.advance(by: Heartbeat.limit)
            try await fixture.wait { fixture.calls.calls.isEmpty }
            #expect(
                fixture.records.last?.endReason
                    == .failed("the SIP service stopped unexpectedly and is being restarted"))
        }

        @Test(arguments: [true, false])
        func engineIsAskedForAWhileAfterCall(reportsEnd: Bool) async throws {
            try await register()
            try fixture.dial("5551234")
            await answer()
            fixture.calls.hangUp()
            if reportsEnd { fixture.engine.say(.call(SIPCallID(rawValue: 2), .ended(SIPEnd(.phone)))) }
            await answer()
            var count = 0
            while let delay = fixture.clock.nextDelay, count < 10 {
                fixture.clock.advance(by: delay)
                await answer()
                count += 1
            }
            #expect((1...4).contains(count))
            #expect(fixture.launcher.engines.count == 1)
        }

        @Test func onlyTheAnswerToTheLastCommandCounts() async throws {
            try await register()
            let engine = fixture.engine
            fixture.accounts.wakeUp()
            let first = try await question()
            // The engine stops at this command, after it has answered the question before.
            fixture.accounts.wakeUp()
            engine.say(.heartbeat(first + 1))
            engine.say(.heartbeat(first))
            _ = try await question()
            engine.say(.heartbeat(first))
            await fixture.settle()
            fixture.clock.advance(by: Heartbeat.limit)
            #expect(engine.isKilled)
        }

        @Test func answerThatWaitsIsReadFirst() async throws {
            try await register()
            fixture.accounts.wakeUp()
            fixture.engine.say(.heartbeat(try await question()))
            // The main loop was busy meanwhile.
            fixture.clock.advance(by: Heartbeat.limit)
            #expect(!fixture.engine.isKilled && fixture.accounts.engine.isReady)
        }
    }
}

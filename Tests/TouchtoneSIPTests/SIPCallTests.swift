// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import HelperMessages
import SIPMessages
import TestSupport
import Testing
import TouchtoneCore
import TouchtoneHelpers

@testable import TouchtoneEngine
@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of calls through the call manager, on the line of an account.
    @Suite @MainActor struct CallTests {
        private let id = SIPCallID(rawValue: 2)
        private let incoming = SIPCallID(rawValue: 1)

        @Test(arguments: [
            ("5551234", "sip:5551234@example.org"),
            ("+15558675309", "sip:+15558675309@example.org;user=phone"),
            ("*97", "sip:*97@example.org"), ("#31#5551234", "sip:%2331%235551234@example.org"),
            ("5551234,,12", "sip:5551234@example.org"),
        ])
        func numberIsCalledAtDomainOfAccount(number: String, address: String) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            try fixture.dial(number)
            try await fixture.expect(.call(id, .dial(account: "ada", address: address)))
        }

        @Test func addressIsCalledAsItIs() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            try fixture.dial("", address: "SIPS:Grace@Elsewhere.example:5081;maddr=evil.example")
            try await fixture.expect(
                .call(id, .dial(account: "ada", address: "sips:Grace@elsewhere.example:5081")))
            fixture.calls.hangUp()
            try await fixture.expect(.call(id, .hangUp))
            try fixture.dial("", address: "mailto:grace@example.org")
            try await fixture.wait { fixture.calls.current?.state == .refused }
            #expect(fixture.engine.commands.isEmpty)
        }

        @Test func callWaitsForRegistration() async throws {
            let fixture = try SIPFixture()
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.ready()
            try fixture.dial("5551234")
            fixture.calls.setMuted(true)
            await fixture.settle()
            #expect(fixture.calls.current?.state == .dialling)
            _ = fixture.engine.takeCommands()
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.expect(
                .call(id, .dial(account: "ada", address: "sip:5551234@example.org")),
                .call(id, .setMuted(true)))
        }

        @Test func callFailsWithReasonOfAccount() async throws {
            let fixture = try SIPFixture()
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.ready()
            try fixture.dial("5551234")
            fixture.engine.say(.registration(account: "ada", .failed(.noSuchUser)))
            try await fixture.wait { fixture.calls.current?.state == .refused }
            let reason = fixture.calls.current?.machine.endReason
            #expect(reason == .failed("The server doesn’t know this user. Check the address"))
            try fixture.dial("5551234")
            #expect(fixture.calls.current?.state == .dialling, "no event comes before the line returns")
            try await fixture.wait { fixture.calls.current?.state == .refused }
        }

        @Test func callThatIsGivenUpBeforeRegistrationIsNotDialled() async throws {
            let fixture = try SIPFixture()
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.ready()
            try fixture.dial("5551234")
            await fixture.settle()
            fixture.calls.hangUp()
            _ = fixture.engine.takeCommands()
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.state() == .registered }
            await fixture.settle()
            #expect(fixture.engine.commands.isEmpty)
        }

        @Test func eventsAndCommandsOfConversation() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            try fixture.dial("5551234")
            try await fixture.wait { !fixture.engine.commands.isEmpty }
            for (event, state) in [
                (SIPEvent.call(id, .ringing), CallState.ringing), (.call(id, .earlyMedia), .earlyMedia),
                (.call(id, .answered), .connected),
            ] {
                fixture.engine.say(event)
                try await fixture.wait { fixture.calls.current?.state == state }
            }
            _ = fixture.engine.takeCommands()
            fixture.calls.press(.five)
            fixture.calls.releaseKey()
            fixture.calls.releaseKey()
            fixture.calls.setMuted(true)
            fixture.calls.setHeld(true)
            fixture.calls.setHeld(false)
            try await fixture.expect(
                .call(id, .pressKey("5")), .call(id, .releaseKey), .call(id, .setMuted(true)),
                .call(id, .hold), .call(id, .resume))
            fixture.calls.setHeld(true)
            fixture.engine.say(.call(id, .holdRefused))
            try await fixture.wait { fixture.calls.current?.canHold == false }
            fixture.engine.say(.call(id, .noMicrophone))
            try await fixture.wait { fixture.calls.current?.lacksMicrophone == true }
            fixture.engine.say(.call(id, .keysRefused(true)))
            try await fixture.wait { fixture.calls.current?.refusesKeys == true }
            fixture.engine.say(.call(id, .keysRefused(false)))
            try await fixture.wait { fixture.calls.current?.refusesKeys == false }
            fixture.engine.say(
                .call(id, .farEndChanged(SIPParty(address: "sip:42@x.example", displayName: "Zoe"))))
            try await fixture.wait { fixture.calls.current?.remote.displayName == "Zoe" }
            #expect(fixture.calls.current?.remote.number.text == "42")
            fixture.engine.say(.call(id, .ended(SIPEnd(.farEnd))))
            try await fixture.wait { fixture.calls.calls.isEmpty }
            #expect(fixture.records.map(\.endReason) == [.farEnd])
        }

        @Test func twoCallsAreJoinedAndTransferred() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let first = try await fixture.talk("1")
            fixture.calls.flash()
            let second = try await fixture.talk("2")
            fixture.calls.join()
            fixture.calls.transfer()
            try await fixture.expect(.call(first, .join(with: second)), .call(first, .transfer(to: second)))
            #expect(!fixture.calls.canTransfer)
            fixture.engine.say(.call(first, .transferRefused))
            try await fixture.wait { fixture.calls.canTransfer }
            fixture.calls.transfer()
            try await fixture.expect(.call(first, .transfer(to: second)))
            for id in [first, second] {
                fixture.engine.say(.call(id, .ended(SIPEnd(.phone, isTransferred: true))))
            }
            try await fixture.wait { fixture.calls.calls.isEmpty }
            #expect(fixture.records.map(\.endReason) == [.transferred, .transferred])
        }

        @Test func callIsTransferredToPartyAtAccount() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let first = try await fixture.talk("1")
            fixture.calls.prepareTransfer()
            fixture.calls.transfer(to: RemoteParty(DialledNumber("5551234") ?? DialledNumber()))
            try await fixture.expect(
                .call(first, .hold), .call(first, .transferToAddress("sip:5551234@example.org")))
            fixture.engine.say(.call(first, .transferRefused))
            try await fixture.wait { fixture.calls.current?.transfer == .failed }
            fixture.calls.prepareTransfer()
            fixture.calls.transfer(to: RemoteParty(DialledNumber(), address: "sip:zoe@b.example"))
            try await fixture.expect(.call(first, .transferToAddress("sip:zoe@b.example")))
            fixture.engine.say(.call(first, .ended(SIPEnd(.phone, isTransferred: true))))
            try await fixture.wait { fixture.calls.calls.isEmpty }
            #expect(fixture.records.map(\.endReason) == [.transferred])
        }

        /// The far end says nothing at all, or nothing more after its first report.
        @Test(arguments: [[35], [34, 200]]) func transferWithoutReportIsGivenUp(seconds: [Int]) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let id = try await fixture.talk("1")
            fixture.calls.prepareTransfer()
            fixture.calls.transfer(to: RemoteParty(DialledNumber("5551234") ?? DialledNumber()))
            for (index, time) in seconds.enumerated() {
                if index > 0 {
                    fixture.clock.advance(by: .milliseconds(999))
                    fixture.engine.say(.call(id, .transferReported))
                    fixture.engine.say(.call(id, .heldByFarEnd(true)))
                    try await fixture.wait { fixture.calls.current?.isHeldByFarEnd == true }
                }
                fixture.clock.advance(by: .seconds(time) - .milliseconds(1))
                await fixture.settle()
                #expect(fixture.calls.current?.transfer == .pending)
            }
            fixture.clock.advance(by: .milliseconds(1))
            try await fixture.wait { fixture.calls.current?.transfer == .failed }
            fixture.engine.say(.call(id, .ended(SIPEnd(.phone, isTransferred: true))))
            try await fixture.wait { fixture.calls.calls.isEmpty }
            #expect(
                fixture.records.map(\.endReason) == [.transferred], "the far end connected it all the same")
        }

        @Test func incomingCallIsTransferredWhileTargetRings() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.engine.say(
                .call(incoming, .incoming(account: "ada", caller: SIPParty(address: "sip:7@b.example"))))
            try await fixture.expect(.call(incoming, .ring))
            fixture.calls.answer()
            fixture.calls.flash()
            try fixture.dial("5551234")
            try await fixture.expect(
                .call(incoming, .answer), .call(incoming, .hold),
                .call(id, .dial(account: "ada", address: "sip:5551234@example.org")))
            fixture.engine.say(.call(id, .ringing))
            try await fixture.wait { fixture.calls.current?.state == .ringing }
            fixture.calls.transfer()
            try await fixture.expect(
                .call(id, .hangUp), .call(incoming, .transferToAddress("sip:5551234@example.org")))
        }

        @Test func holdOfFarEndAndQualityAreReported() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let first = try await fixture.talk("1")
            fixture.engine.say(.call(first, .heldByFarEnd(true)))
            try await fixture.wait { fixture.calls.current?.isHeldByFarEnd == true }
            fixture.calls.measuresQuality = true
            try await fixture.expect(.call(first, .measure))
            fixture.engine.say(
                .call(
                    first, .quality(SIPQuality(codec: "opus\u{7}", encryption: "SRTP", loss: 120, jitter: 4)))
            )
            try await fixture.wait { fixture.calls.current?.quality != nil }
            let quality = CallQuality(
                codec: "opus␇", encryption: "SRTP", loss: 100, jitter: 4, roundTrip: nil)
            #expect(fixture.calls.current?.quality == quality)
        }

        @Test func incomingCallRingsAndIsAnswered() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.engine.say(
                .call(
                    incoming,
                    .incoming(
                        account: "ada",
                        caller: SIPParty(address: "sip:+442079460958@gw.example", displayName: "Grace"))))
            try await fixture.expect(.call(incoming, .ring))
            let remote = try #require(fixture.calls.incoming?.remote)
            #expect(remote.number.text == "+442079460958" && remote.displayName == "Grace")
            #expect(remote.address == "sip:+442079460958@gw.example")
            fixture.calls.answer()
            try await fixture.expect(.call(incoming, .answer))
            fixture.engine.say(.call(incoming, .answered))
            fixture.engine.say(.call(incoming, .ended(SIPEnd(.farEnd))))
            try await fixture.wait { fixture.records.count == 1 }
            #expect(fixture.records[0].duration != nil && !fixture.records[0].isMissed)
        }

        @Test func callAnsweredElsewhereIsNotMissed() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            for (number, end) in [
                (1, SIPEnd(.farEnd, status: 487, isAnsweredElsewhere: true)),
                (3, SIPEnd(.farEnd, status: 487)),
            ] {
                let id = SIPCallID(rawValue: number)
                fixture.engine.say(
                    .call(id, .incoming(account: "ada", caller: SIPParty(address: "sip:1@x.example"))))
                fixture.engine.say(.call(id, .ended(end)))
                try await fixture.wait { fixture.records.count == (number + 1) / 2 }
            }
            #expect(fixture.records.map(\.endReason) == [.answeredElsewhere, .farEnd])
            #expect(fixture.records.map(\.isMissed) == [false, true])
        }

        @Test(arguments: [
            ("sip:anonymous@anonymous.invalid", "Anonymous", "", "", ""), ("", "x", "", "", ""),
            ("sip:bob@b.example", "Bob", "", "sip:bob@b.example", "Bob"),
            ("sip:5551234@b.example", "555-1234", "5551234", "sip:5551234@b.example", ""),
            ("sip:Anonymous@provider.example", "Anonymous", "", "", ""),
            ("sip:unavailable@unknown.invalid", "", "", "", ""),
            ("tel:+49-30-123", "Jane", "+4930123", "", "Jane"),
            ("tel:5551234;phone-context=+4930;ext=9", "", "+49305551234", "", ""),
            ("tel:911;phone-context=+1", "", "911", "", ""), ("tel:;isub=1", "x", "", "", ""),
            ("tel:+4930123;postd=ppp666", "", "+4930123", "", ""), ("tel:FLOWERS", "", "", "", ""),
            (
                "sip:+4930123;isub=12@b.example", "+49 30 123", "+4930123", "sip:+4930123;isub=12@b.example",
                ""
            ),
            (
                "sip:5551234;phone-context=+4930@b.example", "", "+49305551234",
                "sip:5551234;phone-context=+4930@b.example", ""
            ),
        ])
        func callerIsNamed(address: String, name: String, number: String, shown: String, display: String) {
            let party = RemoteParty(SIPParty(address: address, displayName: name))
            #expect(party.number.text == number && party.address == shown && party.displayName == display)
        }
    }

    /// Tests of what an engine, or a stranger behind it, must not do.
    @Suite @MainActor struct HostileTests {
        @Test func unknownAndRepeatedEventsAreIgnored() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let id = try await fixture.talk()
            let unknown = SIPCallID(rawValue: 77)
            fixture.engine.say(.ready(version: 1))
            for event: SIPEvent in [
                .call(unknown, .ringing), .call(unknown, .answered), .call(unknown, .ended(SIPEnd(.farEnd))),
                .registration(account: "nobody", .registered), .call(unknown, .quality(SIPQuality())),
                .call(id, .keyReceived("nonsense")), .call(id, .heldByFarEnd(true)),
                // Even ids are the phone's, and this one is used.
                .call(
                    SIPCallID(rawValue: 8),
                    .incoming(account: "ada", caller: SIPParty(address: "sip:a@b.example"))),
                .call(id, .incoming(account: "ada", caller: SIPParty(address: "sip:a@b.example"))),
                .call(id, .ended(SIPEnd(.farEnd))), .call(id, .ended(SIPEnd(.farEnd, status: 486))),
                .call(id, .answered),
            ] {
                fixture.engine.say(event)
            }
            try await fixture.wait { fixture.calls.calls.isEmpty }
            await fixture.settle()
            #expect(fixture.records.count == 1 && fixture.calls.calls.isEmpty)
            let other = SIPCallID(rawValue: 9)
            fixture.engine.say(
                .call(other, .incoming(account: "nobody", caller: SIPParty(address: "sip:a@b.example"))))
            try await fixture.expect(.call(other, .hangUp))
        }

        @Test func floodOfCallsNeitherRingsOnNorFillsHistory() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            var refused = 0
            for number in 0..<10_000 {
                fixture.engine.say(
                    .call(
                        SIPCallID(rawValue: number * 2 + 1),
                        .incoming(
                            account: "ada",
                            caller: SIPParty(address: "sip:\(number)@b.example", displayName: "\u{202e}x"))))
                if number % 100 == 99 {
                    await fixture.settle()
                    refused += fixture.engine.takeCommands().count {
                        if case .call(_, .declineAsBusy) = $0 { true } else { false }
                    }
                }
            }
            try await fixture.wait {
                refused += fixture.engine.takeCommands().count {
                    if case .call(_, .declineAsBusy) = $0 { true } else { false }
                }
                return refused == 10_000 - CallManager.capacity
            }
            #expect(fixture.calls.calls.count == CallManager.capacity)
            #expect(fixture.records.count == IncomingLimit.burst - CallManager.capacity)
            #expect(fixture.accounts.engine.isReady, "the engine is not taken for dead")
        }

        @Test func limitAdmitsOneMoreAfterEachInterval() {
            var limit = IncomingLimit()
            var admitted = 0
            for second in 0..<600 where limit.admits(at: .seconds(second)) { admitted += 1 }
            #expect(admitted == IncomingLimit.burst + 599 / 3)
            #expect((0..<20).count { _ in limit.admits(at: .seconds(10_000)) } == IncomingLimit.burst)
        }

        @Test(arguments: Seeds.all) func anyEventsLeaveNoCallBehind(seed: UInt64) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            var random = SplitMix64(seed: seed)
            for _ in 0..<300 {
                let id = SIPCallID(rawValue: Int.random(in: 1...12, using: &random))
                let party = SIPParty(address: "sip:7@b.example")
                let events: [SIPEvent] = [
                    .call(id, .incoming(account: "ada", caller: party)), .call(id, .ringing),
                    .call(id, .earlyMedia),
                    .call(id, .answered),
                    .call(id, .holdRefused), .call(id, .resumeRefused), .call(id, .transferReported),
                    .call(id, .transferRefused),
                    .call(id, .farEndChanged(party)),
                    .call(id, .noMicrophone), .call(id, .keysRefused(Bool.random(using: &random))),
                    .call(id, .ended(SIPEnd(.farEnd))), .call(id, .ended(SIPEnd(.network, status: 503))),
                ]
                let actions: [@MainActor (CallManager) -> Void] = [
                    { $0.answer() }, { $0.decline() }, { $0.hangUp() }, { $0.flash() }, { $0.join() },
                    { $0.transfer() }, { $0.setHeld(true) }, { $0.setHeld(false) }, { $0.press(.five) },
                    { $0.setMuted(true) },
                ]
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try fixture.dial("5551234")
                case 1: actions[Int.random(in: actions.indices, using: &random)](fixture.calls)
                default: fixture.engine.say(events[Int.random(in: events.indices, using: &random)])
                }
                await fixture.settle()
                let heard = fixture.calls.calls.filter { $0.state.isLive && $0.state != .held }
                #expect(heard.count <= 1 || heard.allSatisfy { $0.state == .joined })
                #expect(fixture.calls.calls.count <= CallManager.capacity)
            }
            fixture.calls.hangUpAll()
            fixture.engine.die()
            try await fixture.wait { !fixture.accounts.engine.isReady }
            #expect(fixture.calls.calls.isEmpty)
        }
    }
}

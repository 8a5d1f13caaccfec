// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of an extension that is watched at Kamailio, and of a call that is picked up there.
    @Suite struct Offices {
        /// Returns the next state of the extension of carol that Kamailio tells; nil if none comes in time.
        private func state(_ engine: EngineProcess) -> SIPExtension.State? {
            engine.wait(seconds: 15) {
                if case .extension("alice", _, let state) = $0 { state.state } else { nil }
            }
        }

        @Test func callOfAnExtensionIsPickedUp() throws {
            let server = try Kamailio(isOffice: true)
            let (alice, carol, dave) = (try EngineProcess(), try EngineProcess(), try EngineProcess())
            #expect(alice.register(.at(server)) == .registered)
            #expect(carol.register(.at(server, user: "carol")) == .registered)
            #expect(dave.register(.at(server, user: "dave")) == .registered)
            let extensionAddress = "sip:carol@\(Kamailio.domain)"
            alice.send(.watch(account: "alice", addresses: [extensionAddress]))
            #expect(state(alice) == .free)

            dave.send(.call(.dialled, .dial(account: "dave", address: extensionAddress)))
            let ringing = try #require(carol.waitForCall())
            carol.send(.call(ringing.id, .ring))
            let told = alice.wait(seconds: 15) { event -> SIPExtension? in
                if case .extension(_, _, let state) = event, state.canBePickedUp { state } else { nil }
            }
            #expect(told?.state == .ringing)
            #expect(told?.caller.address == "sip:dave@\(Kamailio.domain)")

            alice.send(.call(.dialled, .pickUp(account: "alice", address: extensionAddress)))
            // The server may tell the end of the first call before the answer of the second one.
            var (isAnswered, isFree) = (false, false)
            let isBoth = alice.wait(seconds: 15) { event -> Bool? in
                if event == .call(.dialled, .answered) { isAnswered = true }
                if case .extension(_, _, let state) = event { isFree = state.state == .free }
                return isAnswered && isFree ? true : nil
            }
            #expect(isBoth == true, "answered: \(isAnswered), free: \(isFree)")
            #expect(dave.wait(for: .call(.dialled, .answered)))
            #expect(carol.waitForEnd(of: ringing.id) != nil)
            alice.send(.call(.dialled, .hangUp))
            #expect(dave.waitForEnd(of: .dialled) != nil)

            // Nobody takes over a call that was answered.
            dave.send(.call(SIPCallID(rawValue: 4), .dial(account: "dave", address: extensionAddress)))
            let second = try #require(carol.waitForCall())
            carol.send(.call(second.id, .ring))
            let again = alice.wait(seconds: 15) { event -> SIPExtension? in
                if case .extension(_, _, let state) = event, state.canBePickedUp { state } else { nil }
            }
            #expect(again != nil)
            carol.send(.call(second.id, .answer))
            #expect(state(alice) == .busy)
            alice.send(.call(SIPCallID(rawValue: 4), .pickUp(account: "alice", address: extensionAddress)))
            #expect(alice.waitForEnd(of: SIPCallID(rawValue: 4)) == SIPEnd(.phone, status: 481))
            alice.send(.removeAccount(id: "alice"))
            carol.send(.call(second.id, .hangUp))
            #expect(dave.waitForEnd(of: SIPCallID(rawValue: 4)) != nil)
        }
    }
}

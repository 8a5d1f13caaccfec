// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Calls with three parties: alice, who transfers, and two others.
    @Suite struct Transfers {
        private let server: Kamailio
        private let alice: EngineProcess
        private let carol: EngineProcess
        /// The screen of alice's phone.
        private let screen: WatchedScreen

        init() throws {
            server = try Peers.kamailio()
            screen = try WatchedScreen()
            alice = try EngineProcess(environment: ["DISPLAY": screen.name])
            carol = try EngineProcess()
            #expect(alice.register(.at(server)) == .registered)
            #expect(carol.register(.at(server, user: "carol")) == .registered)
        }

        /// Calls a user from alice's phone, and answers there.
        private func connect(_ id: SIPCallID, to user: String, _ phone: EngineProcess) throws -> SIPCallID {
            alice.send(.dial(id, account: "alice", address: server.address(of: user)))
            let call = try #require(phone.waitForCall())
            phone.send(.answer(call.id))
            #expect(phone.wait(for: .answered(call.id)))
            #expect(alice.wait(for: .answered(id)))
            return call.id
        }

        /// Connects alice's phone to carol, who is then held, and to dave.
        ///
        /// Returns the calls at carol's and at dave's phone, and that phone.
        private func connectTwo() throws -> (first: SIPCallID, second: SIPCallID, dave: EngineProcess) {
            let dave = try EngineProcess()
            #expect(dave.register(.at(server, user: "dave")) == .registered)
            let first = try connect(.dialled, to: "carol", carol)
            alice.send(.hold(.dialled))
            #expect(carol.wait(for: .heldByFarEnd(first, true)))
            return (first, try connect(.second, to: "dave", dave), dave)
        }

        private func waitForFarEnd(of id: SIPCallID, at phone: EngineProcess) -> String? {
            phone.wait { if case .farEndChanged(id, let party) = $0 { party.address } else { nil } }
        }

        @Test func blindTransferConnectsTheOthers() throws {
            let bob = try Peers.bob()
            let call = try connect(.dialled, to: "carol", carol)
            alice.send(.transferToAddress(.dialled, address: server.address(of: "bob")))
            #expect(waitForFarEnd(of: call, at: carol)?.hasPrefix("sip:bob@") == true)
            let end = try #require(alice.waitForEnd(of: .dialled))
            #expect(end.isTransferred)
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            carol.send(.hangUp(call))
            #expect(carol.waitForEnd(of: call) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }

        @Test func callContinuesAfterTransferToNobody() throws {
            let call = try connect(.dialled, to: "carol", carol)
            alice.send(.transferToAddress(.dialled, address: server.address(of: "nobody")))
            #expect(waitForFarEnd(of: call, at: carol)?.hasPrefix("sip:nobody@") == true)
            #expect(alice.wait(for: .transferRefused(.dialled)))
            #expect(waitForFarEnd(of: call, at: carol)?.hasPrefix("sip:alice@") == true)
            carol.send(.hangUp(call))
            #expect(carol.waitForEnd(of: call) == SIPEnd(.phone))
            #expect(alice.waitForEnd(of: .dialled) == SIPEnd(.farEnd))
        }

        @Test func attendedTransferConnectsTheOthers() throws {
            let (first, second, dave) = try connectTwo()
            alice.send(.transfer(.dialled, to: .second))
            #expect(waitForFarEnd(of: first, at: carol)?.hasPrefix("sip:dave@") == true)
            #expect(waitForFarEnd(of: second, at: dave)?.hasPrefix("sip:carol@") == true)
            var ends: [SIPCallID: SIPEnd] = [:]
            while ends.count < 2 {
                let next = alice.wait { if case .ended(let id, let end) = $0 { (id, end) } else { nil } }
                guard let next else { break }
                ends[next.0] = next.1
            }
            #expect(ends[.dialled]?.isTransferred == true)
            #expect(ends[.second] != nil)
            carol.send(.hangUp(first))
            #expect(dave.waitForEnd(of: second) == SIPEnd(.farEnd))
        }

        @Test func joinedCallsGoOnAfterOneEnds() throws {
            let (first, second, dave) = try connectTwo()
            alice.send(.join(.dialled, with: .second))
            #expect(carol.wait(for: .heldByFarEnd(first, false)))
            dave.send(.hangUp(second))
            #expect(alice.waitForEnd(of: .second) == SIPEnd(.farEnd))
            alice.send(.hangUp(.dialled))
            #expect(carol.waitForEnd(of: first) == SIPEnd(.farEnd))
            // By default, liblinphone opens windows for the video of joined calls.
            #expect(!screen.wasOpened)
        }
    }
}

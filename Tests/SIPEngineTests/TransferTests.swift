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
            alice.send(.call(id, .dial(account: "alice", address: server.address(of: user))))
            let call = try #require(phone.waitForCall())
            phone.send(.call(call.id, .answer))
            #expect(phone.wait(for: .call(call.id, .answered)))
            #expect(alice.wait(for: .call(id, .answered)))
            return call.id
        }

        /// Connects alice's phone to carol, who is then held, and to dave.
        ///
        /// Returns the calls at carol's and at dave's phone, and that phone.
        private func connectTwo() throws -> (first: SIPCallID, second: SIPCallID, dave: EngineProcess) {
            let dave = try EngineProcess()
            #expect(dave.register(.at(server, user: "dave")) == .registered)
            let first = try connect(.dialled, to: "carol", carol)
            alice.send(.call(.dialled, .hold))
            #expect(carol.wait(for: .call(first, .heldByFarEnd(true))))
            return (first, try connect(.second, to: "dave", dave), dave)
        }

        private func waitForFarEnd(of id: SIPCallID, at phone: EngineProcess) -> String? {
            phone.wait { if case .call(id, .farEndChanged(let party)) = $0 { party.address } else { nil } }
        }

        @Test func blindTransferConnectsTheOthers() throws {
            let bob = try Peers.bob()
            let call = try connect(.dialled, to: "carol", carol)
            alice.send(.call(.dialled, .transferToAddress(server.address(of: "bob"))))
            #expect(waitForFarEnd(of: call, at: carol)?.hasPrefix("sip:bob@") == true)
            let end = try #require(alice.waitForEnd(of: .dialled))
            #expect(end.isTransferred)
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            carol.send(.call(call, .hangUp))
            #expect(carol.waitForEnd(of: call) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }

        @Test func callContinuesAfterTransferToNobody() throws {
            let call = try connect(.dialled, to: "carol", carol)
            alice.send(.call(.dialled, .transferToAddress(server.address(of: "nobody"))))
            #expect(waitForFarEnd(of: call, at: carol)?.hasPrefix("sip:nobody@") == true)
            #expect(alice.wait(for: .call(.dialled, .transferRefused)))
            #expect(waitForFarEnd(of: call, at: carol)?.hasPrefix("sip:alice@") == true)
            carol.send(.call(call, .hangUp))
            #expect(carol.waitForEnd(of: call) == SIPEnd(.phone))
            #expect(alice.waitForEnd(of: .dialled) == SIPEnd(.farEnd))
        }

        @Test func attendedTransferConnectsTheOthers() throws {
            let (first, second, dave) = try connectTwo()
            alice.send(.call(.dialled, .transfer(to: .second)))
            #expect(waitForFarEnd(of: first, at: carol)?.hasPrefix("sip:dave@") == true)
            #expect(waitForFarEnd(of: second, at: dave)?.hasPrefix("sip:carol@") == true)
            var ends: [SIPCallID: SIPEnd] = [:]
            while ends.count < 2 {
                let next = alice.wait {
                    if case .call(let id, .ended(let end)) = $0 { (id, end) } else { nil }
                }
                guard let next else { break }
                ends[next.0] = next.1
            }
            #expect(ends[.dialled]?.isTransferred == true)
            #expect(ends[.second] != nil)
            carol.send(.call(first, .hangUp))
            #expect(dave.waitForEnd(of: second) == SIPEnd(.farEnd))
        }

        /// The phone ends all joined calls when the user hangs up.
        @Test func joinedCallsEndTogether() throws {
            let (first, second, dave) = try connectTwo()
            alice.send(.call(.dialled, .join(with: .second)))
            #expect(carol.wait(for: .call(first, .heldByFarEnd(false))))
            for call in [SIPCallID.dialled, .second] { alice.send(.call(call, .hangUp)) }
            #expect(carol.waitForEnd(of: first) == SIPEnd(.farEnd))
            #expect(dave.waitForEnd(of: second) == SIPEnd(.farEnd))
            #expect(alice.end() == 0)
        }

        @Test func joinedCallsGoOnAfterOneEnds() throws {
            let (first, second, dave) = try connectTwo()
            alice.send(.call(.dialled, .join(with: .second)))
            #expect(carol.wait(for: .call(first, .heldByFarEnd(false))))
            dave.send(.call(second, .hangUp))
            #expect(alice.waitForEnd(of: .second) == SIPEnd(.farEnd))
            alice.send(.call(.dialled, .hangUp))
            #expect(carol.waitForEnd(of: first) == SIPEnd(.farEnd))
            // By default, liblinphone opens windows for the video of joined calls.
            #expect(!screen.wasOpened)
        }
    }
}

extension SIPTimeoutTests {
    @Test func targetThatStaysAfterTransferIsHungUp() throws {
        let far = try ScriptedRegistrar()
        let engine = try EngineProcess()
        #expect(engine.register(at: far, encryption: .off))
        func connect(_ callID: String) throws -> (id: SIPCallID, tag: String) {
            far.send(far.request("INVITE", callID: callID, body: ScriptedRegistrar.session))
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .answer))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains(callID) })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            far.send(far.request("ACK", callID: callID, toTag: tag))
            #expect(engine.wait(for: .call(id, .answered)))
            return (id, tag)
        }
        let first = try connect("first")
        engine.send(.call(first.id, .hold))
        let hold = try #require(far.receive { $0.hasPrefix("INVITE ") })
        far.answer(hold, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"))
        let second = try connect("second")
        engine.send(.call(first.id, .transfer(to: second.id)))
        let refer = try #require(far.receive { $0.hasPrefix("REFER ") && $0.contains("Replaces") })
        far.reply(to: refer, "202 Accepted")
        far.send(far.report("SIP/2.0 200 OK\r\n", callID: "first", sequence: 2, toTag: first.tag))
        far.reply(to: try #require(far.receive { $0.hasPrefix("BYE ") && $0.contains("first") }), "200 OK")
        #expect(engine.waitForEnd(of: first.id)?.isTransferred == true)
        // The target would end its call itself. It may wait for ten seconds.
        let end = try #require(far.receive(seconds: 40) { $0.hasPrefix("BYE ") && $0.contains("second") })
        far.reply(to: end, "200 OK")
        #expect(engine.waitForEnd(of: second.id)?.isTransferred == true)
    }
}

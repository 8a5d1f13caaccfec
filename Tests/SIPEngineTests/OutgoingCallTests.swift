// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    @Suite struct OutgoingCalls {
        private let server: Kamailio
        private let engine: EngineProcess

        init() throws {
            server = try Peers.kamailio()
            engine = try EngineProcess()
            #expect(engine.register(.at(server)) == .registered)
        }

        @Test func answeredCallSendsKeysAndIsHungUp() throws {
            let bob = try Peers.bob()
            engine.send(.dial(.dialled, account: "alice", address: server.address(of: "bob")))
            #expect(engine.wait(for: .answered(.dialled)))
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            for key in "12#*9".map(String.init) {
                engine.send(.sendKey(.dialled, key))
                #expect(bob.wait(for: "CALL_DTMF_START") == key)
            }
            engine.send(.measure(.dialled))
            let quality = engine.wait {
                if case .quality(.dialled, let quality) = $0 { quality } else { nil }
            }
            #expect(quality?.codec == "opus")
            #expect(quality?.encryption == "")
            engine.send(.hangUp(.dialled))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of requests that the phone does not take, and of addresses that require encryption.
    @Suite struct OtherRequests {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        @Test(arguments: ["MESSAGE", "PUBLISH", "REFER", "NOTIFY", "INFO", "UPDATE"])
        func requestOutsideOfCallIsRefused(method: String) throws {
            let request = far.request(
                method, callID: "refused", fields: "Event: presence\r\nRefer-To: <sip:x@127.0.0.1>\r\n",
                body: "hello")
            far.send(request.replacingOccurrences(of: "application/sdp", with: "text/plain"))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 ") && $0.contains("refused") })
            #expect(
                ["4", "5", "6"].contains(answer.dropFirst("SIP/2.0 ".count).first.map(String.init)),
                "\(answer)")
            // Nothing was reported before this call.
            far.send(far.request("INVITE", body: ScriptedRegistrar.session))
            let next = engine.wait { event -> SIPEvent? in event }
            guard case .incoming = next else {
                Issue.record("\(String(describing: next)) was reported")
                return
            }
        }

        @Test func secureAddressIsNotCalledInTheClear() throws {
            engine.send(.dial(.dialled, account: "alice", address: "sips:far@127.0.0.1"))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 416))
            #expect(far.receive(seconds: 0.2) { $0.hasPrefix("INVITE ") } == nil)
        }
    }
}

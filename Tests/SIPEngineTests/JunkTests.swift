// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of what stands between messages on a connection.
    @Suite struct Junk {
        /// belle-sip would search it for half a minute.
        @Test(arguments: [SIPAccount.Transport.tcp, .tls])
        func longWordDoesNotStopTheEngine(over transport: SIPAccount.Transport) throws {
            let registrar = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            registrar.send(String(repeating: "%41", count: 20_000) + "\r\n")
            engine.send(.heartbeat(1))
            #expect(engine.wait(for: .heartbeat(1), seconds: 5))
        }

        @Test(arguments: [
            "\r\n\r\n", "junk\r\n", "%%%", "a b c\r\n\r\n", "a b SIP/2.", "\"a=b;", " ", "SIP/2.0 \r\n",
        ])
        func messageBehindJunkIsRead(junk: String) throws {
            let registrar = try FuzzedRegistrar(.tcp)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            engine.send(.refresh)
            let request = try #require(registrar.receiveRegistration(seconds: 10))
            let contact = ScriptedRegistrar.field("Contact", in: request)
            registrar.send(
                junk
                    + ScriptedRegistrar.response(to: request, "200 OK", "Contact: \(contact);expires=600\r\n")
            )
            #expect(engine.waitForRegistration(seconds: 5) == .registered)
            registrar.send("junk\r\n" + registrar.request("OPTIONS", callID: "behind"))
            #expect(
                registrar.receive(seconds: 5) { $0.hasPrefix("SIP/2.0 200") && $0.contains("behind") } != nil)
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of what leaves the machine during a call, with listeners at the addresses that it must not reach.
    @Suite struct Listeners {
        @Test(arguments: [SIPAccount.Transport.tls, .tcp])
        func holdAndKeysByInfoGoThroughTheServer(transport: SIPAccount.Transport) throws {
            let server = try StreamRegistrar()
            let relay = try TLSRelay(to: server.port)
            let stranger = try ScriptedRegistrar(host: "127.0.0.2")
            let engine = try EngineProcess()
            let host = transport == .tls ? "localhost:\(relay.port)" : "127.0.0.1:\(server.port)"
            engine.send(
                .setAccount(
                    SIPAccount(
                        id: "alice", address: "sip:alice@example.org", registrar: "sip:\(host)",
                        transport: transport, encryption: .required, dtmf: .info), password: "x"))
            #expect(server.acceptRegistration() != nil)
            #expect(engine.waitForRegistration() == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@example.org")))
            // The far end wants the requests of the call over UDP, elsewhere.
            let session = transport == .tls ? Secrets.sdes : Secrets.dtls
            let fields =
                "Contact: <sip:x@127.0.0.2:\(stranger.port);transport=udp>\r\nContent-Type: application/sdp\r\n"
            for request in [nil, SIPCommand.call(.dialled, .hold), .call(.dialled, .resume)] {
                if let request { engine.send(request) }
                let invite = try #require(server.receive("INVITE "), "\(String(describing: request))")
                #expect(invite.contains("a=crypto") == (transport == .tls))
                server.send(ScriptedRegistrar.response(to: invite, "200 OK", fields, body: session))
                #expect(server.receive("ACK ") != nil)
                if request == nil { #expect(engine.wait(for: .call(.dialled, .answered))) }
            }
            engine.send(.call(.dialled, .sendKey("5")))
            let info = try #require(server.receive("INFO "))
            #expect(info.contains("Signal=5"))
            // Whoever asks for the password then gets no response.
            server.send(
                ScriptedRegistrar.response(
                    to: info, "401 Unauthorized", "WWW-Authenticate: Digest realm=\"evil\", nonce=\"n\"\r\n"))
            engine.send(.call(.dialled, .hangUp))
            let bye = try #require(server.receive("BYE "))
            #expect(!bye.contains("Authorization:"))
            server.send(ScriptedRegistrar.response(to: bye, "200 OK"))
            // What was sent elsewhere would have arrived before this.
            engine.send(.heartbeat(1))
            #expect(engine.wait(for: .heartbeat(1)))
            #expect(stranger.receive(seconds: 0.1) == nil)
        }

        @Test func directCallStaysBetweenThePhones() throws {
            let registrar = try ScriptedRegistrar()
            let phone = try ScriptedRegistrar(host: "127.0.0.2")
            let engine = try EngineProcess(acceptsDirectCalls: true)
            engine.send(
                .setAccount(
                    SIPAccount(
                        id: "alice", address: "sip:alice@127.0.0.1",
                        registrar: "sip:127.0.0.1:\(registrar.port)",
                        transport: .udp, encryption: .off, dtmf: .info), password: "x"))
            #expect(registrar.acceptRegistration() && engine.waitForRegistration() == .registered)
            phone.meet(registrar)
            let invite = phone.request("INVITE", callID: "direct", body: ScriptedRegistrar.session)
            phone.send(
                invite.replacingOccurrences(of: "<sip:caller@127.0.0.1:", with: "<sip:caller@127.0.0.2:"))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = try #require(phone.receive { $0.hasPrefix("SIP/2.0 200 ") })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            phone.send(phone.request("ACK", callID: "direct", toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
            engine.send(.call(call.id, .sendKey("5")))
            let info = try #require(phone.receive { $0.hasPrefix("INFO ") })
            phone.reply(
                to: info, "401 Unauthorized", "WWW-Authenticate: Digest realm=\"127.0.0.1\", nonce=\"n\"\r\n",
                tag: "caller")
            engine.send(.call(call.id, .hold))
            let hold = try #require(phone.receive { $0.hasPrefix("INVITE ") })
            #expect(!hold.contains("Authorization:"))
            phone.answer(
                hold, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"), tag: "caller",
                contact: "127.0.0.2:\(phone.port)")
            #expect(phone.receive { $0.hasPrefix("ACK ") } != nil)
            engine.send(.call(call.id, .hangUp))
            let bye = try #require(phone.receive { $0.hasPrefix("BYE ") })
            #expect(!bye.contains("Authorization:"))
            phone.reply(to: bye, "200 OK", tag: "caller")
            // The server learns nothing of the call.
            engine.send(.heartbeat(1))
            #expect(engine.wait(for: .heartbeat(1)))
            #expect(
                registrar.receive(seconds: 0.1) {
                    $0.contains("SIP/2.0") && !$0.hasPrefix("REGISTER ") && !$0.hasPrefix("SUBSCRIBE ")
                }
                    == nil)
        }
    }
}

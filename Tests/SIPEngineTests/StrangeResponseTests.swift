// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of responses that differ from their requests, or lead nowhere.
    @Suite struct StrangeResponses {
        private static let challenges =
            "WWW-Authenticate: Digest realm=\"127.0.0.1\", nonce=\"n\"\r\n"
            + "Proxy-Authenticate: Digest realm=\"127.0.0.1\", nonce=\"n\"\r\n"

        /// The engine removes keys that everybody on the way can read; liblinphone then read as many bytes as before, of which
        /// AddressSanitizer tells.
        @Test(arguments: ["183 Progress", "200 OK", "486 Busy Here"])
        func keysInBodyWithoutTypeDoNoHarm(status: String) throws {
            let fixture = try CallFixture()
            let far = fixture.far
            let keys = String(
                repeating: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkg\r\n", count: 200)
            let body = ScriptedRegistrar.session + keys
            let request = far.request("INVITE", callID: fixture.callID, body: body)
            far.send(request.replacingOccurrences(of: "Content-Type: application/sdp\r\n", with: ""))
            #expect(far.isAnswered())
            let invite = try fixture.dial()
            far.reply(to: invite, status, "Contact: <sip:far@127.0.0.1:\(far.port)>\r\n", body: body)
            #expect(far.isAnswered())
        }

        /// liblinphone would keep it, and crash when the next account is set.
        @Test(
            arguments: ["401 Who", "407 Who"],
            [
                "Call-ID: other", "CSeq: 4711 INVITE", "From: <sip:alice@127.0.0.1>;tag=other",
                "From: <sip:alice@127.0.0.1>",
            ])
        func challengeOfAnotherRequestIsIgnored(status: String, field: String) throws {
            let fixture = try CallFixture()
            let (far, engine) = (fixture.far, fixture.engine)
            let invite = try fixture.dial()
            let name = field.prefix { $0 != ":" }
            let lines = ScriptedRegistrar.response(to: invite, status, Self.challenges)
                .components(separatedBy: "\r\n").map { $0.hasPrefix("\(name):") ? field : $0 }
            far.send(lines.joined(separator: "\r\n"))
            #expect(far.isAnswered())
            // The request still waits for its response.
            far.reply(to: invite, "180 Ringing")
            try #require(engine.wait(for: .call(.dialled, .ringing), seconds: 5))
            far.reply(to: invite, "486 Busy Here")
            #expect(engine.waitForEnd(of: .dialled)?.status == 486)
            engine.send(.removeAccount(id: "alice"))
            let end = try #require(far.receive { $0.hasPrefix("REGISTER ") })
            far.reply(to: end, "200 OK")
            #expect(engine.register(at: far, encryption: .off))
            #expect(far.isAnswered())
        }

        /// Values of Contact in redirections; nil stands for none.
        private static let contacts = [
            nil, "*", "<>", "sip:", "<sip:>;q=", "<sip:x@>", "<sip:@>;q=2", "<sip:;lr>", "<sip::5>",
            "<tel:+1>", "\"",
            "<sips:a@127.0.0.1>", "<sip:x@[::1>",
            Array(repeating: "<sips:a@127.0.0.1>", count: 500).joined(separator: ","),
        ]

        private static func field(_ contact: String?) -> String {
            contact.map { "Contact: \($0)\r\n" } ?? ""
        }

        /// Registrations are not redirected; they are tried again as if the server had not been available.
        @Test(arguments: [SIPAccount.Transport.udp, .tcp, .tls])
        func redirectedRegistrationIsTriedAgain(over transport: SIPAccount.Transport) throws {
            let registrar = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            for contact in [nil, "*", "<>", Self.contacts.last ?? nil] {
                engine.send(.refresh)
                let request = try #require(registrar.receiveRegistration(seconds: 10))
                registrar.send(
                    ScriptedRegistrar.response(to: request, "300 Many", Self.field(contact)))
                #expect(engine.waitForRegistration() == .failed(.refused(status: 503, text: "Many")))
                registrar.acceptRegistration(
                    try #require(registrar.receiveRegistration(seconds: 10), "\(contact ?? "none")"))
                #expect(engine.waitForRegistration() == .registered)
            }
        }

        /// Requests of the phone outside of dialogs and in them.
        @Test(arguments: ["300 Many", "302 Moved"])
        func redirectionsDoNotEndTheEngine(status: String) throws {
            let fixture = try CallFixture()
            let (far, engine) = (fixture.far, fixture.engine)
            var seen: Set<String> = []
            for (index, contact) in Self.contacts.enumerated() {
                let ids = (0..<3).map { SIPCallID(rawValue: 6 * index + 2 * $0 + 2) }
                let name = contact ?? "none"
                /// Returns the next request that has not come before.
                func request(_ method: String) throws -> String {
                    try #require(
                        far.receive {
                            $0.hasPrefix("\(method) ")
                                && seen.insert(
                                    method + ScriptedRegistrar.field("Call-ID", in: $0)
                                        + ScriptedRegistrar.field("CSeq", in: $0)
                                ).inserted
                        }, "\(method), \(name)")
                }
                /// Redirects a request, and waits until the engine knows it.
                func redirect(_ request: String) {
                    far.reply(to: request, status, Self.field(contact))
                    #expect(far.isAnswered(), "\(request.prefix { $0 != " " }), \(name)")
                }
                func dial(_ id: SIPCallID) throws -> String {
                    engine.send(.call(id, .dial(account: "alice", address: "sip:far@127.0.0.1")))
                    return try request("INVITE")
                }
                redirect(try dial(ids[0]))
                #expect(engine.waitForEnd(of: ids[0]) != nil, "\(name)")

                let hungUp = try dial(ids[1])
                far.reply(to: hungUp, "180 Ringing")
                #expect(engine.wait(for: .call(ids[1], .ringing)))
                engine.send(.call(ids[1], .hangUp))
                redirect(try request("CANCEL"))
                redirect(hungUp)
                #expect(engine.waitForEnd(of: ids[1]) != nil, "\(name)")

                far.answer(try dial(ids[2]), session: Self.withoutEvents)
                #expect(engine.wait(for: .call(ids[2], .answered)))
                engine.send(.call(ids[2], .sendKey("5")))
                redirect(try request("INFO"))
                engine.send(.call(ids[2], .transferToAddress("sip:x@127.0.0.1")))
                redirect(try request("REFER"))
                #expect(engine.wait(for: .call(ids[2], .transferRefused)))
                engine.send(.call(ids[2], .hold))
                redirect(try request("INVITE"))
                #expect(engine.wait(for: .call(ids[2], .holdRefused)))
                engine.send(.call(ids[2], .hangUp))
                redirect(try request("BYE"))
                #expect(engine.waitForEnd(of: ids[2]) != nil, "\(name)")
            }
        }

        /// A session in which keys are sent by INFO.
        private static let withoutEvents = ScriptedRegistrar.session
            .replacingOccurrences(of: "a=rtpmap:101 telephone-event/8000\r\n", with: "")
            .replacingOccurrences(of: "AVP 8 101", with: "AVP 8")

        /// belle-sip would read it for half a minute.
        @Test(arguments: [
            "Contact", "m", "Record-Route", "Route", "Service-Route", "Path", "P-Preferred-Identity",
        ])
        func longAddressDoesNotStopTheEngine(field: String) throws {
            let fixture = try CallFixture()
            let (far, engine) = (fixture.far, fixture.engine)
            engine.send(.refresh)
            let request = try #require(far.receive { $0.hasPrefix("REGISTER ") })
            let contact = "Contact: \(ScriptedRegistrar.field("Contact", in: request));expires=600\r\n"
            let address = "\(field): <sip:\(String(repeating: "a", count: 6_000))>\r\n"
            far.reply(to: request, "200 OK", address + contact)
            engine.send(.heartbeat(1))
            #expect(engine.wait(for: .heartbeat(1), seconds: 5))
            far.reply(to: request, "200 OK", contact)
            #expect(engine.waitForRegistration() == .registered)
        }

        @Test func manyContactsAreNoLongAddress() throws {
            let fixture = try CallFixture()
            fixture.engine.send(.refresh)
            let request = try #require(fixture.far.receive { $0.hasPrefix("REGISTER ") })
            let others = Array(repeating: "<sip:alice@127.0.0.9>;expires=60", count: 200)
            let own = "\(ScriptedRegistrar.field("Contact", in: request));expires=600"
            fixture.far.reply(
                to: request, "200 OK", "Contact: \((others + [own]).joined(separator: ", "))\r\n")
            #expect(fixture.engine.waitForRegistration() == .registered)
        }

        /// belle-sip would say nothing, or try again at once, because the time in milliseconds is too large for it.
        @Test(arguments: ["480 No", "500 No", "503 No"], ["4294968", "2147483647"])
        func serverMayNotAskForYears(status: String, time: String) throws {
            let fixture = try CallFixture()
            let (far, engine) = (fixture.far, fixture.engine)
            engine.send(.refresh)
            let request = try #require(far.receive { $0.hasPrefix("REGISTER ") })
            far.reply(to: request, status, "Retry-After: \(time)\r\n")
            #expect(engine.waitForRegistration() == .failed(.refused(status: 503, text: "No")))
            #expect(far.receive(seconds: 1.5) { $0.hasPrefix("REGISTER ") } == nil)
        }

        @Test func unknownUserIsNotTriedAgainByRetryAfter() throws {
            let fixture = try CallFixture()
            fixture.engine.send(.refresh)
            let request = try #require(fixture.far.receive { $0.hasPrefix("REGISTER ") })
            fixture.far.reply(to: request, "404 Not Found", "Retry-After: 4294968\r\n")
            #expect(fixture.engine.waitForRegistration() == .failed(.noSuchUser))
        }

        /// The engine also connects to the server to find out why it does not answer.
        @Test(arguments: [SIPAccount.Transport.udp, .tcp, .tls], ["408 Late", "503 No", "600 No"])
        func refusedRegistrationIsTriedAgain(over transport: SIPAccount.Transport, status: String) throws {
            let registrar = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            engine.send(.refresh)
            let request = try #require(registrar.receiveRegistration(seconds: 10))
            registrar.send(ScriptedRegistrar.response(to: request, status))
            #expect(engine.waitForRegistration() != .registered)
            registrar.acceptRegistration(try #require(registrar.receiveRegistration(seconds: 10)))
            #expect(engine.waitForRegistration() == .registered)
        }
    }
}

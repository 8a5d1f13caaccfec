// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of messages for which belle-sip needs much time.
    @Suite struct SlowMessages {
        @Test(arguments: [SIPAccount.Transport.udp, .tcp, .tls])
        func slowMessagesDoNotStopTheEngine(over transport: SIPAccount.Transport) throws {
            let registrar = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            for message in SlowMessage.all {
                let before = time(of: engine)
                registrar.send(message.text(from: registrar.request("OPTIONS")))
                if message.target == nil {
                    let response = ScriptedRegistrar.response(to: registrar.request("OPTIONS"), "200 OK")
                    registrar.send(message.text(from: response))
                }
                try #require(answers(engine, registrar), "after \(message)")
                let needed = time(of: engine) - before
                #expect(needed < 1, "\(message): \(needed) seconds")
            }
        }

        /// The report of a transfer has a message in its body.
        @Test func slowReportDoesNotStopTheEngine() throws {
            let fixture = try CallFixture()
            let (id, _, tag) = try fixture.call()
            fixture.engine.send(.call(id, .transferToAddress("sip:other@127.0.0.1")))
            let refer = try #require(fixture.request("REFER"))
            fixture.far.reply(to: refer, "202 Accepted")
            let fields = String(
                repeating: "Via: SIP/2.0 403 \(String(repeating: "a", count: 650))\r\n", count: 80)
            for (sequence, body) in [
                "SIP/2.0 100 Trying\r\n\(fields)\r\n", "SIP/2.0 100 Trying\r\n", "SIP/2.0 200 OK\r\n",
            ].enumerated() {
                let before = time(of: fixture.engine)
                fixture.far.send(
                    fixture.far.report(body, callID: fixture.callID, sequence: 2 + sequence, toTag: tag))
                #expect(try fixture.response(sequence: 2 + sequence, "NOTIFY").hasPrefix("SIP/2.0 "))
                let needed = time(of: fixture.engine) - before
                #expect(needed < 1, "\(needed) seconds")
            }
            #expect(fixture.engine.waitForEnd(of: id)?.isTransferred == true)
        }

        @Test func longMediumDoesNotStopTheEngine() throws {
            let fixture = try CallFixture()
            let session = ScriptedRegistrar.session.replacingOccurrences(
                of: " 8 101", with: " 8 101" + String(repeating: " 8", count: 29_000))
            let before = time(of: fixture.engine)
            fixture.far.send(fixture.far.request("INVITE", callID: fixture.callID, body: session))
            #expect(try fixture.response().hasPrefix("SIP/2.0 488 "))
            #expect(fixture.far.isAnswered())
            let needed = time(of: fixture.engine) - before
            #expect(needed < 1, "\(needed) seconds")
        }

        /// A call that came through many servers, with the fields of a mobile network and a long session.
        @Test(arguments: [SIPAccount.Transport.udp, .tcp, .tls])
        func longCallOfServersIsTaken(over transport: SIPAccount.Transport) throws {
            let registrar = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            let token = String(repeating: "0a1b2c3d", count: 16)
            let ways = (0..<20).map {
                "Via: SIP/2.0/UDP proxy\($0).region.ims.mnc001.mcc001.3gppnetwork.org:5060;branch=z9hG4bK\(token);received=192.0.2.\($0);rport=5060\r\n"
            }
            let routes = (0..<10).map {
                "Record-Route: <sip:\(token)@proxy\($0).region.ims.mnc001.mcc001.3gppnetwork.org:5060;transport=udp;lr;ftag=\(token)>\r\n"
            }
            let others = [
                "P-Asserted-Identity: \"A Caller\" <sip:+4930123456@ims.mnc001.mcc001.3gppnetwork.org;user=phone>\r\n",
                "P-Charging-Vector: icid-value=\(token);icid-generated-at=192.0.2.1;orig-ioi=\(token)\r\n",
                "P-Access-Network-Info: 3GPP-E-UTRAN-FDD; utran-cell-id-3gpp=\(token)\r\n",
                "History-Info: <sip:+4930123456@example.org?Reason=SIP%3Bcause%3D302>;index=1\r\n",
                "Accept-Contact: *;+g.3gpp.icsi-ref=\"urn%3Aurn-7%3A3gpp-service.ims.icsi.mmtel\"\r\n",
                "Identity: \(token)\(token).\(token)\(token)\(token)\(token).\(token);info=<https://example.org/x>;alg=ES256\r\n",
                "Supported: 100rel, timer, replaces, path, gruu, outbound, precondition, histinfo, norefersub\r\n",
            ]
            let attributes = (0..<150).map {
                "a=candidate:\($0) 1 UDP 2130706431 192.0.2.\($0) \(10_000 + $0) typ host\r\n"
            }
            var lines = registrar.request(
                "INVITE", callID: "long", fields: (routes + others).joined(),
                body: ScriptedRegistrar.session + attributes.joined()
            ).components(separatedBy: "\r\n")
            lines.insert(contentsOf: ways.joined().components(separatedBy: "\r\n").dropLast(), at: 2)
            let invite = lines.joined(separator: "\r\n")
            #expect(invite.utf8.count > 16_000)
            registrar.send(invite)
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = registrar.receive(seconds: 10) {
                $0.hasPrefix("SIP/2.0 200 ") && $0.contains("Call-ID: long\r\n")
            }
            #expect(answer?.contains("@proxy9.region") == true)
        }

        @Test(arguments: [SIPAccount.Transport.udp, .tcp, .tls])
        func manyContactsOfAnAccountAreTaken(over transport: SIPAccount.Transport) throws {
            let registrar = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            try #require(registrar.register(engine))
            engine.send(.refresh)
            let request = try #require(registrar.receiveRegistration(seconds: 10))
            let own = "\(ScriptedRegistrar.field("Contact", in: request));expires=600"
            let others = (0..<50).map {
                "<sip:alice@192.0.2.\($0):5060;transport=udp;line=0a1b2c3d4e5f6071>;expires=600;q=0.5"
                    + ";received=\"sip:198.51.100.\($0):40000\""
                    + ";+sip.instance=\"<urn:uuid:00000000-0000-1000-8000-0000000000\(10 + $0)>\";reg-id=1"
            }
            registrar.send(
                ScriptedRegistrar.response(
                    to: request, "200 OK", "Contact: \((others + [own]).joined(separator: ", "))\r\n"))
            #expect(engine.waitForRegistration() == .registered)
        }

        /// Returns the time of the processor that an engine has used, in seconds.
        private func time(of engine: EngineProcess) -> Double {
            let text = (try? String(contentsOfFile: "/proc/\(engine.processID)/stat", encoding: .utf8)) ?? ""
            // The name in parentheses may have spaces. The times of the program and the kernel are fields 14 and 15.
            let fields = (text.components(separatedBy: ") ").last ?? "").split(separator: " ")
            guard fields.count > 12 else { return 0 }
            return ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0))
                / Double(sysconf(Int32(_SC_CLK_TCK)))
        }

        /// Returns whether an engine answers a request and the phone.
        private func answers(_ engine: EngineProcess, _ registrar: FuzzedRegistrar) -> Bool {
            let callID = UUID().uuidString
            // A datagram may be lost.
            for _ in 0..<2 { registrar.send(registrar.request("OPTIONS", callID: callID)) }
            let isAnswered = registrar.receive(seconds: 10) {
                $0.hasPrefix("SIP/2.0 ") && $0.contains(callID)
            }
            engine.send(.heartbeat(1))
            return isAnswered != nil && engine.wait(for: .heartbeat(1))
        }
    }
}

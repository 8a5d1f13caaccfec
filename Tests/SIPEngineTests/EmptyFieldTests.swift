// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of messages with empty fields, and of what stands before a method.
    @Suite struct EmptyFields {
        /// The fields that belle-sip knows, and others that phones and servers send.
        static let fields = [
            "Accept", "Accept-Contact", "Accept-Encoding", "Accept-Language", "Accept-Resource-Priority",
            "Alert-Info", "Allow", "Allow-Events", "Answer-Mode", "Authentication-Info", "Authorization",
            "Call-ID", "Call-Info", "Contact", "Content-Disposition", "Content-Encoding", "Content-ID",
            "Content-Language", "Content-Length", "Content-Type", "CSeq", "Date", "Diversion", "Error-Info",
            "Event", "Expires", "Feature-Caps", "Flow-Timer", "From", "Geolocation", "History-Info",
            "Identity", "In-Reply-To", "Info-Package", "Join", "Max-Breadth", "Max-Forwards", "MIME-Version",
            "Min-Expires", "Min-SE", "Organization", "P-Access-Network-Info", "P-Asserted-Identity",
            "P-Associated-URI", "P-Called-Party-ID", "P-Charging-Vector", "P-Early-Media",
            "P-Preferred-Identity", "Path", "Priority", "Privacy", "Proxy-Authenticate",
            "Proxy-Authorization", "Proxy-Require", "RAck", "Reason", "Record-Route", "Recv-Info",
            "Refer-Sub",
            "Refer-To", "Referred-By", "Reject-Contact", "Remote-Party-ID", "Replaces", "Reply-To",
            "Request-Disposition", "Require", "Resource-Priority", "Retry-After", "Route", "RSeq",
            "Security-Client", "Server", "Service-Route", "Session-Expires", "Session-ID", "SIP-ETag",
            "SIP-If-Match", "Subject", "Subscription-State", "Supported", "Target-Dialog", "Timestamp", "To",
            "Trigger-Consent", "Unsupported", "User-Agent", "User-to-User", "Via", "Warning",
            "WWW-Authenticate", "X-Any", "c", "f", "i", "k", "l", "m", "o", "r", "s", "t", "u", "v", "x",
        ]
        static let methods = [
            "INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "INFO", "UPDATE", "REFER", "NOTIFY", "MESSAGE",
            "SUBSCRIBE", "PRACK",
        ]
        /// The ways of writing an empty value.
        static let empty = [":", ": ", ":\r\n ", " :\t"]

        /// Returns a message with the field empty, in place of its own.
        static func spoil(_ message: String, _ field: String, _ empty: String) -> String {
            let parts = message.components(separatedBy: "\r\n\r\n")
            let lines = parts[0].components(separatedBy: "\r\n").filter {
                !$0.lowercased().hasPrefix(field.lowercased() + ":")
            }
            return (lines + ["\(field)\(empty)"]).joined(separator: "\r\n") + "\r\n\r\n"
                + parts.dropFirst().joined(separator: "\r\n\r\n")
        }

        private let registrar: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            registrar = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: registrar, encryption: .off))
        }

        @Test func requestsWithEmptyFieldsDoNoHarm() throws {
            registrar.send(registrar.request("INVITE", callID: "call", body: ScriptedRegistrar.session))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = try #require(registrar.receive { $0.hasPrefix("SIP/2.0 200") })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            registrar.send(registrar.request("ACK", callID: "call", toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
            var sequence = 2
            for (index, field) in Self.fields.enumerated() {
                for method in Self.methods {
                    sequence += 1
                    // In the call, but for the last one, which would end it, and outside of it.
                    let isInCall = method != "BYE" && method != "CANCEL"
                    for toTag in isInCall ? [tag, ""] : [""] {
                        let request = registrar.request(
                            method, callID: toTag.isEmpty ? "\(method)-\(index)" : "call", sequence: sequence,
                            fields: "Event: refer\r\nRefer-To: <mailto:x@127.0.0.1>\r\n",
                            body: ["INVITE", "UPDATE"].contains(method) ? ScriptedRegistrar.session : "",
                            toTag: toTag)
                        registrar.send(Self.spoil(request, field, Self.empty[index % Self.empty.count]))
                    }
                }
                // The receive buffers of both sides are small.
                guard registrar.isAnswered() else {
                    Issue.record("the engine does not answer after: \(field)")
                    return
                }
            }
            #expect(engine.isRunning)
        }

        @Test func responsesWithEmptyFieldsDoNoHarm() throws {
            for (index, field) in Self.fields.enumerated() {
                let id = SIPCallID(rawValue: 2 * (index + 1))
                engine.send(.call(id, .dial(account: "alice", address: "sip:far\(index)@127.0.0.1")))
                let invite = try #require(registrar.receive { $0.hasPrefix("INVITE sip:far\(index)@") })
                let empty = Self.empty[index % Self.empty.count]
                for status in ["180 Ringing", "183 Progress", "200 OK", "401 Who", "407 Who", "302 Moved"] {
                    let hasBody = status.hasPrefix("183") || status.hasPrefix("200")
                    let response = ScriptedRegistrar.response(
                        to: invite, status,
                        "Contact: <sip:far@127.0.0.1:\(registrar.port)>\r\n"
                            + (hasBody ? "Content-Type: application/sdp\r\n" : ""),
                        body: hasBody ? ScriptedRegistrar.session : "")
                    registrar.send(Self.spoil(response, field, empty))
                }
                registrar.reply(to: invite, "486 Busy Here")
                engine.send(.call(id, .hangUp))
                guard registrar.isAnswered() else {
                    Issue.record("the engine does not answer after: \(field)")
                    return
                }
            }
            #expect(engine.isRunning)
        }

        @Test(arguments: [SIPAccount.Transport.tcp, .tls])
        func requestsOfConnectionWithEmptyFieldsDoNoHarm(transport: SIPAccount.Transport) throws {
            let server = try FuzzedRegistrar(transport)
            let engine = try EngineProcess()
            #expect(server.register(engine))
            server.send(server.request("INVITE", callID: "call", body: ScriptedRegistrar.session))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = try #require(server.receive(seconds: 10) { $0.hasPrefix("SIP/2.0 200") })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            server.send(server.request("ACK", callID: "call", toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
            var sequence = 2
            for (index, field) in Self.fields.enumerated() where field.lowercased() != "content-length" {
                for method in Self.methods + ["INVITE"] {
                    sequence += 1
                    // In the call, but for some INVITEs, and for what would end it.
                    let isInCall =
                        !["BYE", "CANCEL"].contains(method) && !(method == "INVITE" && sequence % 2 == 0)
                    let request = server.request(
                        method, callID: isInCall ? "call" : "\(method)-\(sequence)", sequence: sequence,
                        fields: "Event: refer\r\nRefer-To: <mailto:x@127.0.0.1>\r\n",
                        body: ["INVITE", "UPDATE"].contains(method) ? ScriptedRegistrar.session : "",
                        toTag: isInCall ? tag : "")
                    server.send(Self.spoil(request, field, Self.empty[index % Self.empty.count]))
                }
                let callID = "probe-\(index)"
                server.send(server.request("OPTIONS", callID: callID))
                guard
                    server.receive(seconds: 10, where: { $0.hasPrefix("SIP/2.0 ") && $0.contains(callID) })
                        != nil
                else {
                    Issue.record("the engine does not answer after: \(field)")
                    return
                }
            }
            #expect(engine.isRunning)
        }

        @Test func strangersDoNotCallBehindAPrefix() throws {
            var texts: [String] = []
            for prefix in [
                "SIP/", "SIP/2.0", "SIP/2.0 ", "SIP/2.0 200 ", "SIP/2.0 200 OK\r\n", "sip/", "SIP/2.0/",
                "SIP ",
                "HTTP/1.1 200 OK\r\n\r\n", "\r\n", "\r\n\r\n", "\t", " ",
            ] {
                texts += Self.methods.map { method in
                    prefix
                        + registrar.request(
                            method, callID: UUID().uuidString,
                            body: method == "INVITE" ? ScriptedRegistrar.session : "")
                }
            }
            try registrar.sendAsStranger(texts, rate: 2_000)
            #expect(registrar.isAnswered())
            registrar.send(registrar.request("INVITE", body: ScriptedRegistrar.session))
            // A call of a stranger would have a smaller number.
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }

        @Test func farEndDoesNotCallBehindAPrefix() throws {
            let far = try ScriptedRegistrar(host: "127.0.0.2")
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive { $0.hasPrefix("INVITE ") })
            registrar.answer(invite, contact: "127.0.0.2:\(far.port)")
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            let call = far.request("INVITE", callID: "far", body: ScriptedRegistrar.session)
            for prefix in [
                "SIP/", "X/", "(", "\"", "<", "[", "@", ",", ";", ":", "=", "?", "{", "\\", "\u{7f}",
            ] {
                far.send(prefix + call.replacingOccurrences(of: "far\r\n", with: "\(UUID().uuidString)\r\n"))
            }
            // One inside of a message, and one behind it.
            let info = far.request(
                "INFO", callID: "x", body: far.request("INVITE", body: ScriptedRegistrar.session))
            far.send(info.replacingOccurrences(of: "INFO sip", with: "(INFO sip"))
            far.send(far.request("INFO", callID: "y") + call)
            #expect(far.isAnswered())
            registrar.send(registrar.request("INVITE", body: ScriptedRegistrar.session))
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the summaries of a mailbox (RFC 3842), with and without a subscription.
    @Suite struct Mailboxes {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        private static let summary =
            "Messages-Waiting: yes\r\nMessage-Account: sip:*98@127.0.0.1\r\nVoice-Message: 3/8 (0/2)\r\n"

        /// Returns the next request to subscribe or to end a subscription; nil if none comes in time.
        private func subscription(seconds: Double = 10) -> String? {
            far.receive(seconds: seconds) { $0.hasPrefix("SUBSCRIBE ") }
        }

        /// Accepts the subscription that the engine asks for.
        private func accept(expires: Int = 600) throws -> String {
            let request = try #require(subscription())
            far.reply(
                to: request, "200 OK", "Expires: \(expires)\r\nContact: <sip:mail@127.0.0.1:\(far.port)>\r\n")
            return request
        }

        /// Sends a summary, within a subscription if there is one; returns the status of the response.
        private func notify(
            _ body: String, in subscription: String? = nil, state: String = "active;expires=600",
            type: String = "application/simple-message-summary", sequence: Int = 1, user: String = "alice"
        ) throws -> Int {
            let field = { ScriptedRegistrar.field($0, in: subscription ?? "") }
            let callID = subscription == nil ? UUID().uuidString : field("Call-ID")
            var text = far.request(
                "NOTIFY", callID: callID, sequence: sequence,
                fields: "Event: message-summary\r\nSubscription-State: \(state)\r\n", body: body)
            text = text.replacingOccurrences(of: "application/sdp", with: type)
                .replacingOccurrences(of: "To: <sip:alice@", with: "To: <sip:\(user)@")
            if subscription != nil {
                text = text.replacingOccurrences(
                    of: "From: \(ScriptedRegistrar.caller);tag=caller",
                    with: "From: \(field("To"));tag=registrar"
                )
                .replacingOccurrences(of: "To: <sip:alice@127.0.0.1>", with: "To: \(field("From"))")
            }
            far.send(text)
            let response = try #require(
                far.receive {
                    $0.hasPrefix("SIP/2.0 ") && $0.contains(callID) && $0.contains("CSeq: \(sequence) NOTIFY")
                })
            return Int(response.dropFirst("SIP/2.0 ".count).prefix(3)) ?? 0
        }

        private func mailbox(seconds: Double = 10) -> SIPMailbox? {
            engine.wait(seconds: seconds) {
                if case .mailbox("alice", let mailbox) = $0 { mailbox } else { nil }
            }
        }

        @Test func registeredAccountSubscribes() throws {
            let request = try accept()
            #expect(ScriptedRegistrar.field("Event", in: request) == "message-summary")
            #expect(ScriptedRegistrar.field("Accept", in: request) == "application/simple-message-summary")
            #expect(ScriptedRegistrar.field("To", in: request).contains("sip:alice@127.0.0.1"))
            #expect(try notify(Self.summary, in: request) == 200)
            #expect(mailbox() == SIPMailbox(newMessages: 3, address: "sip:*98@127.0.0.1"))
            #expect(try notify("Messages-Waiting: no\r\n", in: request, sequence: 2) == 200)
            #expect(mailbox() == SIPMailbox(newMessages: 0))
        }

        /// The server may send the summary before it accepts the subscription (RFC 6665, section 4.1.2.4).
        @Test func summaryOvertakesAcceptance() throws {
            let request = try #require(subscription())
            #expect(try notify(Self.summary, in: request) == 200)
            #expect(mailbox()?.newMessages == 3)
            far.reply(to: request, "200 OK", "Expires: 600\r\nContact: <sip:mail@127.0.0.1:\(far.port)>\r\n")
            #expect(try notify("Messages-Waiting: no\r\n", in: request, sequence: 2) == 200)
            #expect(mailbox()?.newMessages == 0)
        }

        @Test func subscriptionIsRenewed() throws {
            let first = try accept(expires: 5)
            let second = try #require(subscription(seconds: 15))
            #expect(
                ScriptedRegistrar.field("Call-ID", in: second)
                    == ScriptedRegistrar.field("Call-ID", in: first))
            #expect(ScriptedRegistrar.field("To", in: second).contains("tag=registrar"))
            #expect(ScriptedRegistrar.field("Expires", in: second) != "0")
        }

        @Test func unansweredSubscriptionIsReplaced() throws {
            let first = try #require(subscription())
            engine.send(.refresh)
            #expect(far.acceptRegistration())
            let second = try #require(
                far.receive {
                    $0.hasPrefix("SUBSCRIBE ")
                        && ScriptedRegistrar.field("Call-ID", in: $0)
                            != ScriptedRegistrar.field("Call-ID", in: first)
                })
            far.reply(to: second, "200 OK", "Expires: 600\r\nContact: <sip:mail@127.0.0.1:\(far.port)>\r\n")
            #expect(try notify(Self.summary, in: second) == 200)
            #expect(mailbox()?.newMessages == 3)
        }

        @Test func subscriptionEndsWithAccount() throws {
            _ = try accept()
            #expect(try notify(Self.summary) == 200)
            engine.send(.removeAccount(id: "alice"))
            let end = try #require(subscription())
            #expect(ScriptedRegistrar.field("Expires", in: end) == "0")
        }

        @Test(arguments: [489, 405, 403, 404, 501])
        func serverThatRefusesIsNotAskedAgain(status: Int) throws {
            far.reply(to: try #require(subscription()), "\(status) No")
            // It may send summaries nevertheless.
            #expect(try notify(Self.summary) == 200)
            #expect(mailbox()?.newMessages == 3)
            #expect(subscription(seconds: 3) == nil)
            // Another registration asks again.
            engine.send(.refresh)
            #expect(far.acceptRegistration())
            #expect(subscription() != nil)
        }

        @Test(arguments: [
            ("deactivated", true), ("timeout", true), ("rejected", false), ("noresource", false),
        ])
        func endedSubscriptionBeginsAgain(reason: String, isRepeated: Bool) throws {
            let request = try accept()
            #expect(try notify(Self.summary, in: request) == 200)
            #expect(mailbox() != nil)
            #expect(try notify("", in: request, state: "terminated;reason=\(reason)", sequence: 2) == 200)
            let next = subscription(seconds: isRepeated ? 10 : 3)
            #expect((next != nil) == isRepeated)
            if let next {
                #expect(
                    ScriptedRegistrar.field("Call-ID", in: next)
                        != ScriptedRegistrar.field("Call-ID", in: request))
            }
        }

        /// Bodies that the registrar may send, the status of the response, and the mailbox that is reported; nil if none is.
        @Test(
            arguments: [
                ("Messages-Waiting: yes", 200, SIPMailbox(newMessages: nil)),
                ("messages-waiting:YES\nvoice-message: 2/0", 200, SIPMailbox(newMessages: 2)),
                ("Messages-Waiting: yes\r\nVoice-Message: -3/2", 200, SIPMailbox(newMessages: nil)),
                (
                    "Messages-Waiting: yes\r\nVoice-Message: 99999999999999999999/1", 200,
                    SIPMailbox(newMessages: 9_999)
                ),
                ("Messages-Waiting: yes\r\nVoice-Message: 4294967295/1", 200, SIPMailbox(newMessages: 9_999)),
                ("Messages-Waiting: yes\r\nVoice-Message: 2", 200, SIPMailbox(newMessages: nil)),
                (
                    "Messages-Waiting: yes\r\nFax-Message: 2/8\r\nVoice-Message: 0/8", 200,
                    SIPMailbox(newMessages: 0)
                ),
                ("Messages-Waiting: no\r\nVoice-Message: 7/8", 200, SIPMailbox(newMessages: 0)),
                (
                    "Messages-Waiting: yes\r\nMessage-Account: tel:+15551234\r\nVoice-Message: 1/0", 200,
                    SIPMailbox(newMessages: 1, address: "tel:+15551234")
                ),
                (
                    "Messages-Waiting: yes\r\nMessage-Account: http://example.org/\r\nVoice-Message: 1/0",
                    200,
                    SIPMailbox(newMessages: 1)
                ),
                (
                    "Messages-Waiting: yes\r\nMessage-Account: sip:\(String(repeating: "x", count: 2000))@y\r\nVoice-Message: 1/0",
                    200, SIPMailbox(newMessages: 1)
                ),
                (
                    "Messages-Waiting: yes\r\n" + String(repeating: "X: y\r\n", count: 100)
                        + "Voice-Message: 1/0", 200,
                    SIPMailbox(newMessages: nil)
                ),
                ("Messages-Waiting: maybe", 400, nil), ("Voice-Message: 1/0", 400, nil),
                ("\0\0\u{1B}[2J", 400, nil),
                (":", 400, nil), ("", 200, nil),
                ("Messages-Waiting: yes\r\n" + String(repeating: "X", count: 5_000), 413, nil),
            ] as [(String, Int, SIPMailbox?)])
        func summaryIsBounded(_ body: String, status: Int, mailbox expected: SIPMailbox?) throws {
            #expect(try notify(body) == status)
            if let expected { #expect(mailbox() == expected) }
            // Nothing else was reported, and the engine lives.
            #expect(try notify("Messages-Waiting: yes\r\nVoice-Message: 42/0\r\n") == 200)
            #expect(mailbox() == SIPMailbox(newMessages: 42))
        }

        @Test func summaryOfOtherTypeOrUserIsRefused() throws {
            #expect(try notify(Self.summary, type: "text/plain") == 415)
            _ = engine.register(as: "bob", at: try ScriptedRegistrar(), encryption: .off)
            #expect(try notify(Self.summary, user: "mallory") == 404)
            #expect(try notify("Messages-Waiting: yes\r\nVoice-Message: 42/0\r\n") == 200)
            #expect(mailbox() == SIPMailbox(newMessages: 42))
        }

        @Test func sameSummaryIsReportedOnce() throws {
            for _ in 0..<3 { #expect(try notify(Self.summary) == 200) }
            #expect(try notify("Messages-Waiting: no\r\n") == 200)
            #expect(mailbox()?.newMessages == 3)
            #expect(mailbox()?.newMessages == 0)
        }

        /// Strangers may call this phone directly, and no more.
        @Test func strangersChangeNoMailbox() throws {
            let open = try EngineProcess(acceptsDirectCalls: true)
            let registrar = try ScriptedRegistrar()
            #expect(open.register(at: registrar, encryption: .off))
            let text = { (count: Int) in
                registrar.request(
                    "NOTIFY", fields: "Event: message-summary\r\nSubscription-State: active\r\n",
                    body: "Messages-Waiting: yes\r\nVoice-Message: \(count)/0\r\n"
                ).replacingOccurrences(of: "application/sdp", with: "application/simple-message-summary")
            }
            let foreign = text(7).replacingOccurrences(
                of: "127.0.0.1:\(registrar.port);branch", with: "127.0.0.2;branch")
            try registrar.sendAsStranger([foreign, foreign], rate: 100)
            registrar.send(text(5))
            let first = open.wait { if case .mailbox(_, let mailbox) = $0 { mailbox } else { nil } }
            #expect(first == SIPMailbox(newMessages: 5))
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of extensions that are watched (RFC 4235), and of calls that are picked up there (RFC 3891).
    @Suite struct Extensions {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        private static let address = "sip:102@127.0.0.1"

        /// The far end of a call that rings at the extension.
        private static let caller =
            "<remote><identity display=\"Grace\">sip:grace@127.0.0.1</identity><target uri=\"sip:grace@127.0.0.1\"/></remote>"

        /// Returns a dialog of the extension.
        private static func dialog(
            _ state: String = "early", id: String = "1", direction: String? = "recipient",
            call: String = "call-1", tags: Bool = true, remote: String = caller
        ) -> String {
            "<dialog id=\"\(id)\" call-id=\"\(call)\""
                + (tags ? " local-tag=\"own\" remote-tag=\"far\"" : "")
                + (direction.map { " direction=\"\($0)\"" } ?? "")
                + "><state>\(state)</state>\(remote)</dialog>"
        }

        private static func document(
            _ dialogs: String = "", version: String = "1", state: String = "full", entity: String = address
        ) -> String {
            "<?xml version=\"1.0\"?>\n<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\""
                + " version=\"\(version)\" state=\"\(state)\" entity=\"\(entity)\">\(dialogs)</dialog-info>"
        }

        /// Returns the next request to subscribe to an extension, or to end that; nil if none comes in time.
        private func subscription(to user: String = "102", seconds: Double = 10) -> String? {
            far.receive(seconds: seconds) {
                $0.hasPrefix("SUBSCRIBE sip:\(user)@")
                    && ScriptedRegistrar.field("Event", in: $0).hasPrefix("dialog")
            }
        }

        private func accept(_ request: String, expires: Int = 600) {
            far.reply(
                to: request, "200 OK", "Expires: \(expires)\r\nContact: <sip:102@127.0.0.1:\(far.port)>\r\n")
        }

        /// Watches an extension, to which the registrar lets the engine subscribe.
        ///
        /// Returns the request.
        private func watch(expires: Int = 600) throws -> String {
            engine.send(.watch(account: "alice", addresses: [Self.address]))
            let request = try #require(subscription())
            accept(request, expires: expires)
            return request
        }

        /// Tells of an extension within a subscription; returns the status of the response.
        private func notify(
            _ body: String, in subscription: String, sequence: Int = 1, state: String = "active;expires=600",
            type: String = "application/dialog-info+xml", callID: String? = nil
        ) throws -> Int {
            let field = { ScriptedRegistrar.field($0, in: subscription) }
            let callID = callID ?? field("Call-ID")
            let text = far.request(
                "NOTIFY", callID: callID, sequence: sequence,
                fields: "Event: dialog\r\nSubscription-State: \(state)\r\n", body: body
            )
            .replacingOccurrences(of: "application/sdp", with: type)
            .replacingOccurrences(
                of: "From: \(ScriptedRegistrar.caller);tag=caller", with: "From: \(field("To"));tag=registrar"
            )
            .replacingOccurrences(of: "To: <sip:alice@127.0.0.1>", with: "To: \(field("From"))")
            far.send(text)
            let response = try #require(
                far.receive {
                    $0.hasPrefix("SIP/2.0 ") && $0.contains(callID) && $0.contains("CSeq: \(sequence) NOTIFY")
                })
            return Int(response.dropFirst("SIP/2.0 ".count).prefix(3)) ?? 0
        }

        /// Returns the next report of the extension; nil if none comes in time.
        private func report(of address: String = address, seconds: Double = 10) -> SIPExtension? {
            engine.wait(seconds: seconds) {
                if case .extension("alice", address, let state) = $0 { state } else { nil }
            }
        }

        private static let ringing = SIPExtension(
            .ringing, canBePickedUp: true,
            caller: SIPParty(address: "sip:grace@127.0.0.1", displayName: "Grace"))

        /// A secure address would be sent in the open.
        @Test func secureAddressIsNotWatchedInTheOpen() throws {
            engine.send(
                .watch(
                    account: "alice",
                    addresses: ["sips:anna@127.0.0.1", "sip:\r\n@127.0.0.1", Self.address]))
            #expect(subscription() != nil)
            #expect(subscription(to: "anna", seconds: 0.5) == nil)
        }

        @Test func extensionIsWatched() throws {
            let request = try watch()
            #expect(ScriptedRegistrar.field("Event", in: request) == "dialog")
            #expect(ScriptedRegistrar.field("Accept", in: request) == "application/dialog-info+xml")
            #expect(ScriptedRegistrar.field("To", in: request).contains(Self.address))
            #expect(ScriptedRegistrar.field("From", in: request).contains("sip:alice@127.0.0.1"))
            #expect(try notify(Self.document(), in: request) == 200)
            #expect(report() == SIPExtension(.free))
            let partial = Self.document(Self.dialog(), version: "2", state: "partial")
            #expect(try notify(partial, in: request, sequence: 2) == 200)
            #expect(report() == Self.ringing)
            let answered = Self.document(Self.dialog("confirmed"), version: "3", state: "partial")
            #expect(try notify(answered, in: request, sequence: 3) == 200)
            #expect(report() == SIPExtension(.busy))
            let over = Self.document(Self.dialog("terminated"), version: "4", state: "partial")
            #expect(try notify(over, in: request, sequence: 4) == 200)
            #expect(report() == SIPExtension(.free))
        }

        /// Some registrars tell before they accept (RFC 6665, section 4.1.2.4), or say nothing of an extension without calls.
        @Test func stateOvertakesAcceptance() throws {
            engine.send(.watch(account: "alice", addresses: [Self.address]))
            let request = try #require(subscription())
            #expect(try notify("", in: request, state: "pending") == 200)
            #expect(try notify("", in: request, sequence: 2) == 200)
            #expect(report() == SIPExtension(.free))
            accept(request)
            #expect(try notify(Self.document(Self.dialog()), in: request, sequence: 3) == 200)
            #expect(report() == Self.ringing)
        }

        @Test func subscriptionIsRenewedAndEndsWithTheKey() throws {
            let first = try watch(expires: 5)
            #expect(try notify(Self.document(), in: first) == 200)
            let second = try #require(subscription(seconds: 15))
            #expect(
                ScriptedRegistrar.field("Call-ID", in: second)
                    == ScriptedRegistrar.field("Call-ID", in: first))
            accept(second)
            // The engine has handled the answer before this.
            #expect(try notify(Self.document(version: "2"), in: first, sequence: 2) == 200)
            engine.send(.watch(account: "alice", addresses: []))
            let end = try #require(subscription())
            #expect(ScriptedRegistrar.field("Expires", in: end) == "0")
            accept(end, expires: 0)
            // What comes late is of no interest.
            #expect(try notify(Self.document(Self.dialog()), in: first, sequence: 3) == 481)
        }

        /// The first request and its renewal may have no response when the key is cleared.
        @Test(arguments: [true, false]) func subscriptionEndsOnceItsRequestIsAnswered(isRenewal: Bool) throws
        {
            engine.send(.watch(account: "alice", addresses: [Self.address]))
            var request = try #require(subscription())
            if isRenewal {
                accept(request, expires: 5)
                #expect(try notify(Self.document(), in: request) == 200)
                request = try #require(subscription(seconds: 15))
            }
            engine.send(.watch(account: "alice", addresses: []))
            // The engine has handled the command before this, because nothing rings.
            engine.send(.call(.dialled, .pickUp(account: "alice", address: Self.address)))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 481))
            accept(request)
            let end = try #require(
                far.receive {
                    $0.hasPrefix("SUBSCRIBE sip:102@") && ScriptedRegistrar.field("Expires", in: $0) == "0"
                })
            #expect(
                ScriptedRegistrar.field("Call-ID", in: end)
                    == ScriptedRegistrar.field("Call-ID", in: request))
            accept(end, expires: 0)
            #expect(try notify(Self.document(Self.dialog()), in: end, sequence: 9) == 481)
        }

        /// Nobody has to be told of a subscription that was refused.
        @Test func refusedSubscriptionThatIsNotWantedEnds() throws {
            engine.send(.watch(account: "alice", addresses: [Self.address]))
            let request = try #require(subscription())
            engine.send(.watch(account: "alice", addresses: []))
            engine.send(.call(.dialled, .pickUp(account: "alice", address: Self.address)))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 481))
            far.reply(to: request, "489 Bad Event")
            engine.send(.watch(account: "alice", addresses: [Self.address]))
            let next = try #require(
                far.receive {
                    $0.hasPrefix("SUBSCRIBE sip:102@")
                        && ScriptedRegistrar.field("Call-ID", in: $0)
                            != ScriptedRegistrar.field("Call-ID", in: request)
                })
            accept(next)
            #expect(try notify(Self.document(), in: next) == 200)
            #expect(report() == SIPExtension(.free))
        }

        @Test(arguments: [true, false]) func subscriptionEndsWithAccountAndEngine(isAccount: Bool) throws {
            let request = try watch()
            #expect(try notify(Self.document(), in: request) == 200)
            if isAccount { engine.send(.removeAccount(id: "alice")) } else { engine.close() }
            let end = try #require(subscription())
            #expect(ScriptedRegistrar.field("Expires", in: end) == "0")
        }

        @Test func serverThatRefusesIsNotAskedAgain() throws {
            engine.send(.watch(account: "alice", addresses: [Self.address]))
            far.reply(to: try #require(subscription()), "489 Bad Event")
            #expect(subscription(seconds: 3) == nil)
            engine.send(.refresh)
            #expect(far.acceptRegistration())
            #expect(subscription() != nil)
        }

        @Test func extensionWhoseSubscriptionEndsIsUnknown() throws {
            let request = try watch()
            #expect(try notify(Self.document(Self.dialog("confirmed")), in: request) == 200)
            #expect(report() == SIPExtension(.busy))
            #expect(try notify("", in: request, sequence: 2, state: "terminated;reason=timeout") == 200)
            #expect(report() == SIPExtension(.unknown))
            let next = try #require(subscription())
            #expect(
                ScriptedRegistrar.field("Call-ID", in: next)
                    != ScriptedRegistrar.field("Call-ID", in: request))
            accept(next)
            // The numbers of documents begin anew.
            #expect(try notify(Self.document(version: "0"), in: next) == 200)
            #expect(report() == SIPExtension(.free))
        }

        @Test func nineExtensionsAreWatchedAtMost() throws {
            let addresses = (0..<40).map { "sip:\(100 + $0 % 20)@127.0.0.1" }
            engine.send(.watch(account: "alice", addresses: addresses))
            for number in 100..<109 { accept(try #require(subscription(to: "\(number)"))) }
            #expect(subscription(to: "109", seconds: 2) == nil)
        }

        /// A document that did not arrive (RFC 4235, section 4.3) is asked for, with all others.
        @Test func gapIsFilled() throws {
            let request = try watch()
            #expect(try notify(Self.document(), in: request) == 200)
            #expect(report() == SIPExtension(.free))
            let later = Self.document(
                Self.dialog("confirmed", id: "2"), version: "3", state: "partial")
            #expect(try notify(later, in: request, sequence: 2) == 200)
            #expect(report() == SIPExtension(.busy))
            let again = try #require(subscription())
            #expect(
                ScriptedRegistrar.field("Call-ID", in: again)
                    == ScriptedRegistrar.field("Call-ID", in: request))
            #expect(ScriptedRegistrar.field("Expires", in: again) != "0")
            accept(again)
            #expect(try notify(Self.document(version: "4"), in: request, sequence: 3) == 200)
            #expect(report() == SIPExtension(.free))
        }

        /// A registrar that remembers subscriptions, but not the numbers of their documents, is started again.
        @Test func versionsBeginAnew() throws {
            let request = try watch()
            #expect(try notify(Self.document(version: "500"), in: request) == 200)
            #expect(report() == SIPExtension(.free))
            #expect(try notify(Self.document(Self.dialog(), version: "0"), in: request, sequence: 2) == 200)
            let again = try #require(subscription())
            #expect(ScriptedRegistrar.field("Expires", in: again) != "0")
            accept(again)
            #expect(try notify(Self.document(Self.dialog(), version: "1"), in: request, sequence: 3) == 200)
            #expect(report() == Self.ringing)
        }

        /// Bodies that a registrar may send, and the status of the response; none of them changes anything.
        @Test(
            arguments: [
                ("", 200), ("<", 400), ("<dialog-info/>", 400), ("hello", 400), ("\0\0", 400),
                (Self.document(Self.dialog(), version: "0"), 200),
                (Self.document(Self.dialog(), version: "1"), 200),
                (Self.document(Self.dialog(), version: "-5"), 400),
                (Self.document(Self.dialog(), version: "99999999999999999999"), 400),
                (Self.document(Self.dialog(), version: "2", state: "some"), 400),
                (Self.document(Self.dialog(), version: "2", entity: "sip:mallory@127.0.0.1"), 403),
                (Self.document(Self.dialog(), version: "2", entity: ""), 403),
                (
                    Self.document(Self.dialog(), version: "2").replacingOccurrences(
                        of: "dialog-info\"", with: "x\""), 400
                ),
                (Self.document(Self.dialog(), version: "2") + "<more/>", 400),
                (
                    Self.document(Self.dialog(), version: "2").replacingOccurrences(
                        of: "?>\n", with: "?><!DOCTYPE a [<!ENTITY b \"c\">]>"), 400
                ),
                (
                    Self.document(Self.dialog(), version: "2").replacingOccurrences(
                        of: "?>\n", with: "?><!DOCTYPE dialog-info SYSTEM \"file:///etc/passwd\">"), 400
                ),
                (Self.document(String(repeating: "<a>", count: 40), version: "2"), 400),
                (Self.document(String(repeating: "x", count: 33_000), version: "2"), 413),
            ] as [(String, Int)])
        func hostileBodyChangesNothing(_ body: String, status: Int) throws {
            let request = try watch()
            #expect(try notify(Self.document(version: "1"), in: request) == 200)
            #expect(report() == SIPExtension(.free))
            #expect(try notify(body, in: request, sequence: 2) == status)
            // Nothing else was reported, and the engine lives.
            let busy = Self.document(Self.dialog("confirmed"), version: "2", state: "partial")
            #expect(try notify(busy, in: request, sequence: 3) == 200)
            #expect(report() == SIPExtension(.busy))
        }

        @Test func endlessDialogsAreBounded() throws {
            let request = try watch()
            var version = 0
            for round in 0..<20 {
                version += 1
                let dialogs = (0..<100).map {
                    Self.dialog("confirmed", id: "\(round)-\($0)", remote: "")
                }
                let body = Self.document(
                    dialogs.joined(), version: "\(version)", state: round == 0 ? "full" : "partial")
                #expect(try notify(body, in: request, sequence: version) == 200)
            }
            #expect(report() == SIPExtension(.busy))
            #expect(
                try notify(Self.document(version: "\(version + 1)"), in: request, sequence: version + 1)
                    == 200)
            #expect(report() == SIPExtension(.free))
        }

        @Test func othersTellNothing() throws {
            let request = try watch()
            #expect(try notify(Self.document(Self.dialog()), in: request, callID: UUID().uuidString) == 481)
            for type in ["text/plain", "multipart/related;type=\"application/rlmi+xml\";boundary=b"] {
                #expect(try notify(Self.document(Self.dialog()), in: request, type: type) == 415)
            }
            #expect(try notify(Self.document(), in: request, sequence: 2) == 200)
            #expect(report() == SIPExtension(.free))
            let text = far.request(
                "NOTIFY", callID: ScriptedRegistrar.field("Call-ID", in: request), sequence: 3,
                fields: "Event: dialog\r\nSubscription-State: active\r\n",
                body: Self.document(Self.dialog(), version: "2")
            )
            .replacingOccurrences(of: "application/sdp", with: "application/dialog-info+xml")
            .replacingOccurrences(of: "127.0.0.1:\(far.port);branch", with: "127.0.0.2;branch")
            try far.sendAsStranger([text, text], rate: 100)
            let busy = Self.document(Self.dialog("confirmed"), version: "2", state: "partial")
            #expect(try notify(busy, in: request, sequence: 4) == 200)
            #expect(report() == SIPExtension(.busy))
        }

        // MARK: - Pickup

        /// Watches an extension at which a call rings.
        private func ring(_ dialogs: String = dialog()) throws {
            let request = try watch()
            #expect(try notify(Self.document(dialogs), in: request) == 200)
            #expect(report()?.state == .ringing)
        }

        private func pickUp() {
            engine.send(.call(.dialled, .pickUp(account: "alice", address: Self.address)))
        }

        private func invitation(seconds: Double = 10) -> String? {
            far.receive(seconds: seconds) { $0.hasPrefix("INVITE ") }
        }

        private static let replaces = "call-1;to-tag=far;from-tag=own;early-only"

        /// Returns the parts of a field, whose order does not matter.
        private func parts(_ name: String, in message: String) -> Set<Substring> {
            Set(ScriptedRegistrar.field(name, in: message).split(separator: ";"))
        }

        @Test func ringingCallIsPickedUp() throws {
            try ring()
            pickUp()
            let invite = try #require(invitation())
            #expect(invite.hasPrefix("INVITE sip:grace@127.0.0.1 "))
            #expect(parts("Replaces", in: invite) == Set(Self.replaces.split(separator: ";")))
            #expect(ScriptedRegistrar.field("Require", in: invite) == "replaces")
            far.answer(invite)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            // Only the first request replaces a call.
            engine.send(.call(.dialled, .hold))
            let hold = try #require(
                far.receive {
                    $0.hasPrefix("INVITE ") && ScriptedRegistrar.tag(of: "To", in: $0) == "registrar"
                })
            #expect(ScriptedRegistrar.field("Replaces", in: hold) == "")
            far.answer(hold)
        }

        /// The dialogs, and whether a call can be picked up by them.
        @Test(
            arguments: [
                (Self.dialog(tags: false), false), (Self.dialog(remote: ""), false),
                (Self.dialog(call: "a b"), false), (Self.dialog(call: "a&#13;&#10;X: y"), false),
                (Self.dialog(remote: "<remote><target uri=\"http://example.org/\"/></remote>"), false),
                (Self.dialog(remote: "<remote><identity>sip:grace@127.0.0.1</identity></remote>"), true),
                (Self.dialog(direction: nil), true),
                (Self.dialog("confirmed", id: "0") + Self.dialog(), true),
                (Self.dialog(id: "0", tags: false) + Self.dialog(), true), (Self.dialog("proceeding"), true),
            ] as [(String, Bool)])
        func callIsPickedUpIfItIsKnown(_ dialogs: String, isPossible: Bool) throws {
            let request = try watch()
            #expect(try notify(Self.document(dialogs), in: request) == 200)
            let state = try #require(report())
            #expect(state.state == .ringing && state.canBePickedUp == isPossible)
            pickUp()
            if isPossible {
                #expect(invitation()?.contains("call-1;") == true)
            } else {
                #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 481))
                #expect(invitation(seconds: 1) == nil)
            }
        }

        /// The extension's own calls do not ring there.
        @Test func nobodyIsCalledIfNoneRings() throws {
            let request = try watch()
            #expect(
                try notify(Self.document(Self.dialog(direction: "initiator")), in: request) == 200)
            #expect(report() == SIPExtension(.busy))
            pickUp()
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 481))
            engine.send(
                .call(
                    SIPCallID(rawValue: 4), .pickUp(account: "alice", address: "sip:stranger@127.0.0.1")))
            #expect(engine.waitForEnd(of: SIPCallID(rawValue: 4)) == SIPEnd(.phone, status: 481))
            #expect(invitation(seconds: 1) == nil)
        }

        @Test(arguments: ["481 Gone", "486 Busy Here", "420 Bad Extension"])
        func refusedPickupCallsNobody(status: String) throws {
            try ring()
            pickUp()
            far.reply(to: try #require(invitation()), status)
            #expect(engine.waitForEnd(of: .dialled)?.status == Int(status.prefix(3)))
            #expect(invitation(seconds: 1) == nil)
        }

        @Test func pickupIsNotRedirected() throws {
            try ring()
            pickUp()
            far.reply(
                to: try #require(invitation()), "302 Moved",
                "Contact: <sip:elsewhere@127.0.0.1:\(far.port)>\r\n")
            #expect(engine.waitForEnd(of: .dialled) != nil)
            #expect(invitation(seconds: 1) == nil)
        }

        /// Somebody else takes over the call of this phone, which rings elsewhere, but not one that was answered.
        @Test(arguments: [true, false]) func ownCallIsPickedUpWhileItRings(isAnswered: Bool) throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: Self.address)))
            let invite = try #require(invitation())
            if isAnswered {
                far.answer(invite)
                #expect(engine.wait(for: .call(.dialled, .answered)))
            } else {
                far.reply(to: invite, "180 Ringing", "Contact: <sip:102@127.0.0.1:\(far.port)>\r\n")
                #expect(engine.wait(for: .call(.dialled, .ringing)))
            }
            let callID = UUID().uuidString
            let replaces =
                "\(ScriptedRegistrar.field("Call-ID", in: invite));to-tag="
                + "\(ScriptedRegistrar.tag(of: "From", in: invite));from-tag=registrar;early-only"
            far.send(
                far.request(
                    "INVITE", callID: callID, fields: "Replaces: \(replaces)\r\nRequire: replaces\r\n",
                    body: ScriptedRegistrar.session))
            let answer = try #require(
                far.receive {
                    $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 1") && $0.contains(callID)
                })
            #expect(answer.hasPrefix(isAnswered ? "SIP/2.0 486" : "SIP/2.0 200"))
            guard !isAnswered else { return }
            far.send(
                far.request(
                    "ACK", callID: callID, toTag: ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)))
            #expect(engine.wait(for: .call(.dialled, .answered)))
        }

        @Test func pickupWithoutEncryptionIsStillOne() throws {
            let far = try ScriptedRegistrar()
            let account = SIPAccount(
                id: "bob", address: "sip:bob@127.0.0.1", registrar: "sip:127.0.0.1:\(far.port)",
                transport: .udp, encryption: .offered)
            engine.send(.setAccount(account, password: "x"))
            #expect(far.acceptRegistration())
            engine.send(.watch(account: "bob", addresses: [Self.address]))
            let other = try #require(
                far.receive {
                    $0.hasPrefix("SUBSCRIBE sip:102@")
                })
            far.reply(to: other, "200 OK", "Expires: 600\r\nContact: <sip:102@127.0.0.1:\(far.port)>\r\n")
            let field = { ScriptedRegistrar.field($0, in: other) }
            far.send(
                far.request(
                    "NOTIFY", callID: field("Call-ID"),
                    fields: "Event: dialog\r\nSubscription-State: active\r\n",
                    body: Self.document(Self.dialog())
                )
                .replacingOccurrences(of: "application/sdp", with: "application/dialog-info+xml"))
            _ = engine.wait { if case .extension("bob", _, _) = $0 { true } else { nil } }
            engine.send(.call(.dialled, .pickUp(account: "bob", address: Self.address)))
            let first = try #require(far.receive { $0.hasPrefix("INVITE ") })
            #expect(!ScriptedRegistrar.field("Replaces", in: first).isEmpty)
            far.reply(to: first, "488 Not Acceptable Here")
            let second = try #require(far.receive { $0.hasPrefix("INVITE ") })
            #expect(parts("Replaces", in: second) == Set(Self.replaces.split(separator: ";")))
            #expect(ScriptedRegistrar.field("Require", in: second) == "replaces")
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of networks and servers that fail for a time.
    @Suite struct Outages {
        @Test func callsWorkWithThirtyPerCentLoss() throws {
            let server = try Peers.kamailio()
            let relay = try LossyRelay(to: server.port, loss: 30, seed: 1)
            defer { relay.end() }
            let bob = try Peers.bob()
            let engine = try EngineProcess()
            var account = SIPAccount.at(server)
            account.registrar = "sip:127.0.0.1:\(relay.port)"
            #expect(engine.register(account, seconds: 60) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(.dialled, .answered), seconds: 60))
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED", seconds: 60) != nil)
        }

        @Test func stoppedServerIsFoundAgain() throws {
            let server = try Kamailio()
            let engine = try EngineProcess()
            #expect(engine.register(.at(server)) == .registered)
            try server.setStopped(true)
            engine.send(.refresh)
            // Requests wait at the stopped server, and are answered together.
            #expect(engine.waitForRegistration(seconds: 1) == nil)
            try server.setStopped(false)
            #expect(engine.waitForRegistration() == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            #expect(engine.waitForEnd(of: .dialled)?.status == 404)
        }

        @Test func stoppedEngineRegistersAgain() throws {
            let registrar = try ScriptedRegistrar()
            let engine = try EngineProcess()
            #expect(engine.register(at: registrar, expires: 2))
            kill(engine.processID, SIGSTOP)
            // The registration expires.
            #expect(registrar.receive(seconds: 2.5) { $0.hasPrefix("REGISTER ") } == nil)
            kill(engine.processID, SIGCONT)
            #expect(registrar.acceptRegistration())
            registrar.send(registrar.request("INVITE", body: ScriptedRegistrar.session))
            #expect(engine.waitForCall() != nil)
        }

        @Test func shortRegistrationIsRenewedBeforeItsEnd() throws {
            let registrar = try ScriptedRegistrar()
            let engine = try EngineProcess()
            #expect(engine.register(at: registrar, expires: 4))
            #expect(registrar.receive(seconds: 4) { $0.hasPrefix("REGISTER ") } != nil)
        }

        @Test func newAddressReplacesTheOldOne() throws {
            let registrar = try StreamRegistrar()
            let engine = try EngineProcess()
            engine.send(.setAccount(.overTCP(to: registrar), password: "x"))
            let first = try #require(registrar.acceptRegistration())
            #expect(engine.waitForRegistration() == .registered)
            engine.send(.refresh)
            let second = try #require(registrar.acceptRegistration())
            #expect(engine.waitForRegistration() == .registered)
            let old = ScriptedRegistrar.field("Contact", in: first).prefix { $0 != ">" }
            let contacts = second.components(separatedBy: "\r\n").filter { $0.hasPrefix("Contact:") }
            #expect(contacts.contains { $0.contains(old) && $0.contains(";expires=0") })
            #expect(contacts.contains { !$0.contains(old) && !$0.contains(";expires=0") })
        }

        @Test func addressIsCorrectedOnEachConnection() throws {
            // A router shows each connection with another port.
            let registrar = try StreamRegistrar()
            let engine = try EngineProcess()
            engine.send(.setAccount(.overTCP(to: registrar), password: "x"))
            for port in 20_001...20_005 {
                #expect(registrar.accept())
                var request = ""
                for _ in 1...2 where !request.contains("@127.0.0.1:\(port);") {
                    request = try #require(registrar.receive("REGISTER "))
                    registrar.send(Self.granted(request, via: ";rport=\(port);received=127.0.0.1"))
                }
                #expect(ScriptedRegistrar.field("Contact", in: request).contains("@127.0.0.1:\(port);"))
                #expect(engine.waitForRegistration() == .registered)
                registrar.disconnect()
            }
        }

        @Test func callOutlivesItsConnection() throws {
            let (registrar, engine, invite) = try Self.callOverTCP()
            registrar.disconnect()
            // The far end learns where the phone is now.
            let again = try #require(registrar.register(until: "INVITE "))
            let contact = ScriptedRegistrar.field("Contact", in: again)
            #expect(contact != ScriptedRegistrar.field("Contact", in: invite))
            registrar.send(Self.answer(to: again, at: registrar.port))
            #expect(registrar.receive("ACK ") != nil)
            // One cut is repaired once.
            #expect(registrar.register(until: "INVITE ", seconds: 1) == nil)
            engine.send(.call(.dialled, .hangUp))
            #expect(registrar.receive("BYE ") != nil)
        }

        @Test func callThatEndedWithItsConnectionEnds() throws {
            let (registrar, engine, _) = try Self.callOverTCP()
            registrar.disconnect()
            let again = try #require(registrar.register(until: "INVITE "))
            registrar.send(ScriptedRegistrar.response(to: again, "481 Call/Transaction Does Not Exist"))
            #expect(engine.waitForEnd(of: .dialled)?.status == 481)
        }

        @Test func heldCallOutlivesItsConnection() throws {
            let (registrar, engine, _) = try Self.callOverTCP()
            engine.send(.call(.dialled, .hold))
            let hold = try #require(registrar.receive("INVITE "))
            registrar.send(Self.answer(to: hold, at: registrar.port, direction: "recvonly"))
            #expect(registrar.receive("ACK ") != nil)
            registrar.disconnect()
            let again = try #require(registrar.register(until: "INVITE "))
            #expect(again.contains("a=sendonly"))
            registrar.send(Self.answer(to: again, at: registrar.port, direction: "recvonly"))
            #expect(registrar.receive("ACK ") != nil)
            engine.send(.call(.dialled, .resume))
            let resume = try #require(registrar.receive("INVITE "))
            #expect(!resume.contains("a=sendonly"))
        }

        /// Returns a call over a connection, with the request for it.
        private static func callOverTCP() throws -> (StreamRegistrar, EngineProcess, String) {
            let registrar = try StreamRegistrar()
            let engine = try EngineProcess()
            var account = SIPAccount.overTCP(to: registrar)
            account.encryption = .off
            engine.send(.setAccount(account, password: "x"))
            #expect(registrar.acceptRegistration() != nil)
            #expect(engine.waitForRegistration() == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive("INVITE "))
            registrar.send(answer(to: invite, at: registrar.port))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(registrar.receive("ACK ") != nil)
            return (registrar, engine, invite)
        }

        private static func answer(
            to invite: String, at port: UInt16, direction: String = "sendrecv"
        ) -> String {
            ScriptedRegistrar.response(
                to: invite, "200 OK",
                "Contact: <sip:far@127.0.0.1:\(port);transport=tcp>\r\nContent-Type: application/sdp\r\n",
                body: ScriptedRegistrar.session(port: 40_000, direction: direction))
        }

        @Test(arguments: [
            ";rport=9;received=192.0.2.1", ";rport=0;received=192.0.2.1", ";rport=99999999999;received=[::1]",
            ";rport=7", ";received=192.0.2.1",
        ])
        func addressIsCorrectedAtMostTwice(_ via: String) throws {
            // The registrar names an address that is never right, or none.
            let registrar = try StreamRegistrar()
            let engine = try EngineProcess()
            engine.send(.setAccount(.overTCP(to: registrar), password: "x"))
            #expect(registrar.accept())
            var count = 0
            while let request = registrar.receive("REGISTER ", seconds: count == 0 ? 10 : 1) {
                count += 1
                registrar.send(Self.granted(request, via: via.replacing("rport=9", with: "rport=\(count)")))
            }
            #expect(1...3 ~= count)
            #expect(engine.waitForRegistration() == .registered)
        }

        private static func granted(_ request: String, via: String) -> String {
            let contact = ScriptedRegistrar.field("Contact", in: request)
            return ScriptedRegistrar.response(
                to: request, "200 OK", "Contact: \(contact);expires=600\r\n"
            ).replacingOccurrences(of: ";rport\r\n", with: via + "\r\n")
        }

        @Test(arguments: ["401 Unauthorized", "403 Forbidden"])
        func refusedPasswordIsNotTriedAgain(_ status: String) throws {
            let registrar = try ScriptedRegistrar()
            let engine = try EngineProcess()
            let account = SIPAccount(
                id: "alice", address: "sip:alice@127.0.0.1", registrar: "sip:127.0.0.1:\(registrar.port)",
                transport: .udp)
            engine.send(.setAccount(account, password: "wrong"))
            for number in 1... {
                // The registrar answers with another challenge each time.
                let request = try #require(registrar.receive { $0.hasPrefix("REGISTER ") })
                registrar.reply(
                    to: request, number == 1 ? "401 Unauthorized" : status,
                    "WWW-Authenticate: Digest realm=\"127.0.0.1\", nonce=\"\(number)\"\r\n")
                if number == 2 { break }
            }
            #expect(engine.waitForRegistration() == .failed(.wrongPassword))
            engine.send(.refresh)
            engine.send(.setNetwork(isAvailable: false))
            engine.send(.setNetwork(isAvailable: true))
            var other = account
            (other.id, other.address) = ("carol", "sip:carol@127.0.0.1")
            engine.send(.setAccount(other, password: "x"))
            // liblinphone 5.3 also ends the registration, which needs no password.
            let next = try #require(
                registrar.receive {
                    $0.hasPrefix("REGISTER ")
                        && ($0.contains("Authorization:")
                            || ScriptedRegistrar.field("Expires", in: $0) != "0")
                })
            #expect(next.contains("carol"))
            engine.send(.setAccount(account, password: "right"))
            #expect(registrar.receive { $0.hasPrefix("REGISTER ") && $0.contains("alice") } != nil)
        }

        @Test(.enabled(if: Self.hasNamespaces, "network namespaces are not allowed"))
        func missingNetworkIsReported() throws {
            let engine = try EngineProcess(prefix: Self.offline)
            let account = SIPAccount(id: "alice", address: "sip:alice@example.test", transport: .tcp)
            #expect(engine.register(account, seconds: 30) == .failed(.noNetwork))
        }

        private static let offline = ["unshare", "--map-root-user", "--net"]
        private static let hasNamespaces = (try? output(of: offline + ["true"])) != nil
    }
}

/// Tests that wait for timeouts of SIP of 32 seconds, beside the other tests.
@Suite struct SIPTimeoutTests {
    @Test func silentPeersAreGivenUp() throws {
        // The four wait at the same time.
        let caller = try ScriptedRegistrar()
        let answering = try EngineProcess()
        #expect(answering.register(at: caller, encryption: .off))
        caller.send(caller.request("INVITE", callID: "unacknowledged", body: ScriptedRegistrar.session))
        let incoming = try #require(answering.waitForCall())
        answering.send(.call(incoming.id, .answer))
        #expect(answering.wait(for: .call(incoming.id, .answered)))

        let silent = try ScriptedRegistrar()
        let dialling = try EngineProcess()
        #expect(dialling.register(at: silent, encryption: .off))
        dialling.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))

        let stopped = try ScriptedRegistrar()
        let registering = try EngineProcess()
        #expect(registering.register(at: stopped, encryption: .off))
        registering.send(.refresh)

        // A call without sound goes on, if its answer was acknowledged.
        let muted = try ScriptedRegistrar()
        let patient = try EngineProcess()
        #expect(patient.register(at: muted, encryption: .off))
        muted.send(muted.request("INVITE", callID: "acknowledged", body: ScriptedRegistrar.session))
        let quiet = try #require(patient.waitForCall())
        patient.send(.call(quiet.id, .answer))
        let answer = try #require(muted.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains("INVITE") })
        let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
        muted.send(muted.request("ACK", callID: "acknowledged", toTag: tag))

        #expect(answering.waitForEnd(of: incoming.id, seconds: 60)?.side == .network)
        #expect(caller.receive { $0.hasPrefix("BYE ") } != nil)
        #expect(dialling.waitForEnd(of: .dialled, seconds: 60)?.status == 408)
        #expect(registering.waitForRegistration(seconds: 60) == .failed(.noAnswer))
        while stopped.receive(seconds: 0.1) != nil {}
        #expect(stopped.acceptRegistration())
        #expect(registering.waitForRegistration() == .registered)
        #expect(patient.waitForEnd(of: quiet.id, seconds: 5) == nil)
        for engine in [answering, dialling, registering, patient] { #expect(engine.isRunning) }
    }
}

extension SIPAccount {
    fileprivate static func overTCP(to registrar: StreamRegistrar) -> SIPAccount {
        SIPAccount(
            id: "alice", address: "sip:alice@127.0.0.1", registrar: "sip:127.0.0.1:\(registrar.port)",
            transport: .tcp)
    }
}

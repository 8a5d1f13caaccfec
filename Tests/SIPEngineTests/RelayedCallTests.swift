// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of calls over Jabber that go through a relay alone, in a network that is watched.
    @Suite(.enabled(if: WatchedNetwork.isAllowed, "network namespaces are not allowed"))
    struct RelayedCalls {
        // It lives as long as the test.
        private let network: WatchedNetwork
        private let relay: Coturn
        private let caller: EngineProcess
        private let called: EngineProcess

        init() throws {
            network = try WatchedNetwork()
            relay = try Coturn(in: network)
            let environment = ["TOUCHTONE_SIP_LOSS": "6000"]
            caller = try EngineProcess(prefix: network.prefix, environment: environment)
            called = try EngineProcess(prefix: network.otherPrefix, environment: environment)
        }

        private func route(password: String = "relayed", usesRelayOnly: Bool = true) -> MediaRoute {
            let server = MediaServer(
                host: WatchedNetwork.otherAddress, port: relay.port, isRelay: true, user: "ada",
                password: password)
            return MediaRoute(servers: [server], usesRelayOnly: usesRelayOnly)
        }

        /// Connects the engines, the first of which offers.
        private func connect(
            _ first: EngineProcess, _ route: MediaRoute, with second: EngineProcess, _ otherRoute: MediaRoute
        ) throws -> [MediaDescription] {
            first.send(.call(.dialled, .prepareOffer(route)))
            let offer = try description(first)
            second.send(.call(.dialled, .prepareAnswer(to: offer, otherRoute)))
            let answer = try description(second)
            first.send(.call(.dialled, .connect(answer)))
            #expect(first.wait(for: .call(.dialled, .connected), seconds: 20))
            #expect(second.wait(for: .call(.dialled, .connected), seconds: 20))
            return [offer, answer]
        }

        private func description(_ engine: EngineProcess) throws -> MediaDescription {
            try #require(
                engine.wait { if case .call(.dialled, .described(let media)) = $0 { media } else { nil } })
        }

        /// Returns the ports to which an engine has sent, other than its own of this machine.
        private func targets(of engine: EngineProcess, _ ports: Set<UInt16>) -> Set<UInt16> {
            Set(
                network.paths.filter { ports.contains($0.sourcePort) && $0.target != "127.0.0.1" }
                    .map(\.targetPort))
        }

        /// The far end learns the address of the relay alone, also from packets, in calls in both directions.
        @Test(arguments: [true, false]) func nothingGoesAnywhereElse(isOffer: Bool) throws {
            defer { relay.end() }
            let (first, second) = isOffer ? (caller, called) : (called, caller)
            let (own, open) = (route(), MediaRoute())
            let media = try connect(first, isOffer ? own : open, with: second, isOffer ? open : own)
            let told = isOffer ? media[0] : media[1]
            #expect(!told.candidates.isEmpty)
            #expect(
                told.candidates.allSatisfy { $0.kind == .relay && $0.address == WatchedNetwork.otherAddress })
            let ports = try Set(JingleCalls.ports(of: caller))
            for (key, engine, other) in [("1", caller, called), ("2", called, caller)] {
                engine.send(.call(.dialled, .sendKey(key)))
                #expect(other.wait(for: .call(.dialled, .keyReceived(key))))
            }
            // Statistics come after some seconds.
            #expect(caller.waitForEncryption(seconds: 5) == "DTLS-SRTP")
            for isHeld in [true, false] {
                caller.send(.call(.dialled, isHeld ? .hold : .resume))
                called.send(.call(.dialled, .setHeldByFarEnd(isHeld)))
                #expect(called.wait(for: .call(.dialled, .heldByFarEnd(isHeld))))
            }
            caller.send(.call(.dialled, .sendKey("3")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("3"))))
            for engine in [caller, called] {
                engine.send(.call(.dialled, .hangUp))
                #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            }
            #expect(targets(of: caller, ports) == [relay.port])
            // The far end has tried to reach the relay, and no address of this machine.
            let others = network.paths.filter { ports.contains($0.targetPort) && $0.source != "127.0.0.1" }
            #expect(Set(others.map(\.sourcePort)) == [relay.port])
        }

        /// Without the rule, the watch sees others.
        @Test func openCallsGoDirectly() throws {
            defer { relay.end() }
            _ = try connect(caller, route(usesRelayOnly: false), with: called, MediaRoute())
            let ports = try Set(JingleCalls.ports(of: caller))
            caller.send(.call(.dialled, .sendKey("1")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("1"))))
            #expect(targets(of: caller, ports).count > 1)
        }

        @Test func bothEndsUseTheRelay() throws {
            defer { relay.end() }
            _ = try connect(caller, route(), with: called, route())
            let ports = try Set(JingleCalls.ports(of: caller) + JingleCalls.ports(of: called))
            caller.send(.call(.dialled, .sendKey("1")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("1"))))
            #expect(targets(of: caller, ports) == [relay.port])
        }

        /// A new network does not open other sockets.
        @Test func networkChangeOpensNoOtherWay() throws {
            defer { relay.end() }
            _ = try connect(caller, route(), with: called, MediaRoute())
            for command in [
                SIPCommand.setNetwork(isAvailable: false), .setNetwork(isAvailable: true), .refresh,
            ] {
                caller.send(command)
            }
            caller.send(.call(.dialled, .sendKey("1")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("1"))))
            let ports = try Set(JingleCalls.ports(of: caller))
            #expect(targets(of: caller, ports) == [relay.port])
        }

        /// The relay lets through whose address comes when others are checked already.
        @Test func lateAddressIsLetThrough() throws {
            defer { relay.end() }
            called.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try description(called)
            let early = try #require(
                MediaDescription(
                    formats: offer.formats, user: offer.user, password: offer.password,
                    fingerprint: offer.fingerprint, role: offer.role, candidates: [try JingleCalls.nowhere]))
            caller.send(.call(.dialled, .prepareAnswer(to: early, route())))
            called.send(.call(.dialled, .connect(try description(caller))))
            caller.send(.call(.dialled, .addCandidates(offer.candidates)))
            #expect(caller.wait(for: .call(.dialled, .connected), seconds: 20))
            #expect(called.wait(for: .call(.dialled, .connected), seconds: 20))
            let ports = try Set(JingleCalls.ports(of: caller))
            #expect(targets(of: caller, ports) == [relay.port])
        }

        /// Servers of Jabber make names and passwords from a secret that they share with the relay.
        @Test func passwordForATimeIsTaken() throws {
            relay.end()
            let other = try Coturn(in: network, secret: "shared")
            defer { other.end() }
            let user = "\(Int(Date().timeIntervalSince1970) + 600)"
            let password = try output(of: [
                "sh", "-c", "printf %s \"$1\" | openssl dgst -sha1 -hmac shared -binary | base64", "sh", user,
            ])
            let server = MediaServer(
                host: WatchedNetwork.otherAddress, port: other.port, isRelay: true, user: user,
                password: String(password.dropLast()))
            let route = MediaRoute(servers: [server], usesRelayOnly: true)
            _ = try connect(caller, route, with: called, MediaRoute())
        }

        @Test func wrongPasswordEndsTheCall() throws {
            defer { relay.end() }
            caller.send(.call(.dialled, .prepareOffer(route(password: "wrong"))))
            #expect(caller.waitForEnd(of: .dialled) == SIPEnd(.phone, relay: .wrongPassword))
        }

        @Test func missingRelayEndsTheCall() throws {
            let offer = route()
            relay.end()
            caller.send(.call(.dialled, .prepareOffer(MediaRoute(usesRelayOnly: true))))
            #expect(caller.waitForEnd(of: .dialled) == SIPEnd(.phone, relay: .noAnswer))
            caller.send(.call(.second, .prepareOffer(offer)))
            #expect(caller.waitForEnd(of: .second) == SIPEnd(.phone, relay: .noAnswer))
        }

        /// Both ends notice it.
        @Test func lostRelayEndsTheCall() throws {
            _ = try connect(caller, route(), with: called, MediaRoute())
            relay.end()
            for engine in [caller, called] {
                #expect(engine.waitForEnd(of: .dialled, seconds: 15) == SIPEnd(.network))
            }
        }

        @Test func callIsGivenUpWhileTheRelayIsAsked() throws {
            let offer = route()
            relay.end()
            caller.send(.call(.dialled, .prepareOffer(offer)))
            caller.send(.call(.dialled, .setMuted(true)))
            caller.send(.call(.dialled, .hangUp))
            #expect(caller.waitForEnd(of: .dialled, seconds: 1) == SIPEnd(.phone))
        }
    }
}

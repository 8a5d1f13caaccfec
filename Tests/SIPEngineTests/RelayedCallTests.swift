// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of calls over Jabber with a relay, in a network that is watched.
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
            caller = try EngineProcess(prefix: network.prefix)
            called = try EngineProcess(prefix: network.otherPrefix)
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

        /// The addresses are collected first, and the call begins afterwards.
        @Test func openCallsGoDirectly() throws {
            defer { relay.end() }
            _ = try connect(caller, route(usesRelayOnly: false), with: called, MediaRoute())
            let ports = try Set(JingleCalls.ports(of: caller))
            caller.send(.call(.dialled, .sendKey("1")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("1"))))
            #expect(targets(of: caller, ports).count > 1)
        }
    }
}

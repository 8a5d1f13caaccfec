// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of calls over Jabber whose network changes or dies.
    @Suite(.enabled(if: WatchedNetwork.isAllowed, "network namespaces are not allowed"))
    struct LostWays {
        private let network: WatchedNetwork
        private let caller: EngineProcess
        private let called: EngineProcess

        init() throws {
            network = try WatchedNetwork()
            let environment = ["TOUCHTONE_SIP_LOSS": "6000"]
            caller = try EngineProcess(prefix: network.prefix, environment: environment)
            called = try EngineProcess(prefix: network.otherPrefix, environment: environment)
            caller.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try description(caller)
            called.send(.call(.dialled, .prepareAnswer(to: offer, MediaRoute())))
            caller.send(.call(.dialled, .connect(try description(called))))
            for engine in [caller, called] { #expect(engine.wait(for: .call(.dialled, .connected))) }
        }

        private func description(_ engine: EngineProcess) throws -> MediaDescription {
            try #require(
                engine.wait { if case .call(.dialled, .described(let media)) = $0 { media } else { nil } })
        }

        private func expectKeys() {
            for (engine, other) in [(caller, called), (called, caller)] {
                engine.send(.call(.dialled, .sendKey("5")))
                #expect(other.wait(for: .call(.dialled, .keyReceived("5"))))
            }
        }

        /// The desktop reports changes also if the address stays, such as of another interface.
        @Test func soundGoesOnAtTheSameAddress() throws {
            for command in [
                SIPCommand.setNetwork(isAvailable: false), .setNetwork(isAvailable: true), .refresh,
            ] {
                caller.send(command)
            }
            expectKeys()
            called.send(.refresh)
            expectKeys()
        }

        @Test func lostNetworkEndsTheCall() throws {
            try network.run("link set call0 down")
            for engine in [caller, called] {
                #expect(engine.waitForEnd(of: .dialled, seconds: 15) == SIPEnd(.network))
            }
        }

        /// The call ends, and the next one works.
        @Test func otherAddressEndsTheCall() throws {
            try network.run("address flush dev call0")
            try network.run("address add 192.0.2.11/24 dev call0")
            try network.run("route add default dev call0")
            caller.send(.refresh)
            let end = caller.waitForEnd(of: .dialled, seconds: 15)
            #expect(end == SIPEnd(.network))
            caller.send(.call(.second, .prepareOffer(MediaRoute())))
            let media = caller.wait {
                if case .call(.second, .described(let media)) = $0 { media } else { nil }
            }
            #expect(media?.candidates.contains { $0.address == "192.0.2.11" } == true)
        }

        /// Silence is no loss while a call is held.
        @Test func heldCallStays() throws {
            caller.send(.call(.dialled, .hold))
            called.send(.call(.dialled, .setHeldByFarEnd(true)))
            #expect(called.wait(for: .call(.dialled, .heldByFarEnd(true))))
            #expect(caller.waitForEnd(of: .dialled, seconds: 10) == nil)
            caller.send(.call(.dialled, .resume))
            called.send(.call(.dialled, .setHeldByFarEnd(false)))
            #expect(called.wait(for: .call(.dialled, .heldByFarEnd(false))))
            expectKeys()
        }
    }
}

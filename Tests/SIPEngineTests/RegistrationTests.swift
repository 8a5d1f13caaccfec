// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    @Suite struct Registration {
        @Test(arguments: [SIPAccount.Transport.udp, .tcp])
        func rightPasswordRegisters(_ transport: SIPAccount.Transport) throws {
            let engine = try EngineProcess()
            #expect(try engine.register(.at(Peers.kamailio(), transport: transport)) == .registered)
            #expect(engine.end() == 0)
        }

        @Test func wrongPasswordIsReported() throws {
            let engine = try EngineProcess()
            #expect(try engine.register(.at(Peers.kamailio()), password: "wrong") == .failed(.wrongPassword))
        }

        @Test func unknownUserIsReported() throws {
            let engine = try EngineProcess()
            #expect(try engine.register(.at(Peers.kamailio(), user: "nobody")) == .failed(.noSuchUser))
        }

        @Test func closedPortIsReported() throws {
            let engine = try EngineProcess()
            let port = try #require(freePorts(1).first)
            var account = try SIPAccount.at(Peers.kamailio(), transport: .tcp)
            account.registrar = "sip:127.0.0.1:\(port)"
            #expect(engine.register(account) == .failed(.connectionRefused))
        }

        @Test func unknownDomainIsReported() throws {
            let engine = try EngineProcess()
            let account = SIPAccount(id: "alice", address: "sip:alice@no-such-host.invalid", transport: .tcp)
            #expect(engine.register(account, seconds: 30) == .failed(.serverNotFound))
        }

        @Test func killedServerIsFoundAgain() throws {
            let server = try Kamailio()
            let engine = try EngineProcess()
            #expect(engine.register(.at(server, transport: .tcp)) == .registered)
            server.kill()
            #expect(engine.wait(for: .registration(account: "alice", .registering)))
            #expect(engine.waitForRegistration() == .failed(.connectionRefused))
            try server.start()
            #expect(engine.wait(for: .registration(account: "alice", .registered)))
        }

        @Test func overloadedServerIsAskedAgainInTime() throws {
            let server = try SIPp("registrar-503")
            defer { server.end() }
            let engine = try EngineProcess()
            let account = SIPAccount(
                id: "alice", address: "sip:alice@127.0.0.1:\(server.port)", transport: .udp, encryption: .off)
            let start = ContinuousClock.now
            #expect(engine.register(account) == .failed(.refused(status: 503, text: "Service Unavailable")))
            #expect(engine.wait(for: .registration(account: "alice", .registered)))
            #expect(ContinuousClock.now - start > .seconds(1))
        }

        @Test func accountWithoutNetworkWaitsForIt() throws {
            let engine = try EngineProcess()
            engine.send(.setNetwork(isAvailable: false))
            #expect(try engine.register(.at(Peers.kamailio())) == .failed(.noNetwork))
            engine.send(.setNetwork(isAvailable: true))
            #expect(engine.waitForRegistration() == .registered)
            engine.send(.refresh)
            #expect(engine.waitForRegistration() == .registered)
        }

        @Test func removedAccountCannotBeCalled() throws {
            // Not the shared server, where an engine of another test may still be registered under the name.
            let server = try Kamailio()
            let engine = try EngineProcess()
            let other = try EngineProcess()
            #expect(other.register(.at(server, user: "carol")) == .registered)
            other.send(.removeAccount(id: "carol"))
            #expect(other.end() == 0)
            #expect(engine.register(.at(server)) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            #expect(engine.waitForEnd(of: .dialled)?.status == 404)
        }
    }
}

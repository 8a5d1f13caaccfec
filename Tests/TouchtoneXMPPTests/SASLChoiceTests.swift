// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneXMPP

@Suite struct SASLChoiceTests {
    private static let all = SASLMechanism.allCases.map(\.rawValue)

    private static func choice(
        _ offered: [String], bindings: [String]? = nil, available: Set<ChannelBinding> = [],
        floor: SASLMechanism? = nil
    ) throws(SASLError) -> SASLChoice {
        try SASLChoice(offered: offered, bindings: bindings, available: available, floor: floor)
    }

    @Test func strongestMechanismIsChosen() throws {
        let tls13: Set<ChannelBinding> = [.exporter, .serverEndPoint]
        #expect(try Self.choice(Self.all, available: tls13).mechanism == .scramSHA512Plus)
        #expect(try Self.choice(Self.all, available: tls13).binding == .exporter)
        #expect(try Self.choice(Self.all).mechanism == .scramSHA512)
        #expect(try Self.choice(["PLAIN", "SCRAM-SHA-1", "X-OAUTH2"]).mechanism == .scramSHA1)
        #expect(try Self.choice(["PLAIN", "DIGEST-MD5"]).mechanism == .plain)
        #expect(
            try Self.choice(["SCRAM-SHA-512", "SCRAM-SHA-1-PLUS"], available: tls13).mechanism
                == .scramSHA1Plus)
    }

    @Test func channelBindingIsOfferedByServer() throws {
        let all = Set(ChannelBinding.allCases)
        #expect(
            try Self.choice(Self.all, bindings: ["tls-server-end-point"], available: all).binding
                == .serverEndPoint)
        #expect(try Self.choice(Self.all, available: [.unique, .serverEndPoint]).binding == .unique)
        // Using a binding that the server did not name might fail the sign-in to an honest server.
        #expect(try Self.choice(Self.all, available: [.serverEndPoint]).mechanism == .scramSHA512)
        #expect(try Self.choice(Self.all, bindings: ["x"], available: all).mechanism == .scramSHA512)
        #expect(try !Self.choice(Self.all, bindings: ["x"], available: all).tellsOfBinding)
    }

    @Test func serverWithoutBindingLearnsClientSupport() throws {
        #expect(try Self.choice(["SCRAM-SHA-1"], available: [.exporter]).tellsOfBinding)
        #expect(try !Self.choice(["SCRAM-SHA-1"]).tellsOfBinding)
        #expect(try !Self.choice(Self.all, available: [.exporter]).tellsOfBinding)
    }

    @Test func weakerMechanismIsRefused() throws {
        #expect(throws: SASLError.downgraded(from: .scramSHA256, to: .scramSHA1)) {
            try Self.choice(["PLAIN", "SCRAM-SHA-1"], floor: .scramSHA256)
        }
        #expect(try Self.choice(["SCRAM-SHA-512"], floor: .scramSHA256).mechanism == .scramSHA512)
        #expect(throws: SASLError.noMechanism(offered: ["ANONYMOUS", "EXTERNAL"])) {
            try Self.choice(["EXTERNAL", "ANONYMOUS"])
        }
        #expect(throws: SASLError.noMechanism(offered: ["SCRAM-SHA-1-PLUS"])) {
            try Self.choice(["SCRAM-SHA-1-PLUS"])
        }
    }
}

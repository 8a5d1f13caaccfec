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
        let tls12: Set<ChannelBinding> = [.unique, .serverEndPoint]
        #expect(try Self.choice(Self.all, available: tls12).mechanism == .scramSHA512Plus)
        #expect(try Self.choice(Self.all, available: tls12).binding == .unique)
        #expect(try Self.choice(Self.all).mechanism == .scramSHA512)
        #expect(try Self.choice(["PLAIN", "SCRAM-SHA-1", "X-OAUTH2"]).mechanism == .scramSHA1)
        #expect(try Self.choice(["PLAIN", "DIGEST-MD5"]).mechanism == .plain)
        #expect(
            try Self.choice(["SCRAM-SHA-512", "SCRAM-SHA-1-PLUS"], available: tls12).mechanism
                == .scramSHA1Plus)
    }

    @Test func channelBindingIsOfferedByServer() throws {
        let all = Set(ChannelBinding.allCases)
        #expect(
            try Self.choice(Self.all, bindings: ["tls-server-end-point"], available: all).binding
                == .serverEndPoint)
        // Using a binding that the server did not name might fail the sign-in to an honest server.
        #expect(try Self.choice(Self.all, available: [.serverEndPoint]).mechanism == .scramSHA512)
        #expect(try Self.choice(Self.all, bindings: ["x"], available: all).mechanism == .scramSHA512)
        #expect(try !Self.choice(Self.all, bindings: ["x"], available: all).tellsOfBinding)
    }

    @Test func bindingOfNewTLSIsNotAssumed() throws {
        let tls13: Set<ChannelBinding> = [.exporter, .serverEndPoint]
        let choice = try Self.choice(Self.all, available: tls13)
        #expect(choice == (try Self.choice(Self.all)))
        #expect(choice.mechanism == .scramSHA512 && !choice.tellsOfBinding)
        // If the account has used one before, the list may have been removed.
        let bound = try Self.choice(Self.all, available: tls13, floor: .scramSHA1Plus)
        #expect(bound.mechanism == .scramSHA512Plus && bound.binding == .exporter)
        #expect(throws: SASLError.downgraded(from: .scramSHA1Plus, to: .scramSHA512)) {
            try Self.choice(Self.all, bindings: [], available: tls13, floor: .scramSHA1Plus)
        }
    }

    @Test func strangeOffersAreUnderstood() throws {
        let tls13: Set<ChannelBinding> = [.exporter, .serverEndPoint]
        for (offered, bindings, mechanism) in [
            (["scram-sha-1", "PLAIN", "PLAIN"], nil, SASLMechanism.plain),
            (["SCRAM-SHA-1", "SCRAM-SHA-3-512-PLUS"], ["tls-exporter"], .scramSHA1),
            (["SCRAM-SHA-1-PLUS", "SCRAM-SHA-512"], ["TLS-EXPORTER", ""], .scramSHA512),
            (["SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"], ["tls-unique", "tls-exporter"], .scramSHA1Plus),
            (["OAUTHBEARER", "", "SCRAM-SHA-256", "GS2-KRB5-PLUS"], [], .scramSHA256),
        ] as [([String], [String]?, SASLMechanism)] {
            let choice = try Self.choice(offered, bindings: bindings, available: tls13)
            #expect(choice.mechanism == mechanism)
            #expect(!choice.tellsOfBinding || !offered.contains { $0.hasSuffix("-PLUS") })
        }
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

// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

@Suite struct TokenTests {
    private static let all = TokenMechanism.allCases.map(\.rawValue)

    @Test func bestMechanismOfChannelIsChosen() {
        let (old, new): (Set<ChannelBinding>, Set<ChannelBinding>) = (
            [.unique, .serverEndPoint], [.exporter, .serverEndPoint]
        )
        for (bindings, available, floor, best) in [
            (["tls-exporter", "tls-unique", "tls-server-end-point"], new, nil, .exporter),
            (["tls-exporter", "tls-unique", "tls-server-end-point"], old, nil, .unique),
            (["tls-server-end-point"], new, nil, .serverEndPoint), (["tls-unique"], new, nil, .unbound),
            // Without a list, ejabberd may offer what it cannot check.
            (nil, new, nil, .unbound), (nil, old, nil, .unique), (nil, new, .scramSHA1Plus, .exporter),
            (nil, [], .scramSHA512, .unbound), ([], new, .scramSHA1Plus, nil),
        ] as [([String]?, Set<ChannelBinding>, SASLMechanism?, TokenMechanism?)] {
            #expect(
                TokenMechanism.best(of: Self.all, bindings: bindings, available: available, floor: floor)
                    == best)
        }
        let strange = ["HT-SHA-512-EXPR", "ht-sha-256-none", "PLAIN", ""]
        #expect(TokenMechanism.best(of: strange, bindings: nil, available: new, floor: nil) == nil)
    }

    /// The values were computed with Python's hmac.
    @Test func proofsMatchIndependentOnes() throws {
        let proof = try TokenProof(
            .exporter, name: "grace", token: "secret-token:fast-1", bindingData: [1, 2, 3])
        #expect(Base64.encode(proof.message) == "Z3JhY2UAlYOXMT3chk/PTuSr+CwywFGsPZQ52xNVJVv5eGEj5iE=")
        try proof.verify(Base64.decode("1Hk9jj6z/OGOzY3F/O1Ekn+tmYV7sJvH2BhYVNFM8Ak="))
        for answer in [nil, [], [1], proof.message] as [[UInt8]?] {
            #expect(throws: SASLError.notProven) { try proof.verify(answer) }
        }
    }

    @Test func tokenIsReadAsItWasWritten() throws {
        let token = try token("secret-token:fast-1", password: "secret")
        let read = try #require(SignInToken(token.description))
        #expect(read == token)
        #expect(!token.description.contains("secret "))
        #expect(read.isValid(at: Timestamp(microseconds: 0), password: "secret"))
        #expect(!read.isValid(at: Timestamp(microseconds: 0), password: "Secret"))
        #expect(!read.isValid(at: Timestamp(microseconds: 2_000_000), password: "secret"))
    }

    @Test func anythingElseInKeyringIsNoToken() throws {
        let parts = try token("t", password: "p").description.split(separator: " ").map { String($0) }
        for (index, wrong) in [
            (0, "2"), (1, "HT-SHA-256-X"), (2, String(repeating: "t", count: 1025)), (2, "ü"), (3, "never"),
            (4, "2026"),
        ] {
            var changed = parts
            changed[index] = wrong
            #expect(SignInToken(changed.joined(separator: " ")) == nil)
        }
        for text in [
            "", "secret", parts.dropLast().joined(separator: " "), String(repeating: "1 ", count: 99),
        ] {
            #expect(SignInToken(text) == nil)
        }
    }

    @Test func unusableTokensAreNotTaken() {
        for token in [
            "<token xmlns='urn:xmpp:fast:0' expiry='2100-01-01T00:00:00Z'/>",
            "<token xmlns='urn:xmpp:fast:0' token='' expiry='2100-01-01T00:00:00Z'/>",
            "<token xmlns='urn:xmpp:fast:0' token='a b' expiry='2100-01-01T00:00:00Z'/>",
            "<token xmlns='urn:xmpp:fast:0' token='t'/>",
            "<token xmlns='urn:xmpp:fast:0' token='t' expiry='soon'/>",
            "<token xmlns='urn:xmpp:fast:0' token='\(String(repeating: "t", count: 1025))' expiry='2100-01-01T00:00:00Z'/>",
        ] {
            let success = success(with: token)
            #expect(success != nil && success?.token == nil, "\(token)")
        }
        let good = "<token xmlns='urn:xmpp:fast:0' token='t' expiry='2100-01-01T00:00:00Z'/>"
        #expect(success(with: good)?.token?.text == "t")
        #expect(success(with: good + good) == nil)
    }

    private func success(with token: String) -> SASL2Success? {
        let parser = XMLStreamParser()
        let text =
            "<s xmlns='urn:xmpp:sasl:2'><success><authorization-identifier>a@b</authorization-identifier>\(token)</success>"
        guard case .stanza(let element)? = (try? parser.parse(Array(text.utf8)))?.last else { return nil }
        return SASL2Success(element)
    }

    private func token(_ text: String, password: String) throws -> SignInToken {
        try SignInToken(
            SASL2Success.IssuedToken(text: text, expiry: Timestamp(microseconds: 1_000_000)), for: .unbound,
            deviceID: Session.deviceID, password: password, received: Timestamp(microseconds: 5))
    }
}

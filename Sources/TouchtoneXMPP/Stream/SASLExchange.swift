// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Authentication on a stream (RFC 6120 section 6), also with the steps that follow (XEP-0388).
@MainActor
struct SASLExchange {
    let account: XMPPAccount
    let stream: XMLStream
    let memory: SignInCache
    /// The request for the steps that follow; nil for those of RFC 6120.
    var request: SASL2Request?

    private var dialogue: SASLDialogue { SASLDialogue(stream: stream, request: request) }

    /// An exchange that has begun before the server's offer.
    struct Begun {
        fileprivate let choice: SASLChoice
        fileprivate let scram: SCRAM
    }

    /// Sends SCRAM's first message, which tells only the account's name, before the server repeats its offer.
    ///
    /// - Returns: Nil if nothing was sent, since another mechanism would have to be chosen, or none.
    func begin(_ offer: StreamFeatures) -> Begun? {
        guard let choice = try? choice(of: offer), let hash = choice.mechanism.hash,
            let scram = try? start(hash, choice)
        else { return nil }
        return Begun(choice: choice, scram: scram)
    }

    private func choice(of features: StreamFeatures) throws(XMPPError) -> SASLChoice {
        let floor = memory.floor(of: account)
        let binds = !memory.isBindingRefused || floor?.isBound == true
        return try Self.sasl { () throws(SASLError) in
            try SASLChoice(
                offered: offered(features), bindings: features.bindings,
                available: binds ? Set(stream.transport.bindings.keys) : [], floor: floor)
        }
    }

    private func offered(_ features: StreamFeatures) -> [String] {
        request?.offer.mechanisms ?? features.mechanisms
    }

    /// Signs in with the password; returns the mechanism, and the server's last element.
    ///
    /// - Parameter begun: The exchange, if it has begun already: it ends if the present offer leads to another choice.
    func run(
        _ features: StreamFeatures, after begun: Begun? = nil
    ) async throws(XMPPError) -> (SASLMechanism, XMLElement) {
        do throws(XMPPError) {
            let choice = try choice(of: features)
            guard begun == nil || begun?.choice == choice else {
                throw .signIn(.implausible(localized("unexpected reply")))
            }
            let offered = offered(features)
            let success: XMLElement
            if let hash = choice.mechanism.hash {
                do throws(XMPPError) {
                    let offerHash = try Self.sasl { () throws(SASLError) in
                        try OfferHash.make(mechanisms: offered, bindings: features.bindings, hash: hash)
                    }
                    let scram: SCRAM
                    if let begun { scram = begun.scram } else { scram = try start(hash, choice) }
                    success = try await prove(scram, offerHash)
                } catch .signIn(.refused(let condition, let text))
                    where choice.binding != nil && namesBinding(condition, text, isAhead: begun != nil)
                {
                    throw .signIn(.bindingRefused(unbound: SASLChoice.unbound(offered), text: text))
                }
            } else {
                success = try await plain()
            }
            memory.mechanism = choice.mechanism
            return (choice.mechanism, success)
        } catch {
            throw stream.fail(error)
        }
    }

    /// Reads the answer to a proof of the token; returns the server's element.
    func finish(_ proof: TokenProof) async throws(XMPPError) -> XMLElement {
        do throws(XMPPError) {
            guard case .success(let answer, let element) = try await dialogue.reply() else {
                throw .signIn(.notProven)
            }
            try Self.sasl { () throws(SASLError) in try proof.verify(answer) }
            return element
        } catch {
            throw stream.fail(error)
        }
    }

    /// Returns whether the server refused the binding, not the password.
    ///
    /// SASL has no condition for it. SCRAM has errors such as `channel-bindings-dont-match` (RFC 5802 section 7), and
    /// Prosody and ejabberd say it in a text. What may be a refusal of XEP-0388, or of a message before the offer, is tried
    /// without that first.
    private func namesBinding(_ condition: String, _ text: String, isAhead: Bool) -> Bool {
        request == nil && !isAhead && ["malformed-request", "invalid-mechanism"].contains(condition)
            || text.lowercased().replacing("-", with: " ").contains("channel binding")
    }

    /// Sends SCRAM’s first message.
    private func start(_ hash: SCRAMHash, _ choice: SASLChoice) throws(XMPPError) -> SCRAM {
        var binding = choice.tellsOfBinding ? SCRAM.Binding.notOffered : .none
        if let kind = choice.binding { binding = .bound(kind, stream.transport.bindings[kind] ?? []) }
        let scram = try Self.sasl { () throws(SASLError) in
            try SCRAM(
                hash: hash, name: account.jid.local, password: account.password, binding: binding,
                nonce: RandomText.make(24))
        }
        dialogue.start(choice.mechanism, Array(scram.firstMessage.utf8))
        return scram
    }

    /// Answers SCRAM's challenge; returns the server's last element.
    private func prove(_ scram: SCRAM, _ offerHash: String) async throws(XMPPError) -> XMLElement {
        guard case .challenge(let bytes) = try await dialogue.reply() else { throw .signIn(.notProven) }
        let text = try Self.text(bytes)
        let challenge = try Self.sasl { () throws(SASLError) in try scram.challenge(text) }
        guard challenge.offerHashes.allSatisfy({ $0 == offerHash }),
            challenge.versions.allSatisfy({ $0 == stream.transport.version })
        else { throw .signIn(.alteredOffer) }
        let key = try await key(for: challenge, scram)
        let answer = try Self.sasl { () throws(SASLError) in try scram.answer(to: challenge, with: key) }
        dialogue.respond(Array(answer.message.utf8))
        let success: XMLElement
        switch try await dialogue.reply() {
        case .success(let last, let element):
            let last = try Self.text(last ?? [])
            try Self.sasl { () throws(SASLError) in try answer.verify(last) }
            success = element
        case .challenge(let last):
            let last = try Self.text(last)
            try Self.sasl { () throws(SASLError) in try answer.verify(last) }
            dialogue.respond([])
            guard case .success(_, let element) = try await dialogue.reply() else {
                throw .signIn(.notProven)
            }
            success = element
        }
        memory.password = key
        return success
    }

    private func key(
        for challenge: SCRAM.Challenge, _ scram: SCRAM
    ) async throws(XMPPError) -> SaltedPassword {
        if let key = memory.password, key.fits(challenge, hash: scram.hash) { return key }
        do throws(SASLError) {
            return try await SaltedPassword.derived(for: challenge, from: scram)
        } catch {
            throw .signIn(error)
        }
    }

    private func plain() async throws(XMPPError) -> XMLElement {
        guard let name = StringPreparation.sasl.apply(account.jid.local), !name.isEmpty,
            let password = StringPreparation.sasl.apply(account.password), !password.isEmpty
        else { throw .signIn(.unusablePassword) }
        dialogue.start(.plain, Array("\0\(name)\0\(password)".utf8))
        guard case .success(_, let element) = try await dialogue.reply() else {
            throw .signIn(.implausible(localized("extra challenge")))
        }
        return element
    }

    private static func text(_ bytes: [UInt8]) throws(XMPPError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .signIn(.implausible(localized("the encoding")))
        }
        return text
    }

    static func sasl<Value>(_ body: () throws(SASLError) -> Value) throws(XMPPError) -> Value {
        do throws(SASLError) { return try body() } catch { throw .signIn(error) }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The state that an account's sign-ins share.
@MainActor
final class SignInCache {
    /// The password after PBKDF2, which is slow.
    var password: SaltedPassword?
    /// The mechanism of the last successful sign-in: weaker ones are no longer accepted.
    var mechanism: SASLMechanism?
    /// Whether the server has refused to bind a sign-in to its channel.
    var isBindingRefused = false

    func floor(of account: XMPPAccount) -> SASLMechanism? {
        [account.weakestMechanism, mechanism].compactMap { $0 }.max()
    }
}

/// Authentication on a stream (RFC 6120 section 6).
@MainActor
struct SASLExchange {
    let account: XMPPAccount
    let stream: XMLStream
    let memory: SignInCache

    func run(_ features: StreamFeatures) async throws(XMPPError) -> SASLMechanism {
        do throws(XMPPError) {
            let floor = memory.floor(of: account)
            let binds = !memory.isBindingRefused || floor?.isBound == true
            let choice = try sasl { () throws(SASLError) in
                try SASLChoice(
                    offered: features.mechanisms, bindings: features.bindings,
                    available: binds ? Set(stream.transport.bindings.keys) : [], floor: floor)
            }
            if let hash = choice.mechanism.hash {
                do throws(XMPPError) {
                    let offerHash = try sasl { () throws(SASLError) in
                        try OfferHash.make(
                            mechanisms: features.mechanisms, bindings: features.bindings, hash: hash)
                    }
                    try await scram(hash, choice, offerHash)
                } catch .signIn(.refused(let condition, let text))
                    where choice.binding != nil && Self.namesBinding(condition, text)
                {
                    let unbound = SASLChoice.unbound(features.mechanisms)
                    throw .signIn(.bindingRefused(unbound: unbound, text: text))
                }
            } else {
                try await plain()
            }
            memory.mechanism = choice.mechanism
            return choice.mechanism
        } catch {
            throw stream.fail(error)
        }
    }

    /// Returns whether the server refused the binding, not the password.
    ///
    /// SASL has no condition for it. SCRAM has errors such as `channel-bindings-dont-match` (RFC 5802 section 7), and
    /// Prosody and ejabberd say it in a text.
    private static func namesBinding(_ condition: String, _ text: String) -> Bool {
        ["malformed-request", "invalid-mechanism"].contains(condition)
            || text.lowercased().replacing("-", with: " ").contains("channel binding")
    }

    private func scram(
        _ hash: SCRAMHash, _ choice: SASLChoice, _ offerHash: String
    ) async throws(XMPPError) {
        var binding = choice.tellsOfBinding ? SCRAM.Binding.notOffered : .none
        if let kind = choice.binding { binding = .bound(kind, stream.transport.bindings[kind] ?? []) }
        let scram = try sasl { () throws(SASLError) in
            try SCRAM(
                hash: hash, name: account.jid.local, password: account.password, binding: binding,
                nonce: RandomText.make(24))
        }
        send("auth", choice.mechanism, scram.firstMessage)
        guard case .challenge(let text) = try await reply() else { throw .signIn(.notProven) }
        let challenge = try sasl { () throws(SASLError) in try scram.challenge(text) }
        guard challenge.offerHashes.allSatisfy({ $0 == offerHash }) else { throw .signIn(.alteredOffer) }
        let key = try await key(for: challenge, scram)
        let answer = try sasl { () throws(SASLError) in try scram.answer(to: challenge, with: key) }
        send("response", nil, answer.message)
        switch try await reply() {
        case .success(let last): try sasl { () throws(SASLError) in try answer.verify(last) }
        case .challenge(let last):
            try sasl { () throws(SASLError) in try answer.verify(last) }
            send("response", nil, "")
            guard case .success = try await reply() else { throw .signIn(.notProven) }
        }
        memory.password = key
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

    private func plain() async throws(XMPPError) {
        guard let name = StringPreparation.sasl.apply(account.jid.local), !name.isEmpty,
            let password = StringPreparation.sasl.apply(account.password), !password.isEmpty
        else { throw .signIn(.unusablePassword) }
        send("auth", .plain, "\0\(name)\0\(password)")
        guard case .success = try await reply() else {
            throw .signIn(.implausible(localized("extra challenge")))
        }
    }

    private func send(_ name: String, _ mechanism: SASLMechanism?, _ text: String) {
        stream.send(
            XMLElement(
                name, Namespace.sasl, ["mechanism": mechanism?.rawValue],
                text: Base64.encode(Array(text.utf8))))
    }

    private enum Reply {
        case challenge(String)
        case success(String)
    }

    private func reply() async throws(XMPPError) -> Reply {
        let element = try await stream.next()
        guard element.namespace == Namespace.sasl else {
            throw .signIn(.implausible(localized("unexpected reply")))
        }
        switch element.name {
        case "challenge": return .challenge(try text(of: element))
        case "success": return .success(try text(of: element))
        case "failure":
            let condition = element.children.first { $0.name != "text" }?.name ?? "not-authorized"
            let text = PlainText.line(element.child("text")?.text ?? "")
            throw .signIn(.refused(condition: PlainText.line(condition), text: text))
        default: throw .signIn(.implausible(localized("unexpected reply")))
        }
    }

    private func text(of element: XMLElement) throws(XMPPError) -> String {
        // "=" stands for empty data, as opposed to none.
        let text = element.text == "=" ? "" : element.text
        guard let bytes = Base64.decode(text), let decoded = String(validating: bytes, as: UTF8.self) else {
            throw .signIn(.implausible(localized("the encoding")))
        }
        return decoded
    }

    private func sasl<Value>(_ body: () throws(SASLError) -> Value) throws(XMPPError) -> Value {
        do throws(SASLError) { return try body() } catch { throw .signIn(error) }
    }
}

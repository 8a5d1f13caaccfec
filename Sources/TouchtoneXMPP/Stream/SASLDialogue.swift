// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The elements that carry SASL's messages: those of RFC 6120 or, with a request, those of XEP-0388.
@MainActor
struct SASLDialogue {
    enum Reply {
        case challenge([UInt8])
        /// The exchange succeeded: the server's last message, and the element.
        case success([UInt8]?, XMLElement)
    }

    let stream: XMLStream
    let request: SASL2Request?

    private var namespace: String { request == nil ? Namespace.sasl : SASL2Offer.namespace }

    func start(_ mechanism: SASLMechanism, _ message: [UInt8]) {
        let initial = Base64.encode(message)
        stream.send(
            request?.element(mechanism: mechanism.rawValue, initial: message)
                ?? XMLElement("auth", Namespace.sasl, ["mechanism": mechanism.rawValue], text: initial))
    }

    func respond(_ message: [UInt8]) {
        stream.send(XMLElement("response", namespace, text: Base64.encode(message)))
    }

    func reply() async throws(XMPPError) -> Reply {
        let element = try await stream.next()
        guard element.namespace == namespace else {
            throw .signIn(.implausible(localized("unexpected reply")))
        }
        switch element.name {
        case "challenge": return .challenge(try message(in: element))
        case "success": return .success(try lastMessage(in: element), element)
        case "failure":
            // XEP-0388 has the conditions of RFC 6120, in its namespace.
            let conditions = element.children.filter { $0.name != "text" }
            let condition = conditions.first { $0.namespace == Namespace.sasl } ?? conditions.first
            let text = PlainText.line(element.child("text")?.text ?? "")
            throw .signIn(
                .refused(condition: PlainText.line(condition?.name ?? "not-authorized"), text: text))
        default: throw .signIn(.implausible(localized("unexpected reply")))
        }
    }

    private func lastMessage(in element: XMLElement) throws(XMPPError) -> [UInt8]? {
        guard request != nil else { return try message(in: element) }
        let parts = element.children("additional-data")
        guard parts.count < 2 else { throw .signIn(.implausible(localized("unexpected reply"))) }
        guard let part = parts.first else { return nil }
        return try message(in: part)
    }

    private func message(in element: XMLElement) throws(XMPPError) -> [UInt8] {
        // "=" stands for empty data, as opposed to none; XEP-0388 has no such sign.
        let text = element.text == "=" && request == nil ? "" : element.text
        guard let bytes = Base64.decode(text) else { throw .signIn(.implausible(localized("the encoding"))) }
        return bytes
    }
}
